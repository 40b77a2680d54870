//go:build unix

package uitest

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"parley/session"
	"parley/session/live"
	"parley/ui"
	"parley/ui/changes/listing"
)

// rewinding returns options with forks of the real manager and the record of changes on disk.
func rewinding(d *disk) func(*ui.Options) {
	return func(o *ui.Options) {
		m := managerOf(o)
		m.Forks = func(ctx context.Context, id session.ID, upTo session.TurnID) (*live.Session, error) {
			return m.Manager.Fork(ctx, id, upTo)
		}
		o.Changes = func(id session.ID) listing.Log { return d.lib.Log(id) }
	}
}

// Conversation and files go back to before a prompt together, and come again together.
func TestRewind(t *testing.T) {
	d := onDisk(t)
	put(t, filepath.Join(d.dir, "a.sh"), "echo a\n")
	put(t, filepath.Join(d.dir, "mine.sh"), "echo a\n")
	Run(t, Config{Width: 100, Height: 30, Dir: d.dir, Options: rewinding(d)}, func(p *Program) {
		turns := talkAbout(p, "first question", "change the scripts", "and once more")
		id := p.Session.ID()
		d.write(id, turns[1], "a.sh", "echo b\n", 0o755)
		d.write(id, turns[1], "mine.sh", "echo b\n", 0o600)
		d.write(id, turns[2], "new.sh", "echo new\n", 0o600)
		put(t, filepath.Join(d.dir, "mine.sh"), "echo mine\n")
		keys := func(names ...string) {
			p.Keys(names...)
			p.Pass(time.Second)
		}
		keys("esc", "esc")
		p.Golden("rewind-prompts")
		keys("down", "enter")
		p.Golden("rewind-parts")
		keys("enter")
		d.is("a.sh", "echo a\n", 0o600)
		d.is("new.sh", "", 0)
		d.is("mine.sh", "echo mine\n", 0o600) // what the user wrote is never lost by it
		p.Golden("rewound")
		p.Keys("ctrl+u")
		p.Type("something else")
		turn := p.Turn()
		if at := turn.Conversation().Options.Session; at == id {
			t.Error("the prompt went to the session that was rewound")
		}
		turn.Text("Another way.")
		turn.End(session.TurnCompleted)
		p.Settle()
		p.Type("/rewind undo")
		p.Pass(time.Second)
		d.is("a.sh", "echo b\n", 0o755)
		d.is("new.sh", "echo new\n", 0o600)
		d.is("mine.sh", "echo mine\n", 0o600)
		if !p.Has("and once more") || p.Has("Another way.") {
			t.Errorf("the session as it was is not shown:\n%s", p.Text())
		}
		p.Type("/rewind undo")
		p.Pass(time.Second)
		if !p.Has("No rewind to take back") {
			t.Errorf("a rewind is taken back twice:\n%s", p.Text())
		}
	})
}

// Files go back alone, and the conversation alone; before the first prompt it begins anew.
func TestRewindOnePart(t *testing.T) {
	d := onDisk(t)
	put(t, filepath.Join(d.dir, "a.sh"), "echo a\n")
	Run(t, Config{Width: 100, Height: 30, Dir: d.dir, Options: rewinding(d)}, func(p *Program) {
		turns := talkAbout(p, "change the scripts")
		id := p.Session.ID()
		d.write(id, turns[0], "a.sh", "echo b\n", 0o600)
		p.Type("/rewind")
		p.Pass(time.Second)
		p.Keys("enter", "down", "down")
		p.Pass(time.Second)
		put(t, filepath.Join(d.dir, "a.sh"), "echo mine\n")
		p.Keys("enter")
		p.Pass(time.Second)
		d.is("a.sh", "echo mine\n", 0o600)
		if p.Has("Rewound") || !p.Has("One file stays") {
			t.Errorf("nothing went back:\n%s", p.Text())
		}
		put(t, filepath.Join(d.dir, "a.sh"), "echo b\n")
		p.Type("/rewind")
		p.Pass(time.Second)
		p.Keys("enter", "down", "down", "enter")
		p.Pass(time.Second)
		d.is("a.sh", "echo a\n", 0o600)
		if !p.Has("> change the scripts") {
			t.Errorf("the conversation went, too:\n%s", p.Text())
		}
		p.Type("/rewind undo")
		p.Pass(time.Second)
		d.is("a.sh", "echo b\n", 0o600)
		p.Type("/rewind")
		p.Pass(time.Second)
		p.Keys("enter", "down", "enter")
		p.Pass(time.Second)
		d.is("a.sh", "echo b\n", 0o600)
		p.Keys("enter") // the prompt is in the field again
		turn := p.Turn()
		if o := turn.Conversation().Options; o.Session == id {
			t.Errorf("the prompt went to %+v", o)
		}
		turn.End(session.TurnCompleted)
		p.Settle()
	})
}

