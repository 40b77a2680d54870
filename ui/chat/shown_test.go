package chat

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/session/live"
	"parley/session/sessiontest"
	"parley/ui/attention"
	"parley/ui/clipboard"
	"parley/ui/core"
	"parley/ui/keymap"
	"parley/ui/list"
	"parley/ui/md"
	"parley/ui/notice"
	"parley/ui/panel"
	"parley/ui/style"
)

// shown is a chat on a stack, as the screen holds it.
type shown struct {
	*Model
	stack *panel.Stack
	start []tea.Cmd
}

// CarryOut carries out an effect.
func (s *shown) CarryOut(_ panel.ID, e panel.Effect) tea.Cmd {
	if n, is := e.(panel.Notice); is {
		s.notices.Add(n.Text, n.Warn)
		return nil
	}
	return s.stack.Do(panel.Bottom, panel.Start{Cmd: s.Model.CarryOut(e)})
}

// Unused handles a key that a panel passed.
func (s *shown) Unused(k tea.KeyPressMsg) tea.Cmd {
	s.Model.Unused(k)
	return nil
}

// send handles a message and returns what it started.
func (s *shown) send(msg tea.Msg) tea.Cmd {
	s.start = append(s.start, s.stack.Route(msg), s.stack.Do(panel.Bottom, panel.Start{Cmd: s.Settle()}))
	cmd := tea.Batch(s.start...)
	s.start = nil
	return cmd
}

// frame makes a frame.
func (s *shown) frame() panel.Frame { return s.Draw(s.look.Width, s.look.Height) }

// resize sets the size of the window.
func (s *shown) resize(w, h int) { s.look.Width, s.look.Height = w, h }

// noClipboard is a clipboard with nothing on it.
type noClipboard struct{}

func (noClipboard) Copy(context.Context, string) clipboard.Result { return clipboard.Result{} }
func (noClipboard) ReadImage(context.Context) ([]byte, error)     { return nil, errors.New("no image") }

// shows reports whether the top panel is a list of a kind.
func shows[L list.Source](s *shown) bool {
	p, is := s.stack.Top().(*list.Panel)
	if !is {
		return false
	}
	_, is = p.Source.(L)
	return is
}

// longChat shows a conversation of so many turns, each a prompt, a tool row and an answer, and lets the last answer stream.
// stream appends to that answer.
func longChat(tb testing.TB, turns int) (s *shown, stream func(text string)) {
	tb.Helper()
	mgr := sessiontest.NewWorld().Manager()
	of, err := mgr.Draft(live.DraftOptions{Dir: "/project"})
	if err != nil {
		tb.Fatal(err)
	}
	keys, err := keymap.New(nil)
	if err != nil {
		tb.Fatal(err)
	}
	_, dark, words, err := style.ParseTheme("")
	if err != nil {
		tb.Fatal(err)
	}
	var out bytes.Buffer
	o := &Options{Options: core.Options{Manager: mgr, Session: of, Agent: "builtin", Dir: "/project", Input: &out, Output: &out}.Filled()}
	o.Clipboard = noClipboard{}
	look := &style.Look{Theme: style.NewTheme(dark, true, words), Now: o.Now, Width: 120, Height: 40, Highlighter: md.NewHighlighter(o.Now), Groups: true}
	s = &shown{}
	s.Model = New(o, Screen{Context: tb.Context(), Keys: keys, Look: look, Watch: &attention.Watch{Now: o.Now}, Notices: notice.New(o.Now),
		Do:     func(e panel.Effect) { s.start = append(s.start, s.stack.Do(panel.Bottom, e)) },
		Tell:   func(msg tea.Msg) { s.start = append(s.start, s.stack.Tell(msg)) },
		Frames: func() (newest, shown int) { return 0, 0 },
		Pump:   func(*core.Inbox, tea.Msg) {}})
	s.stack = panel.NewStack(tb.Context(), s, s.Model)
	s.sessions.attach(of, "")
	s.conv.Apply(sessiontest.Turns(of.ID(), turns, true))
	s.frame()
	last := session.PartID(fmt.Sprint("p", turns-1))
	h := session.Head{Session: of.ID(), Turn: session.TurnID(fmt.Sprint("t", turns-1)), At: time.Now()}
	return s, func(text string) {
		s.conv.Apply([]session.Event{session.PartDelta{Head: h, Part: last, Text: text}})
	}
}
