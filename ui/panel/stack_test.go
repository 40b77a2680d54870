package panel

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
)

// fake is a panel that records what it gets.
type fake struct {
	name  string
	log   *[]string
	reply func(tea.Msg) (Effect, Cmd)
	left  Effect
}

func (f *fake) Update(msg tea.Msg) (Effect, Cmd) {
	*f.log = append(*f.log, f.name+" "+strings.TrimPrefix(fmt.Sprintf("%T", msg), "tea."))
	if f.reply == nil {
		return nil, nil
	}
	return f.reply(msg)
}

func (f *fake) Draw(_, height int) Frame {
	return Frame{Rows: slices.Repeat([]string{f.name}, height), Y: -1}
}

func (f *fake) Close() Effect {
	*f.log = append(*f.log, f.name+" closed")
	return f.left
}

// recorder is an owner that records what it is asked.
type recorder struct {
	effects []Effect
	unused  []string
}

func (r *recorder) CarryOut(_ ID, e Effect) tea.Cmd { r.effects = append(r.effects, e); return nil }
func (r *recorder) Unused(k tea.KeyPressMsg) tea.Cmd {
	r.unused = append(r.unused, k.String())
	return nil
}

func passes(tea.Msg) (Effect, Cmd) { return Pass{}, nil }

func newTestStack(t *testing.T) (*Stack, *recorder, *[]string) {
	t.Helper()
	o, log := &recorder{}, new([]string)
	return NewStack(t.Context(), o, &fake{name: "chat", log: log}), o, log
}

// want compares what was recorded, and forgets it.
func want(t *testing.T, log *[]string, lines ...string) {
	t.Helper()
	if !slices.Equal(*log, lines) {
		t.Errorf("got %q, want %q", *log, lines)
	}
	*log = nil
}

func TestMessagesGoWhereTheyBelong(t *testing.T) {
	s, _, log := newTestStack(t)
	s.Do(0, Push{Panel: &fake{name: "a", log: log}})
	s.Do(0, Push{Panel: &fake{name: "b", log: log}})
	want(t, log, "chat panel.Covered", "a panel.Covered")
	for _, c := range []struct {
		msg  tea.Msg
		want []string
	}{
		{tea.KeyPressMsg{Code: 'x'}, []string{"b KeyPressMsg"}},
		{tea.PasteMsg{Content: "x"}, []string{"b PasteMsg"}},
		{tea.MouseWheelMsg{Button: tea.MouseWheelUp}, []string{"b MouseWheelMsg"}},
		{tea.MouseWheelMsg{Button: tea.MouseWheelLeft}, nil},
		{tea.MouseReleaseMsg{}, nil}, // it was pressed elsewhere
		{tea.MouseMotionMsg{Button: tea.MouseLeft}, nil},
		{tea.MouseClickMsg{Button: tea.MouseLeft}, []string{"b MouseClickMsg"}},
		{tea.MouseMotionMsg{Button: tea.MouseLeft}, []string{"b MouseMotionMsg"}},
		{tea.MouseReleaseMsg{}, []string{"b MouseReleaseMsg"}},
		{tea.FocusMsg{}, []string{"chat FocusMsg", "a FocusMsg", "b FocusMsg"}},
		{"news", []string{"chat string", "a string", "b string"}},
		{Reply(2, 7), []string{"a int"}},
		{Reply(9, 7), nil},
	} {
		s.Route(c.msg)
		want(t, log, c.want...)
	}
}

func TestPassedInputHasOneMeaning(t *testing.T) {
	for _, closes := range []tea.KeyPressMsg{{Code: tea.KeyEscape}, {Code: 'c', Mod: tea.ModCtrl}} {
		s, o, log := newTestStack(t)
		s.Do(0, Push{Panel: &fake{name: "a", log: log, reply: passes}})
		*log = nil
		s.Route(tea.MouseWheelMsg{Button: tea.MouseWheelDown})
		want(t, log, "a MouseWheelMsg", "a KeyPressMsg")
		s.Route(tea.PasteMsg{})
		s.Route(tea.KeyPressMsg{Code: tea.KeyF1})
		want(t, log, "a PasteMsg", "a KeyPressMsg")
		s.Route(closes)
		want(t, log, "a KeyPressMsg", "a closed", "chat panel.Uncovered")
		if !slices.Equal(o.unused, []string{"f1"}) || s.Covered() {
			t.Errorf("unused %q", o.unused)
		}
	}
}

func TestADragEndsWithItsPanel(t *testing.T) {
	s, _, log := newTestStack(t)
	s.Do(0, Push{Panel: &fake{name: "a", log: log, reply: func(tea.Msg) (Effect, Cmd) { return Pop{}, nil }}})
	*log = nil
	s.Route(tea.MouseClickMsg{})
	s.Route(tea.MouseMotionMsg{Button: tea.MouseLeft})
	s.Route(tea.MouseReleaseMsg{})
	want(t, log, "a MouseClickMsg", "a closed", "chat panel.Uncovered")
}

