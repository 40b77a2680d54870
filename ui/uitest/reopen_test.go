package uitest

import (
	"strings"
	"testing"
	"time"

	"parley/session"
	"parley/ui"
	"parley/ui/core"
)

// The sessions that were open when parley was killed are offered at the next start in their directory, and opened or left with one key.
// Leaving parley with nothing to do offers nothing.
func TestReopen(t *testing.T) {
	drafts := &memoryDrafts{}
	with := func(o *ui.Options) { o.Drafts = drafts }
	open := func() string { return strings.ReplaceAll(drafts.get("open:"+Dir), "\n", " ") }
	c := Config{Width: 100, Height: 30, Options: with}
	Run(t, c, func(p *Program) {
		c.World = p.World
		p.Type("mend the retries")
		p.Turn().Text("I begin.")
		p.Settle()
		p.Type("/new")
		p.Settle()
		p.Type("write the docs")
		second := p.Turn()
		second.Text("The docs.")
		second.End(session.TurnCompleted)
		p.Send("half a thought")
		p.Pass(time.Second)
		if len(strings.Fields(open())) != 2 {
			t.Fatalf("open are %q", open())
		}
	})
	was := open()
	c.World = c.World.AfterCrash()
	Run(t, c, func(p *Program) {
		p.Pass(time.Second)
		if !p.Has("2 sessions were open here: enter opens them, esc leaves them") {
			t.Fatalf("nothing is offered:\n%s", p.Text())
		}
		p.Golden("reopen-offered")
		p.Keys("enter")
		p.Pass(time.Second)
		p.Golden("reopen-opened")
		if !p.Has("The docs.") || !p.Has("half a thought") || !p.Has("2 mend the retries") {
			t.Errorf("not what was open:\n%s", p.Text())
		}
		if open() != was {
			t.Errorf("open are %q, were %q", open(), was)
		}
		p.Keys("ctrl+u", "alt+2")
		p.Pass(time.Second)
		if !p.Has("I begin.") {
			t.Errorf("the other one is not shown:\n%s", p.Text())
		}
		p.Keys("ctrl+d")
		if r := p.Left(); r.Reason != core.LeftQuit {
			t.Fatalf("left with %+v", r)
		}
	})
	if open() != "" {
		t.Errorf("after leaving with idle sessions %q are offered", open())
	}
}

// What leaving stopped is offered, what has no answer goes on being offered, and esc is one.
func TestReopenLeft(t *testing.T) {
	drafts := &memoryDrafts{}
	c := Config{Width: 80, Height: 24, Options: func(o *ui.Options) { o.Drafts = drafts }}
	Run(t, c, func(p *Program) {
		c.World = p.World
		p.Type("mend the retries")
		p.Turn().Text("I begin.")
		p.Settle()
		p.Keys("ctrl+d")
		if r := p.Left(); r.Reason != core.LeftQuit {
			t.Fatalf("left with %+v", r)
		}
	})
	offer := "1 session was open here: enter opens it, esc leaves it"
	for range 2 {
		c.World = c.World.AfterCrash()
		Run(t, c, func(p *Program) {
			p.Pass(time.Second)
			if !p.Has(offer) {
				t.Fatalf("nothing is offered:\n%s", p.Text())
			}
			p.Keys("ctrl+d")
			if r := p.Left(); r.Reason != core.LeftQuit {
				t.Fatalf("left with %+v", r)
			}
		})
	}
	c.World = c.World.AfterCrash()
	Run(t, c, func(p *Program) {
		p.Pass(time.Second)
		p.Keys("esc")
		p.Pass(time.Second)
		if p.Has(offer) || drafts.get("open:"+Dir) != "" {
			t.Errorf("it is still offered:\n%s", p.Text())
		}
	})
	drafts.texts["open:"+Dir] = "id-1\n\x1b[2J ../../etc/passwd"
	c.World = c.World.AfterCrash()
	c.Options = func(o *ui.Options) { o.Drafts, o.Appearance.Inline = drafts, true }
	Run(t, c, func(p *Program) {
		p.Pass(time.Second)
		if !p.Has("3 sessions were open here · /tabs opens them") {
			t.Fatalf("nothing is offered:\n%s", p.Text())
		}
		p.Type("/tabs")
		p.Pass(time.Second)
		if !p.Has("I begin.") {
			t.Errorf("not opened:\n%s", p.Text())
		}
	})
}

// slowDrafts are drafts whose stored offer is read only when it is let go.
type slowDrafts struct {
	memoryDrafts
	read chan struct{}
}

func (d *slowDrafts) Load(key string) (string, error) {
	if strings.HasPrefix(key, "open:") {
		<-d.read
	}
	return d.memoryDrafts.Load(key)
}

// in lets a program have the drafts, within its time.
func (d *slowDrafts) in(o *ui.Options) { d.read, o.Drafts = make(chan struct{}), d }

// TestPromptBeforeTheOffer sends a prompt before what was open here is read: it is offered all the same, and stays stored with the new one.
func TestPromptBeforeTheOffer(t *testing.T) {
	const key = "open:" + Dir
	for name, run := range map[string]func(d *slowDrafts, check func(text string)){
		"lines": func(d *slowDrafts, check func(string)) {
			RunLines(t, Config{Options: d.in}, func(l *Lines) {
				l.Type("at once")
				l.Agent.Turn(l.T).End(session.TurnCompleted)
				l.Settle()
				close(d.read)
				l.Settle()
				check(l.Said())
			})
		},
		"screen": func(d *slowDrafts, check func(string)) {
			Run(t, Config{Width: 80, Height: 24, Options: d.in}, func(p *Program) {
				p.Type("at once")
				p.Turn().End(session.TurnCompleted)
				p.Pass(time.Second)
				close(d.read)
				p.Pass(time.Second)
				check(p.Text())
			})
		},
	} {
		t.Run(name, func(t *testing.T) {
			d := &slowDrafts{}
			d.texts = map[string]string{key: "one\ntwo"}
			run(d, func(text string) {
				stored, _ := d.memoryDrafts.Load(key)
				if !strings.Contains(text, "2 sessions were open here") || len(strings.Fields(stored)) != 3 || !strings.HasSuffix(stored, "\none\ntwo") {
					t.Errorf("stored is %q:\n%s", stored, text)
				}
			})
		})
	}
}
