package textarea

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"parley/internal/repeat"
)

// clusters splits a text into the steps of the cursor, line feeds included.
func clusters(text string) (cs []string) {
	for i, l := range strings.Split(text, "\n") {
		if i > 0 {
			cs = append(cs, "\n")
		}
		for l != "" {
			n := next(l)
			cs, l = append(cs, l[:n]), l[n:]
		}
	}
	return cs
}

// naiveRows wraps a line by trying each row in full.
func naiveRows(c *Composer, line string) (rows []string) {
	cs := clusters(line)
	room := max(c.layout.width-1, 1)
	for {
		k, sum := 0, 0
		for k < len(cs) {
			_, w := c.layout.show(cs[k])
			if k > 0 && sum+w > room {
				break
			}
			sum, k = sum+w, k+1
		}
		if k == len(cs) {
			return append(rows, strings.Join(cs, ""))
		}
		_, w := c.layout.show(cs[k])
		switch {
		case cs[k] == " " && sum == room:
			k++
		case w == 1:
			for j := k; j > 0; j-- {
				if _, w := c.layout.show(cs[j-1]); w > 1 || cs[j-1] == " " {
					k = j
					break
				}
			}
		}
		rows, cs = append(rows, strings.Join(cs[:k], "")), cs[k:]
	}
}

// model is a text with a cursor, edited in the simplest way.
type model struct {
	text   string
	at     int // in bytes
	killed string
	past   []model
}

func (m *model) steps() (at []int) {
	n := 0
	at = append(at, 0)
	for _, c := range clusters(m.text) {
		n += len(c)
		at = append(at, n)
	}
	return at
}

func (m *model) left() int {
	at := m.steps()
	i, _ := slices.BinarySearch(at, m.at)
	return at[max(0, i-1)]
}

func (m *model) right() int {
	at := m.steps()
	i, _ := slices.BinarySearch(at, m.at)
	return at[min(len(at)-1, i+1)]
}

func (m *model) home() int { return strings.LastIndexByte(m.text[:m.at], '\n') + 1 }

func (m *model) end() int {
	if i := strings.IndexByte(m.text[m.at:], '\n'); i >= 0 {
		return m.at + i
	}
	return len(m.text)
}

func (m *model) replace(from, to int, s string) {
	if from == to && s == "" {
		return
	}
	m.past = append(m.past, model{text: m.text, at: m.at})
	m.text = m.text[:from] + s + m.text[to:]
	m.at = from + len(s)
	for _, at := range m.steps() { // between two clusters
		if at >= m.at {
			m.at = at
			break
		}
	}
}

// bits are typed at random.
var bits = []string{
	"a", "word", " ", "  ", "漢字", "é", "e\u0301", "\u0301", "👨‍👩‍👧", "🇩🇪", "🇫", "\t", "\x1b", "\u202e", "\u200d", "one two three ",
	"\r\n", "\x00", "\xff", "1️⃣", "x\ny", "नमस्ते", "long-word-without-a-blank-in-it",
}

func check(t *testing.T, c *Composer, m *model, did []string) {
	t.Helper()
	if got := c.doc.lines.text(pos{}, c.doc.lines.end()); got != m.text {
		t.Fatalf("after %q\n the text is %q,\nwant        %q", did, got, m.text)
	}
	if got := len(c.doc.lines.text(pos{}, c.doc.at)); got != m.at {
		t.Fatalf("after %q: the cursor is at %d of %q, want %d", did, got, m.text, m.at)
	}
	if !slices.Contains(m.steps(), m.at) {
		t.Fatalf("after %q: the cursor is within a character of %q", did, m.text)
	}
	checkView(t, c, did)
}

// checkView compares the view with all rows of the text.
func checkView(t *testing.T, c *Composer, did []string) {
	t.Helper()
	var all []string
	cursorRow, cursorColumn := 0, 0
	for i := range c.doc.lines {
		off := 0
		rows := naiveRows(c, c.doc.lines[i].text)
		for k, row := range rows {
			if at := c.doc.at; at.line == i && at.off >= off && (at.off < off+len(row) || k == len(rows)-1) {
				cursorRow, cursorColumn = len(all), 0
				for _, s := range clusters(row[:at.off-off]) {
					_, w := c.layout.show(s)
					cursorColumn += w
				}
			}
			var b strings.Builder
			for _, s := range clusters(row) {
				v, _ := c.layout.show(s)
				b.WriteString(v)
			}
			all = append(all, b.String())
			off += len(row)
		}
	}
	v := c.View()
	top := cursorRow - v.Y
	if len(v.Rows) != min(len(all), c.layout.height) || top < 0 || top+len(v.Rows) > len(all) {
		t.Fatalf("after %q: %d rows from %d on of %d, %d fit", did, len(v.Rows), top, len(all), c.layout.height)
	}
	if want := all[top : top+len(v.Rows)]; !slices.Equal(v.Rows, want) {
		t.Fatalf("after %q at width %d\n got %q\nwant %q", did, c.layout.width, v.Rows, want)
	}
	if v.X != min(cursorColumn, c.layout.width-1) || v.Y < 0 || v.Y >= c.layout.height {
		t.Fatalf("after %q: cursor at %d, %d in %q, want column %d", did, v.X, v.Y, v.Rows, cursorColumn)
	}
	if v.Above != (top > 0) || v.Below != (top+len(v.Rows) < len(all)) {
		t.Fatalf("after %q: above %v, below %v with %d to %d of %d", did, v.Above, v.Below, top, top+len(v.Rows), len(all))
	}
	for _, row := range v.Rows {
		for _, r := range row {
			if r < 0x20 || r >= 0x7f && r < 0xa0 || r == 0x202e {
				t.Fatalf("after %q: %q shows a control character", did, row)
			}
		}
	}
}