func TestResultsFindTheirPanel(t *testing.T) {
	s, o, log := newTestStack(t)
	var got context.Context
	cmd := s.Do(0, Push{Panel: &fake{name: "a", log: log}, Start: func(ctx context.Context) tea.Msg { got = ctx; return 1 }})
	id := s.last
	s.Do(0, Push{Panel: &fake{name: "b", log: log}})
	*log = nil
	s.Route(cmd())
	want(t, log, "a int")
	late := cmd()
	s.Do(id, Pop{}) // with what stands on it
	want(t, log, "b closed", "a closed", "chat panel.Uncovered")
	if got.Err() == nil {
		t.Error("the context outlived the panel")
	}
	s.Route(late)
	s.Route(Reply(id, Notice{Text: "stale"}))
	want(t, log)
	if len(o.effects) != 0 {
		t.Errorf("effects %v", o.effects)
	}
	// What runs for the program is carried out all the same.
	s.Route(s.Do(id, Run{func(ctx context.Context) Effect { return Notice{Text: fmt.Sprint(ctx.Err())} }})())
	if len(o.effects) != 1 || o.effects[0] != (Notice{Text: "<nil>"}) {
		t.Errorf("effects %v", o.effects)
	}
}

func TestEffectsOnTheStack(t *testing.T) {
	s, o, log := newTestStack(t)
	s.Do(0, Push{Panel: &fake{name: "a", log: log}})
	id := s.last
	*log = nil
	s.Route(s.Do(id, Start{func(context.Context) tea.Msg { return 1 }})())
	want(t, log, "a int")
	s.Do(0, Tell{"x"})
	want(t, log, "chat string", "a string")
	s.Do(0, All{Then{func() Effect { return Notice{Text: "1"} }}, nil, Pass{}, Notice{Text: "2"}})
	if len(o.effects) != 2 || o.effects[0] != (Notice{Text: "1"}) || o.effects[1] != (Notice{Text: "2"}) {
		t.Errorf("%v", o.effects)
	}
	if cmd := s.Do(99, Start{func(context.Context) tea.Msg { return 1 }}); cmd != nil {
		t.Error("a command of a closed panel is started")
	}
	if s.Drawn(); !slices.Equal(*log, []string{"a panel.Drawn"}) {
		t.Errorf("%q", *log)
	}
}

func TestCommandsEnd(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if msg := After(time.Hour, 1)(ctx); msg != nil {
		t.Errorf("a timer: %v", msg)
	}
	wait := func(ctx context.Context) tea.Msg { <-ctx.Done(); return 1 }
	cmd, stop := Stoppable(wait)
	stop()
	if msg := cmd(t.Context()); msg != 1 {
		t.Errorf("stopped: %v", msg)
	}
	if Batch(nil, nil) != nil || Batch(nil, wait) == nil {
		t.Error("a batch of nothing")
	}
	all := bound(t.Context(), 3, Batch(wait, wait))().(tea.BatchMsg)
	if len(all) != 2 {
		t.Errorf("%d commands", len(all))
	}
}

func TestAFeatureStandsOnce(t *testing.T) {
	s, _, log := newTestStack(t)
	open := func(name string) { s.Do(0, Push{Panel: &fake{name: name, log: log}, Of: name}) }
	open("a")
	open("b")
	open("a")
	if len(s.open) != 2 || s.Top().(*fake).name != "a" {
		t.Errorf("%d panels", len(s.open))
	}
	open("a")
	if s.Covered() {
		t.Error("it is not closed")
	}
}

func TestClosingLosesNothing(t *testing.T) {
	s, o, log := newTestStack(t)
	s.Do(0, Push{Panel: &fake{name: "form", log: log, left: Write{"draft"}}})
	s.Do(0, Push{Panel: &fake{name: "b", log: log}})
	s.Do(0, Clear{})
	if s.Covered() || len(o.effects) != 1 || o.effects[0] != (Write{"draft"}) {
		t.Errorf("effects %v", o.effects)
	}
	s.Do(0, Push{Panel: &fake{name: "form", log: log, left: Write{"last"}}})
	if left := s.Close(); len(left) != 1 || left[0] != (Write{"last"}) {
		t.Errorf("left %v", left)
	}
}

func TestOnlyTheTopPanelNeedsAFrame(t *testing.T) {
	s, _, log := newTestStack(t)
	s.Do(0, Push{Panel: &fake{name: "a", log: log, reply: passes}})
	s.Changed()
	if s.Route("news"); s.Changed() {
		t.Error("a frame for the chat below")
	}
	s.Back()
	if !s.Changed() || s.Changed() {
		t.Error("no frame, or two, for a panel that was closed")
	}
}

// A command of a component that starts several comes back to the panel that adopted it, each on its own.
func TestAdopt(t *testing.T) {
	if Adopt(nil) != nil {
		t.Error("nothing becomes a command")
	}
	say := func(s string) tea.Cmd { return func() tea.Msg { return s } }
	msg := bound(t.Context(), Bottom, Adopt(tea.Batch(say("one"), say("two"))))()
	several, is := msg.(tea.BatchMsg)
	if !is || len(several) != 2 {
		t.Fatalf("%#v", msg)
	}
	for i, want := range []string{"one", "two"} {
		if got := several[i](); got != (result{Bottom, want}) {
			t.Errorf("%#v", got)
		}
	}
}
