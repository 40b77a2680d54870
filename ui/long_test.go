package ui

import (
	"context"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/ui/style"
)

// keysOf are keys as the keyboard sends them.
var keysOf = map[string]tea.KeyPressMsg{
	"pgup": {Code: tea.KeyPgUp}, "pgdown": {Code: tea.KeyPgDown}, "ctrl+home": {Code: tea.KeyHome, Mod: tea.ModCtrl},
	"ctrl+end": {Code: tea.KeyEnd, Mod: tea.ModCtrl}, "alt+up": {Code: tea.KeyUp, Mod: tea.ModAlt}, "alt+down": {Code: tea.KeyDown, Mod: tea.ModAlt},
	"tab": {Code: tea.KeyTab}, "ctrl+up": {Code: tea.KeyUp, Mod: tea.ModCtrl}, "esc": {Code: tea.KeyEscape},
	"alt+s": {Code: 's', Mod: tea.ModAlt}, "alt+w": {Code: 'w', Mod: tea.ModAlt}, "ctrl+f": {Code: 'f', Mod: tea.ModCtrl},
}

// TestAHundredThousandItems does with a hundred thousand items what is done with thirty, and holds both to the same
// count of layouts: what can be seen, once or twice over.
func TestAHundredThousandItems(t *testing.T) {
	const seen = 40
	for _, turns := range []int{10, 33_400} {
		m, _ := longChat(t, turns)
		m.feed.apply([]session.Event{session.TurnEnded{Head: session.Head{Session: m.session.ID(), Turn: m.feed.t.Turns[turns-1].ID},
			Outcome: session.TurnCompleted}})
		opened := m.look.Layouts
		if opened > 3*seen {
			t.Errorf("%d turns: opening laid out %d items", turns, opened)
		}
		does := func(name string, f func()) {
			before := m.look.Layouts
			f()
			m.frame()
			if n := m.look.Layouts - before; n > 3*seen {
				t.Errorf("%d turns: %s laid out %d items", turns, name, n)
			}
		}
		for _, k := range []string{"ctrl+home", "pgdown", "alt+down", "pgup", "ctrl+end", "alt+up", "alt+up", "pgup", "tab", "ctrl+up", "tab",
			"alt+s", "esc", "alt+w", "ctrl+f", "esc"} {
			does(k, func() { m.Update(keysOf[k]) })
		}
		does("the wheel", func() { m.Update(tea.MouseWheelMsg{Button: tea.MouseWheelUp}) })
		does("a drag", func() {
			m.Update(tea.MouseClickMsg{X: 4, Y: 6, Button: tea.MouseLeft})
			m.Update(tea.MouseMotionMsg{X: 40, Y: 20, Button: tea.MouseLeft})
			m.frame()
			m.Update(tea.MouseReleaseMsg{X: 40, Y: 20, Button: tea.MouseLeft})
		})
		does("a resize", func() { m.resize(100, 30) })
		does("a search", func() {
			m.Update(keysOf["ctrl+f"])
			for _, c := range "answer" {
				m.Update(tea.KeyPressMsg{Code: c, Text: string(c)})
			}
			for range 50_000 {
				if _, all := m.finding.finder.Count(); all {
					break
				}
				m.Update(findMsg{})
			}
		})
		const each = 6 // in every answer
		if n, _ := m.finding.finder.Count(); n != each*turns {
			t.Errorf("%d turns: found %d", turns, n)
		}
		if row, _ := m.findBar(100); !strings.Contains(style.Unstyled(row), " of "+style.Group(each*turns)+" ") {
			t.Errorf("%d turns: it says %q", turns, style.Unstyled(row))
		}
	}
}

// TestPagingKeepsFewLayouts pages through a conversation: what answers keep for their rows is given up with the rows, and
// comes again as it was.
func TestPagingKeepsFewLayouts(t *testing.T) {
	m, _ := longChat(t, 1200)
	last := strings.Join(m.frame().Rows[1:30], "\n")
	laidOut := func() (n int) {
		for _, it := range m.feed.list {
			if p, ok := it.(*partItem); ok && p.doc != nil {
				n++
			}
		}
		return n
	}
	for range 1000 {
		m.Update(keysOf["pgup"])
		m.frame()
	}
	if item, row, ok := m.feed.rows.ItemAt(0); !ok || item != 0 || row > 0 {
		t.Fatalf("the first row is row %d of item %d", row, item)
	}
	if n := laidOut(); n > keptLayouts {
		t.Errorf("%d answers keep their layouts", n)
	}
	m.Update(keysOf["ctrl+end"])
	if now := strings.Join(m.frame().Rows[1:30], "\n"); now != last {
		t.Errorf("the end was\n%s\nand is\n%s", last, now)
	}
}

// TestGivesBackOnce wants the memory given back once for each long session that is shown, and never for others.
func TestGivesBackOnce(t *testing.T) {
	m, _ := longChat(t, 2)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	m.ctx = ctx // it ends: nothing is waited for
	for read, want := range map[int]bool{0: false, manyEvents: false, manyEvents + 1: true} {
		m.read = read
		give := m.giveBack()
		if (give != nil) != want {
			t.Errorf("after %d events it gives back: %t", read, give != nil)
		}
		if give != nil && give() != nil {
			t.Error("giving back says something")
		}
		if m.giveBack() != nil && want {
			t.Error("it gives back twice")
		}
	}
}

// BenchmarkFind measures a key of the search, and a step of it, in a long conversation.
func BenchmarkFind(b *testing.B) {
	m, _ := longChat(b, 3400)
	m.Update(keysOf["ctrl+f"])
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
			m.findStep()
		}
	})
	b.Run("frame", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			m.frame()
		}
	})
}

// TestSelectingCostsWhatStreams selects in a long answer that still streams: what its rows stand for is told again as far
// as it changed, and not from its beginning in each frame.
func TestSelectingCostsWhatStreams(t *testing.T) {
	m, stream := longChat(t, 3)
	for range 300 {
		stream("\n\n" + paragraph)
	}
	m.frame()
	m.Update(tea.MouseClickMsg{X: 4, Y: 30, Button: tea.MouseLeft})
	m.Update(tea.MouseMotionMsg{X: 40, Y: 33, Button: tea.MouseLeft})
	m.frame()
	if m.on().sel.Empty() {
		t.Fatal("nothing is selected")
	}
	doc := m.feed.list[len(m.feed.list)-1].(*partItem).doc
	rows, bytes := doc.traces, doc.doc.Stats().Traced
	if rows < 300 {
		t.Fatalf("%d rows were told at first", rows)
	}
	const frames = 20
	for range frames {
		stream("\n\n" + paragraph)
		m.frame()
	}
	if n := doc.traces - rows; n > frames*8 {
		t.Errorf("%d rows were told in %d frames, each of which brought two", n, frames)
	}
	if n := doc.doc.Stats().Traced - bytes; n > frames*4*len(paragraph) {
		t.Errorf("%d bytes were gone through for %d frames of %d", n, frames, len(paragraph))
	}
	m.Update(tea.MouseReleaseMsg{X: 40, Y: 33, Button: tea.MouseLeft})
	if text := m.on().sel.Text(); !strings.Contains(text, "quick brown fox") {
		t.Errorf("selected is %q", text)
	}
}
