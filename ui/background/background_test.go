package background

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"parley/session"
	"parley/ui/keymap"
	"parley/ui/panel"
	"parley/ui/panel/paneltest"
	"parley/ui/style"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// controls is a session that records what it is asked for.
type controls struct {
	session.WorkControls
	mu    sync.Mutex
	asked []string
	// began and ended are closed when the output of the command is read, and when that ends.
	began, ended chan struct{}
}

func (c *controls) Controls() session.WorkControls { return c.WorkControls }

func (c *controls) ask(what string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.asked = append(c.asked, what)
	return nil
}

func (c *controls) StopCall(_ context.Context, call session.CallID) error {
	return c.ask("stop " + string(call))
}

func (c *controls) ToBackground(_ context.Context, call session.CallID) error {
	return c.ask("background " + string(call))
}

func (c *controls) SteerChild(_ context.Context, child session.ChildID, p session.Prompt) error {
	return c.ask("steer " + string(child) + " " + p.Text)
}

func (c *controls) ResumeChild(_ context.Context, child session.ChildID, p session.Prompt) error {
	return c.ask("resume " + string(child) + " " + p.Text)
}

func (c *controls) Follow(ctx context.Context, call session.CallID) {
	if call == "c" {
		close(c.began)
		context.AfterFunc(ctx, func() { close(c.ended) })
	}
}

// open returns a panel on a command and a subagent in the background.
func open(t *testing.T, can session.WorkControls) (*paneltest.Screen, *controls) {
	t.Helper()
	keys, err := keymap.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	now := time.Unix(1000, 0)
	h := session.Head{Turn: "t", At: now}
	tr := session.Fold([]session.Event{
		session.TurnStarted{Head: h, Prompt: session.Prompt{ID: "t"}},
		session.ToolStarted{Head: h, Call: "c", Name: "Bash"}, session.ToolReady{Head: h, Call: "c", Input: []byte(`{"command":"make"}`)},
		session.ToolEnded{Head: h, Call: "c", Outcome: session.ToolOK, Result: session.ToolResult{Background: true}},
		session.ToolStarted{Head: h, Call: "d", Name: "Task"}, session.ToolReady{Head: h, Call: "d"},
		session.ChildStarted{Head: h, ID: "k", Call: "d", Name: "explore", Background: true},
		session.ToolEnded{Head: h, Call: "d", Outcome: session.ToolOK, Result: session.ToolResult{Background: true}},
		session.TurnEnded{Head: h, Outcome: session.TurnCompleted},
	})
	s := &controls{WorkControls: can, began: make(chan struct{}), ended: make(chan struct{})}
	look := &style.Look{Theme: style.NewTheme(true, true, nil), Now: func() time.Time { return now }, Width: 80, Height: 24}
	push, is := Run(Options{Look: look, Keys: keys, Session: s, Transcript: func() *session.Transcript { return tr }}).(panel.Push)
	if !is {
		t.Fatal("it is not opened")
	}
	return paneltest.Open(t, push), s
}

func TestNothingToShow(t *testing.T) {
	o := Options{Session: &controls{}, Transcript: func() *session.Transcript { return &session.Transcript{} }}
	if _, is := Run(o).(panel.Notice); !is {
		t.Error("an empty panel is opened")
	}
	if _, is := Send(nil, o.Transcript(), "").(panel.Notice); !is {
		t.Error("nothing is sent to the background, and nothing is said")
	}
}

// A command is stopped by one key; a subagent, whose work would be lost, needs it twice.
func TestStopping(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, s := open(t, session.WorkControls{Stop: true})
		if rows := p.Rows(80, 24); !strings.Contains(rows, "2 running") || !strings.Contains(rows, "make") || !strings.Contains(rows, "explore") {
			t.Errorf("it shows\n%s", rows)
		}
		p.Until(s.began)
		p.Keys("x", "down")
		p.Rows(80, 24)
		p.Until(s.ended) // another is selected
		p.Keys("x")
		if rows := p.Rows(80, 24); !strings.Contains(rows, "x to stop it") {
			t.Errorf("it does not ask:\n%s", rows)
		}
		p.Keys("esc", "x", "x", "esc")
		if p.IsOpen() {
			t.Error("it is open")
		}
		p.Wait()
		if slices.Sort(s.asked); !slices.Equal(s.asked, []string{"stop c", "stop d"}) {
			t.Errorf("asked %q", s.asked)
		}
	})
}

func TestWhatKeysAskFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, s := open(t, session.WorkControls{SteerChild: true})
		p.Rows(80, 24)
		p.Keys("down", "m", "h", "i", "enter", "y", "enter")
		if p.IsOpen() {
			t.Error("it covers the subagent that is looked into")
		}
		p.Wait()
		if !slices.Equal(s.asked, []string{"steer k hi"}) {
			t.Errorf("asked %q", s.asked)
		}
		var got []string
		for _, e := range p.Effects {
			switch e := e.(type) {
			case panel.OpenChild:
				got = append(got, "open "+string(e.ID))
			case panel.Copy:
				got = append(got, "copy "+e.What)
			}
		}
		if !slices.Equal(got, []string{"copy the output", "open k"}) {
			t.Errorf("%q", got)
		}
	})
}

func TestLeaving(t *testing.T) {
	look := &style.Look{}
	if got := Leaving(look, &session.Transcript{}, ""); got != "" {
		t.Error(got)
	}
}