// The chat in lines has the same two lists.
func TestPlainRewind(t *testing.T) {
	d := onDisk(t)
	put(t, filepath.Join(d.dir, "a.sh"), "echo a\n")
	RunLines(t, Config{Dir: d.dir, Options: rewinding(d)}, func(l *Lines) {
		l.Type("/rewind")
		var turns []session.TurnID
		for _, s := range []string{"first question", "change the scripts"} {
			l.Type(s)
			turn := l.Agent.Turn(l.T)
			turns = append(turns, turn.ID)
			turn.Text("Done.")
			turn.End(session.TurnCompleted)
			l.Settle()
		}
		d.write(l.Session.ID(), turns[1], "a.sh", "echo b\n", 0o600)
		for _, line := range []string{"/rewind", "/rewind 2", "/rewind 1", "/rewind undo"} {
			l.Type(line)
			l.Settle()
		}
		d.is("a.sh", "echo b\n", 0o600)
		l.Golden("plain-rewind")
	})
}

// A turn that runs is stopped before anything goes back, with what it did to files until then, and a fork after any answer is one more choice.
func TestRewindWhileATurnRuns(t *testing.T) {
	d := onDisk(t)
	put(t, filepath.Join(d.dir, "a.sh"), "echo a\n")
	Run(t, Config{Width: 100, Height: 30, Dir: d.dir, Options: rewinding(d)}, func(p *Program) {
		talkAbout(p, "first question")
		id := p.Session.ID()
		p.Type("change the scripts")
		turn := p.Turn()
		turn.Text("I change them.")
		p.Type("and then the docs") // waits in the queue
		p.Settle()
		d.write(id, turn.ID, "a.sh", "echo b\n", 0o600)
		p.Type("/rewind")
		p.Pass(time.Second)
		d.write(id, turn.ID, "new.sh", "echo new\n", 0o600) // while the list is open
		p.Golden("rewind-running")
		p.Keys("enter")
		p.Pass(time.Second)
		if !p.Has("The turn was stopped.") || !p.Has("2 files go back") {
			t.Fatalf("it is not at rest:\n%s", p.Text())
		}
		p.Golden("rewind-stopped")
		p.Keys("enter")
		p.Pass(time.Second)
		d.is("a.sh", "echo a\n", 0o600)
		d.is("new.sh", "", 0)
		if p.Has("works") || !p.Has("> change the scripts") || p.Has("I change them.") {
			t.Errorf("not before the prompt:\n%s", p.Text())
		}
		p.Keys("ctrl+u")
		p.Type("another way")
		other := p.Turn()
		other.Text("Another way.")
		p.Type("/rewind undo") // while a turn runs in the copy
		p.Pass(time.Second)
		d.is("a.sh", "echo b\n", 0o600)
		d.is("new.sh", "echo new\n", 0o600)
		if !p.Has("I change them.") || p.Has("Another way.") {
			t.Errorf("the session as it was is not shown:\n%s", p.Text())
		}
		p.Type("/rewind")
		p.Pass(time.Second)
		p.Keys("down", "enter", "down", "down", "down", "enter")
		p.Pass(time.Second)
		if !p.Has("first question") || p.Has("I change them.") {
			t.Errorf("no copy that ends with the first answer:\n%s", p.Text())
		}
	})
}
