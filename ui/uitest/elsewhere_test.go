package uitest

import (
	"context"
	"strings"
	"testing"
	"time"

	"parley/session"
	"parley/session/live"
	"parley/session/sessiontest"
	"parley/ui"
)

// elsewhere returns the configuration of a chat with a session in which a call runs in another window, and that window's journal.
func elsewhere(t *testing.T) (Config, func() session.Journal) {
	w := sessiontest.NewWorld()
	var other session.Journal
	var manager *live.Manager
	forks := func(o *ui.Options) {
		managerOf(o).Forks = func(ctx context.Context, id session.ID, upTo session.TurnID) (*live.Session, error) {
			return manager.Fork(ctx, id, upTo)
		}
	}
	return Config{World: w, Options: forks, Session: func(m *live.Manager) *live.Session {
		manager = m
		h := session.Head{Session: "s", Turn: "0", Gen: 1, At: time.Now()}
		before := []session.Event{session.TurnStarted{Head: h, Prompt: session.Prompt{ID: "0", Text: "hello"}},
			session.PartReplaced{Head: h, Part: "p", Kind: session.PartText, Text: "Good day."}, session.TurnEnded{Head: h, Outcome: session.TurnCompleted}}
		h.Turn = "a"
		w.Journals.Put(session.Meta{ID: "s", Agent: "builtin", Dir: Dir}, append(before,
			session.TurnStarted{Head: h, Prompt: session.Prompt{ID: "a", Text: "vet it"}},
			session.ToolStarted{Head: h, Call: "c", Name: "Bash"}, session.ToolReady{Head: h, Call: "c", Input: []byte(`{"command":"go vet ./x"}`)})...)
		var err error
		if other, _, _, err = w.Journals.Open(context.Background(), "s"); err != nil {
			t.Fatal(err)
		}
		s, err := m.Resume(context.Background(), "s")
		if err != nil {
			t.Fatal(err)
		}
		return s
	}}, func() session.Journal { return other }
}

// release ends the other window.
func release(t *testing.T, other session.Journal) {
	if err := other.Close(); err != nil {
		t.Error(err)
	}
}

// TestSessionOfAnotherWindow says at once that another window has the session, and enter continues in a copy.
func TestSessionOfAnotherWindow(t *testing.T) {
	c, other := elsewhere(t)
	Run(t, c, func(p *Program) {
		defer release(t, other())
		p.Golden("elsewhere")
		p.Keys("enter")
		p.Settle()
		if p.Has("another window (pid") || !p.Has("Continued in a copy") {
			t.Errorf("not in a copy:\n%s", p.Text())
		}
		p.Type("go on")
		turn := p.Turn()
		turn.End(session.TurnCompleted)
		p.Settle()
		if n := len(p.World.Journals.Stored("s")); n != 6 {
			t.Errorf("%d events are stored in the session of the other window", n)
		}
	})
}

// TestPromptForTheSessionOfAnotherWindow goes into a copy.
func TestPromptForTheSessionOfAnotherWindow(t *testing.T) {
	c, other := elsewhere(t)
	Run(t, c, func(p *Program) {
		defer release(t, other())
		p.Type("and then?")
		turn := p.Turn()
		if turn.Prompt.Text != "and then?" {
			t.Errorf("sent %q", turn.Prompt.Text)
		}
		turn.Text("Then that.")
		turn.End(session.TurnCompleted)
		p.Settle()
		if !p.Has("Then that.") || p.Has("Another process") || p.Has("another window (pid") {
			t.Errorf("not in a copy:\n%s", p.Text())
		}
	})
}

// TestOtherWindowCloses looks at a session whose window is closed meanwhile: it goes on here, and its call does not run any more.
func TestOtherWindowCloses(t *testing.T) {
	c, other := elsewhere(t)
	Run(t, c, func(p *Program) {
		release(t, other())
		p.Pass(3 * time.Second)
		if p.Has("another window (pid") || !p.Has("stopped") || !p.Has("Stopped") || !p.Has("It goes on here") {
			t.Errorf("it says that it is open in another window, or that something runs:\n%s", p.Text())
		}
		p.Type("go on")
		turn := p.Turn()
		turn.End(session.TurnCompleted)
		p.Settle()
		if id := p.Session.ID(); id != "s" || len(p.World.Journals.Stored("s")) < 8 {
			t.Errorf("it went on in %s", id)
		}
	})
}

// TestSessionOfAnotherWindowInLines says so at the start, and sends prompts into a copy.
func TestSessionOfAnotherWindowInLines(t *testing.T) {
	c, other := elsewhere(t)
	RunLines(t, c, func(l *Lines) {
		defer release(t, other())
		l.Settle()
		if said := l.News(); !strings.Contains(said, "open in another window (pid 4711)") {
			t.Errorf("it was said:\n%s", said)
		}
		l.Type("and then?")
		turn := l.Agent.Turn(l.T)
		if turn.Prompt.Text != "and then?" {
			t.Errorf("sent %q", turn.Prompt.Text)
		}
		turn.End(session.TurnCompleted)
		l.Settle()
		if said := l.News(); !strings.Contains(said, "Continued in a copy") {
			t.Errorf("it was said:\n%s", said)
		}
	})
}
