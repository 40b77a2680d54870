package ui

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/colorprofile"

	"parley/internal/repeat"
	"parley/session"
	"parley/session/live"
	"parley/session/sessiontest"
	"parley/ui/chat"
	"parley/ui/paint"
)

// longChat makes a model that shows a conversation of so many turns, each a prompt, a tool row and an answer, and lets the
// last answer stream. stream appends to that answer.
func longChat(tb testing.TB, turns int) (m *Model, stream func(text string)) {
	tb.Helper()
	w := sessiontest.NewWorld()
	mgr := w.Manager()
	s, err := mgr.Draft(live.DraftOptions{Dir: "/project"})
	if err != nil {
		tb.Fatal(err)
	}
	var out bytes.Buffer
	o := Options{Options: chat.Options{Manager: mgr, Session: s, Agent: "builtin", Dir: "/project", Input: &out, Output: &out,
		Env: []string{"TERM=xterm-256color"}}, Width: 120, Height: 40, Profile: colorprofile.TrueColor, Quiet: true}.fill()
	m = newModel(tb.Context(), o, paint.New(paint.Options{Out: &out, Env: o.Env, Width: 120, Height: 40, Quiet: true}))
	m.sessions.attach(s, "")
	m.conv.Apply(pastOf(s.ID(), turns, true))
	m.view.frame()
	last := session.PartID(fmt.Sprint("p", turns-1))
	h := session.Head{Session: s.ID(), Turn: session.TurnID(fmt.Sprint("t", turns-1)), At: time.Now()}
	return m, func(text string) {
		m.conv.Apply([]session.Event{session.PartDelta{Head: h, Part: last, Text: text}})
	}
}

// pastOf are the events of so many turns, each a prompt, a tool row and an answer. The last answer may be open.
func pastOf(id session.ID, turns int, open bool) (events []session.Event) {
	now := time.Now()
	for i := range turns {
		h := session.Head{Session: id, Turn: session.TurnID(fmt.Sprint("t", i)), At: now}
		part, call := session.PartID(fmt.Sprint("p", i)), session.CallID(fmt.Sprint("c", i))
		events = append(events, session.TurnStarted{Head: h, Prompt: session.Prompt{Text: fmt.Sprint("question ", i)}},
			session.ToolStarted{Head: h, Call: call, Name: "Read"}, session.ToolReady{Head: h, Call: call, Input: []byte(`{"file_path":"/repo/a.go"}`)},
			session.ToolEnded{Head: h, Call: call, Outcome: session.ToolOK, Result: session.ToolResult{Text: "a\nb\n"}},
			session.PartStarted{Head: h, Part: part, Kind: session.PartText},
			session.PartDelta{Head: h, Part: part, Text: strings.Repeat("Some words of an answer with `code` in them. ", 6)})
		if i < turns-1 || !open {
			events = append(events, session.PartEnded{Head: h, Part: part}, session.TurnEnded{Head: h, Outcome: session.TurnCompleted})
		}
	}
	return events
}

const paragraph = "The quick brown fox jumps over the lazy dog, and **then** it rests. "

// TestFrameBudget holds a frame over a long conversation to its counters: what is laid out does not depend on how much
// there is, and hardly anything is allocated.
func TestFrameBudget(t *testing.T) {
	for _, turns := range []int{10, 100, repeat.Times(1000, 3340, 33_400)} {
		m, stream := longChat(t, turns)
		visible := 40
		before := m.screen.look.Layouts
		if allocs := testing.AllocsPerRun(50, func() { m.view.frame() }); allocs > 50 {
			t.Errorf("%d turns: a frame in which nothing changed allocates %v times", turns, allocs)
		}
		if n := m.screen.look.Layouts - before; n != 0 {
			t.Errorf("%d turns: frames in which nothing changed laid out %d items", turns, n)
		}
		for range 400 { // an answer of some 30 KB
			stream(paragraph + "\n\n")
			m.view.frame()
		}
		before = m.screen.look.Layouts
		allocs := testing.AllocsPerRun(100, func() { stream("word "); m.view.frame() })
		if allocs > 100 {
			t.Errorf("%d turns: a frame while text streams allocates %v times", turns, allocs)
		}
		if n := m.screen.look.Layouts - before; n > 101+visible {
			t.Errorf("%d turns: 101 frames while text streams laid out %d items", turns, n)
		}
	}
}

func BenchmarkFrame(b *testing.B) {
	m, stream := longChat(b, 3400)
	for range 200 {
		stream(paragraph + "\n\n")
	}
	m.view.frame()
	b.Run("idle", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			m.view.frame()
		}
	})
	b.Run("streaming", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			stream("word ")
			m.view.frame()
		}
	})
	b.Run("resize", func(b *testing.B) {
		b.ReportAllocs()
		w := 0
		for b.Loop() {
			w++
			m.resize(80+w%40, 40)
			m.view.frame()
		}
	})
}

// BenchmarkAttach folds a long conversation and shows its end, as resuming does.
func BenchmarkAttach(b *testing.B) {
	for b.Loop() {
		longChat(b, 3400)
	}
}