// step changes both at random and describes the change.
func step(r *rand.Rand, c *Composer, m *model) string {
	switch r.IntN(18) {
	case 0, 1, 2, 3:
		s := bits[r.IntN(len(bits))]
		c.Insert(s)
		m.replace(m.at, m.at, clean(s))
		return "insert " + s
	case 4:
		c.Newline()
		m.replace(m.at, m.at, "\n")
		return "newline"
	case 5:
		c.Delete(CharLeft)
		m.replace(m.left(), m.at, "")
		return "backspace"
	case 6:
		c.Delete(CharRight)
		m.replace(m.at, m.right(), "")
		return "delete"
	case 7:
		c.Move(CharLeft)
		m.at = m.left()
		return "left"
	case 8:
		c.Move(CharRight)
		m.at = m.right()
		return "right"
	case 9:
		c.Move(LineStart)
		m.at = m.home()
		return "home"
	case 10:
		c.Move(LineEnd)
		m.at = m.end()
		return "end"
	case 11:
		from, to := m.at, m.end()
		if from == to {
			to = m.right()
		}
		c.Kill(LineEnd)
		c.ring.joins = false
		if from != to {
			m.killed = m.text[from:to]
		}
		m.replace(from, to, "")
		return "kill line"
	case 12:
		c.Yank()
		m.replace(m.at, m.at, m.killed)
		return "yank"
	case 13:
		w, h := 2+r.IntN(20), 1+r.IntN(6)
		c.SetSize(w, h)
		c.SetWidthMethod(r.IntN(2) == 0)
		return fmt.Sprintf("resize to %d×%d", w, h)
	case 14:
		s := strings.Repeat(bits[r.IntN(len(bits))]+"\n", chipLines+r.IntN(3))
		c.Paste(s)
		m.replace(m.at, m.at, fmt.Sprintf("\xff%04x", len(c.chips)-1))
		return "paste a lot"
	case 15:
		s := strings.Repeat(bits[r.IntN(len(bits))], 3)
		c.Paste(s)
		m.replace(m.at, m.at, clean(s))
		return "paste " + s
	default:
		// These move in ways that depend on rows; the model takes over where they went.
		moves := []func(){c.Up, c.Down,
			func() { c.Move(WordLeft) }, func() { c.Move(WordRight) }, func() { c.Move(TextStart) }, func() { c.Move(TextEnd) },
		}
		moves[r.IntN(len(moves))]()
		m.at = len(c.doc.lines.text(pos{}, c.doc.at))
		return "a movement"
	}
}

func checkRandom(t *testing.T, seed uint64, steps int) {
	r := rand.New(rand.NewPCG(seed, 5))
	c, m := New(Looks{}), &model{}
	c.SetSize(2+r.IntN(20), 1+r.IntN(6))
	did := []string{fmt.Sprintf("seed %d", seed)}
	for range steps {
		did = append(did, step(r, c, m))
		check(t, c, m, did)
	}
	// All the way back there is nothing, and forth again it is what it was.
	for c.Undo() {
		checkView(t, c, append(did, "undo"))
	}
	if len(c.doc.past.done) == 0 && !c.Empty() {
		t.Fatalf("after %q and all undone: %q", did, c.Value())
	}
	for c.Redo() {
		checkView(t, c, append(did, "redo"))
	}
	if got := c.doc.lines.text(pos{}, c.doc.lines.end()); got != m.text {
		t.Fatalf("after %q, undone and made again: %q, want %q", did, got, m.text)
	}
}

func TestComposerIsWhatTheModelIs(t *testing.T) {
	for seed := range uint64(repeat.Times(20, 40, 100)) {
		checkRandom(t, seed, 60)
	}
}

func FuzzComposer(f *testing.F) {
	f.Add(uint64(1))
	f.Fuzz(func(t *testing.T, seed uint64) { checkRandom(t, seed, 80) })
}

// FuzzText pastes any text, draws it, moves through it and deletes it.
func FuzzText(f *testing.F) {
	for _, s := range bits {
		f.Add(s+s, 7, true)
	}
	f.Fuzz(func(t *testing.T, text string, width int, grapheme bool) {
		c := New(Looks{})
		c.SetSize(2+max(width, 0)%100, 5)
		c.SetWidthMethod(grapheme)
		c.SetValue(text)
		if got := c.Value(); got != clean(text) {
			t.Fatalf("kept %q as %q", text, got)
		}
		checkView(t, c, []string{text})
		d := New(Looks{})
		if err := d.SetDraft(c.Draft()); err != nil || d.Value() != c.Value() || d.doc.at != c.doc.at {
			t.Fatalf("draft %q: %v, %q at %v", c.Draft(), err, d.Value(), d.doc.at)
		}
		for n := 0; c.doc.at != (pos{}); n++ {
			c.Move(CharLeft)
			checkView(t, c, []string{text})
			if n > len(text) {
				t.Fatalf("%q has no start", text)
			}
		}
		for !c.Empty() {
			before := len(c.Value())
			c.Delete(CharRight)
			if len(c.Value()) >= before {
				t.Fatalf("nothing was deleted from %q", c.Value())
			}
		}
	})
}
