package transcript

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/ui/keymap"
	"parley/ui/style"
)

// longConversation returns a conversation of so many turns, each a prompt, a tool row and an answer, of which the last is
// open. stream appends to it.
func longConversation(tb testing.TB, turns int) (m *Model, stream func(text string)) {
	tb.Helper()
	keys, err := keymap.New(nil)
	if err != nil {
		tb.Fatal(err)
	}
	look := &style.Look{Theme: style.NewTheme(true, true, nil), Width: 120, Height: 40, Now: time.Now, Dir: "/repo"}
	m = New(look, Options{Keys: keys, Mouse: true})
	m.Show("", longEvents(turns))
	frame(m)
	last := session.PartID(fmt.Sprint("p", turns-1))
	h := session.Head{Turn: session.TurnID(fmt.Sprint("t", turns-1))}
	return m, func(text string) { m.Apply([]session.Event{session.PartDelta{Head: h, Part: last, Text: text}}) }
}

// longEvents returns the events of so many turns, of which the last is open.
func longEvents(turns int) (events []session.Event) {
	for i := range turns {
		h := session.Head{Turn: session.TurnID(fmt.Sprint("t", i))}
		part, call := session.PartID(fmt.Sprint("p", i)), session.CallID(fmt.Sprint("c", i))
		events = append(events, session.TurnStarted{Head: h, Prompt: session.Prompt{Text: fmt.Sprint("question ", i)}},
			session.ToolStarted{Head: h, Call: call, Name: "Read"}, session.ToolReady{Head: h, Call: call, Input: []byte(`{"file_path":"/repo/a.go"}`)},
			session.ToolEnded{Head: h, Call: call, Outcome: session.ToolOK, Result: session.ToolResult{Text: "a\nb\n"}},
			session.PartStarted{Head: h, Part: part, Kind: session.PartText},
			session.PartDelta{Head: h, Part: part, Text: strings.Repeat("Some words of an answer with `code` in them. ", 6)})
		if i < turns-1 {
			events = append(events, session.PartEnded{Head: h, Part: part}, session.TurnEnded{Head: h, Outcome: session.TurnCompleted})
		}
	}
	return events
}

// TestFoldedInPiecesIsTheSame compares a conversation that was folded in pieces of several sizes with one that was shown at once,
// also in what comes after.
func TestFoldedInPiecesIsTheSame(t *testing.T) {
	const turns = 30
	events := longEvents(turns)
	whole, stream := longConversation(t, turns)
	stream("and more")
	want := frame(whole)
	for _, size := range []int{1, 7, 100, len(events), 1 << 20} {
		m, _ := longConversation(t, 3)
		a, pieces := m.Ahead(""), 1
		for a.Fold(events, size) {
			pieces++
		}
		if most := max(1, (len(events)+size-1)/size); pieces != most {
			t.Errorf("%d events in pieces of %d took %d", len(events), size, pieces)
		}
		m.Show("", nil)
		m.ShowAhead(a)
		last := fmt.Sprint(turns - 1)
		m.Apply([]session.Event{session.PartDelta{Head: session.Head{Turn: session.TurnID("t" + last)}, Part: session.PartID("p" + last), Text: "and more"}})
		if got := frame(m); !slices.Equal(got, want) {
			t.Errorf("pieces of %d:\n%s\nwant\n%s", size, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
}

// frame returns the rows of a window with room for 33.
func frame(m *Model) []string {
	m.SetSize(33)
	return m.Rows()
}

const paragraph = "The quick brown fox jumps over the lazy dog, and **then** it rests. "

// TestParsedBytes checks that the bytes parsed for a delta do not grow with the answer.
func TestParsedBytes(t *testing.T) {
	m, stream := longConversation(t, 2)
	part := m.win.feed.list[len(m.win.feed.list)-1].(*partItem)
	grow := func(paragraphs int) int64 {
		for range paragraphs {
			stream(paragraph + "\n\n")
			frame(m)
		}
		before := part.doc.doc.Stats().Parsed
		for range 20 {
			stream("word ")
			frame(m)
		}
		return int64(part.doc.doc.Stats().Parsed - before)
	}
	few, many := grow(5), grow(1000)
	if many > few*2+1000 {
		t.Errorf("20 deltas parse %d bytes at the beginning of an answer and %d at its end", few, many)
	}
}

// TestPagingKeepsFewLayouts pages through a conversation: answers drop their layouts with their rows, and lay out the same
// rows again.
func TestPagingKeepsFewLayouts(t *testing.T) {
	m, _ := longConversation(t, 1200)
	last := strings.Join(frame(m), "\n")
	laidOut := func() (n int) {
		for _, it := range m.win.feed.list {
			if p, ok := it.(*partItem); ok && p.doc != nil {
				n++
			}
		}
		return n
	}
	for range 1000 {
		m.Act(keymap.PageUp)
		frame(m)
	}
	if item, row, ok := m.win.feed.rows.ItemAt(0); !ok || item != 0 || row > 0 {
		t.Fatalf("the first row is row %d of item %d", row, item)
	}
	if n := laidOut(); n > keptLayouts {
		t.Errorf("%d answers keep their layouts", n)
	}
	m.Act(keymap.Bottom)
	if now := strings.Join(frame(m), "\n"); now != last {
		t.Errorf("the end was\n%s\nand is\n%s", last, now)
	}
}

// TestSelectingCostsWhatStreams selects in a long answer that streams: each frame traces only the rows that changed.
func TestSelectingCostsWhatStreams(t *testing.T) {
	m, stream := longConversation(t, 3)
	for range 300 {
		stream("\n\n" + paragraph)
	}
	frame(m)
	m.Update(tea.MouseClickMsg{X: 4, Y: 30, Button: tea.MouseLeft})
	m.Update(tea.MouseMotionMsg{X: 40, Y: 33, Button: tea.MouseLeft})
	frame(m)
	if m.win.on().sel.Empty() {
		t.Fatal("nothing is selected")
	}
	doc := m.win.feed.list[len(m.win.feed.list)-1].(*partItem).doc
	rows, bytes := doc.traces, doc.doc.Stats().Traced
	if rows < 300 {
		t.Fatalf("%d rows were told at first", rows)
	}
	const frames = 20
	for range frames {
		stream("\n\n" + paragraph)
		frame(m)
	}
	if n := doc.traces - rows; n > frames*8 {
		t.Errorf("%d rows were told in %d frames, each of which brought two", n, frames)
	}
	if n := doc.doc.Stats().Traced - bytes; n > frames*4*len(paragraph) {
		t.Errorf("%d bytes were gone through for %d frames of %d", n, frames, len(paragraph))
	}
	m.Update(tea.MouseReleaseMsg{X: 40, Y: 33, Button: tea.MouseLeft})
	if text := m.win.on().sel.Text(); !strings.Contains(text, "quick brown fox") {
		t.Errorf("selected is %q", text)
	}
}

// BenchmarkFind measures a key of the search, and a step of it, in a long conversation.
func BenchmarkFind(b *testing.B) {
	m, _ := longConversation(b, 3400)
	m.Find()
	b.Run("key", func(b *testing.B) {
		for b.Loop() {
			m.Update(tea.KeyPressMsg{Code: 'e', Text: "e"})
			m.finding.input.Set("")
		}
	})
	b.Run("step", func(b *testing.B) {
		for b.Loop() {
			m.finding.stepping = false
			m.finding.finder.SetQuery("")
			m.finding.finder.SetQuery("e")
			m.finding.step()
		}
	})
	b.Run("frame", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			frame(m)
		}
	})
}
