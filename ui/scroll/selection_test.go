package scroll

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"
)

// page is an item with a given trace. Its rows are made of the trace, with tabs expanded.
type page struct {
	key   string
	gap   int
	trace Trace
}

func (p *page) Key() string      { return p.key }
func (p *page) Version() uint64  { return 1 }
func (p *page) Gap() int         { return p.gap }
func (p *page) Trace() Trace     { return p.trace }
func (p *page) BeginsTurn() bool { return strings.HasPrefix(p.key, "turn") }
func (p *page) Text() string     { return p.trace.Source }
func (p *page) Layout(int) (rows []string) {
	for _, r := range p.trace.Rows {
		row, column := strings.Repeat("_", r.Skip), r.Column
		for _, c := range r.Text {
			if c == '\t' {
				n := TabStop - column%TabStop
				row, column = row+strings.Repeat(" ", n), column+n
				continue
			}
			row, column = row+string(c), column+1
		}
		rows = append(rows, row)
	}
	return rows
}

var reading = Reading{
	Unit:  func(s string) (int, int) { _, n := utf8.DecodeRuneInString(s); return n, 1 },
	Strip: func(s string) string { return s },
}

// answer is the trace of a document with a heading, a wrapped paragraph, two items and a code block.
func answer() *page {
	src := "# Head\n\none *two* three-four five\n\n- a\n- b\n\n```go\nif x {\n\ty()\n}\n```\n"
	at := func(s string) int { return strings.Index(src, s) }
	block := func(first, last int, s string) Block {
		return Block{First: first, Last: last, From: at(s), To: at(s) + len(s)}
	}
	code := block(7, 10, "```go\nif x {\n\ty()\n}\n```")
	code.IsCode, code.Code, code.Lang = true, "if x {\n\ty()\n}\n", "go"
	return &page{key: "answer", gap: 1, trace: Trace{
		Source: src,
		Blocks: []Block{block(0, 1, "# Head"), block(2, 4, "one *two* three-four five"), block(5, 6, "- a"), block(6, 7, "- b"), code},
		Rows: []Row{
			{Skip: 2, Text: "Head", Join: "\n"},
			{Join: "\n", Block: -1},
			{Skip: 2, Text: "one two three-", Join: "", Block: 1},
			{Skip: 2, Text: "four five", Join: "\n", Block: 1},
			{Join: "\n", Block: -1},
			{Skip: 4, Lead: "- ", Text: "a", Join: "\n", Block: 2},
			{Skip: 4, Lead: "- ", Text: "b", Join: "\n", Block: 3},
			{Skip: 4, Text: "if x {", Join: "\n", Block: 4},
			{Skip: 4, Text: "\ty()", Join: "\n", Block: 4},
			{Skip: 4, Text: "}", Join: "\n", Block: 4},
		},
	}}
}

func shown(pages ...Item) (*List, *Selection) {
	l := New(10)
	l.SetSize(40, 30)
	l.Append(pages...)
	l.Frame()
	return l, NewSelection(l, reading)
}

func TestSelectionsCopyWhatWasWritten(t *testing.T) {
	for _, c := range []struct {
		name       string
		clicks     int
		x, y, X, Y int
		want       string
	}{
		{"part of a row", 1, 3, 0, 4, 0, "ea"},
		{"backwards", 1, 4, 0, 3, 0, "ea"},
		{"over a break inside a word", 1, 6, 2, 5, 3, "two three-four"},
		{"a heading alone", 1, 0, 0, 30, 0, "# Head"},
		{"a heading and a part of a paragraph", 1, 0, 0, 4, 2, "# Head\n\none"},
		{"parts on both sides", 1, 4, 0, 4, 2, "ad\n\none"},
		{"items", 1, 0, 5, 39, 6, "- a\n- b"},
		{"an item from within", 1, 4, 5, 4, 5, ""},
		{"code alone", 1, 0, 7, 39, 9, "if x {\n\ty()\n}"},
		{"code and what is before it", 1, 0, 6, 39, 9, "- b\n\n```go\nif x {\n\ty()\n}\n```"},
		{"a part of the code", 1, 5, 7, 39, 8, "f x {\n\ty()"},
		{"a tab is one", 1, 5, 8, 8, 8, "\ty"},
		{"everything", 1, 0, 0, 39, 9, "# Head\n\none *two* three-four five\n\n- a\n- b\n\n```go\nif x {\n\ty()\n}\n```"},
		{"a word", 2, 7, 2, 7, 2, "two"},
		{"a word over a break", 2, 12, 2, 12, 2, "three-four"},
		{"the same from its other row", 2, 3, 3, 3, 3, "three-four"},
		{"words", 2, 4, 2, 7, 2, "one two"},
		{"words backwards", 2, 7, 2, 3, 2, "one two"},
		{"a word that is a block", 2, 3, 0, 3, 0, "Head"},
		{"a bracket", 2, 9, 7, 9, 7, "{"},
		{"a line", 3, 8, 3, 8, 3, "one *two* three-four five"},
		{"a line of code", 3, 7, 8, 7, 8, "\ty()"},
		{"two lines", 3, 8, 3, 4, 5, "one *two* three-four five\n\n- a"},
		{"four clicks are one", 4, 3, 0, 4, 0, "ea"},
	} {
		_, s := shown(answer())
		s.Press(c.x, c.y, c.clicks)
		s.Drag(c.X, c.Y)
		s.Release()
		if got := s.Text(); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
		if s.Empty() != (c.want == "") {
			t.Errorf("%s: empty is %v", c.name, s.Empty())
		}
	}
}

func TestSelectionsGoOverItems(t *testing.T) {
	plain := &note{key: "plain", letters: 5}
	l, s := shown(answer(), plain, &page{key: "c", gap: 1, trace: Trace{Rows: []Row{{Skip: 1, Text: "end", Join: "\n", Block: -1}}}})
	s.Press(4, 9, 1)
	s.Drag(2, len(l.Frame())-1)
	want := "}\n" + strings.Join(plain.naive(40), "\n") + "\n\nen"
	if got := s.Text(); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestSelectedCellsAreThoseOfTheText(t *testing.T) {
	l, s := shown(answer())
	s.Press(4, 2, 1)
	s.Drag(5, 8)
	var got []string
	for y := range l.Frame() {
		if from, to, ok := s.Cells(y); ok {
			got = append(got, fmt.Sprintf("%d:%d-%d", y, from, to))
		}
	}
	if want := "2:4-16 3:2-11 5:4-5 6:4-5 7:4-10 8:4-8"; strings.Join(got, " ") != want {
		t.Errorf("%v, want %s", got, want)
	}
}

func TestASelectionStaysWithItsTextWhileTheListScrollsAndGrows(t *testing.T) {
	l, s := shown(answer())
	l.SetSize(40, 5)
	l.Top()
	l.Frame()
	s.Press(4, 2, 1)
	if n := s.Drag(10, 7); n != 3 {
		t.Errorf("below the window: scroll by %d", n)
	}
	if n := s.Drag(10, -2); n != -2 {
		t.Errorf("above the window: scroll by %d", n)
	}
	s.Drag(6, 2)
	v := s.Version()
	for range 20 {
		l.Append(&page{key: fmt.Sprint(l.Len()), trace: Trace{Rows: []Row{{Text: "x", Join: "\n", Block: -1}}}})
	}
	l.Scroll(1)
	l.Frame()
	if from, to, ok := s.Cells(1); !ok || from != 4 || to != 7 || s.Version() != v {
		t.Errorf("cells %d to %d, %v", from, to, ok)
	}
	l.Bottom()
	l.Frame()
	if got := s.Text(); got != "e t" {
		t.Errorf("%q", got)
	}
	l.SetSize(20, 5)
	if !s.Empty() || s.Text() != "" || s.Version() == v {
		t.Error("still there at another width")
	}
}

func TestAClickSelectsNothing(t *testing.T) {
	_, s := shown(answer())
	s.Press(4, 2, 1)
	if s.Release() || !s.Empty() {
		t.Error("something is selected")
	}
	s.Press(4, 25, 1) // below the end
	s.Drag(4, 2)
	if s.Release() {
		t.Error("something is selected from nowhere")
	}
	s.Press(4, 2, 2)
	if !s.Release() {
		t.Error("a double click selects nothing")
	}
}

func TestBlocksAreCopiedByKey(t *testing.T) {
	_, s := shown(answer())
	b, source, ok := s.BlockAt(8)
	if !ok || b.Lang != "go" || b.Code != "if x {\n\ty()\n}\n" || !strings.HasPrefix(source, "```go\n") {
		t.Errorf("%+v %q %v", b, source, ok)
	}
	if _, _, ok := s.BlockAt(1); ok {
		t.Error("a block between blocks")
	}
}

func TestWords(t *testing.T) {
	for _, c := range []struct {
		text string
		at   int
		want string
	}{
		{"see /a/b.go:12, now", 8, "/a/b.go:12"}, {"(https://a.bc/?x=1).", 4, "https://a.bc/?x=1"}, {"a  b", 1, "  "},
		{"größe=5", 4, "größe=5"}, {"f(x)", 1, "("}, {"e.", 1, "e."}, {"e.", 0, "e"}, {"", 0, ""}, {"x", 5, ""},
	} {
		from, to := wordAround(c.text, c.at)
		if got := c.text[min(from, len(c.text)):min(to, len(c.text))]; got != c.want {
			t.Errorf("%q at %d: %q, want %q", c.text, c.at, got, c.want)
		}
	}
}

func TestTurnsAndWhatIsUnseen(t *testing.T) {
	l := New(10)
	l.SetSize(10, 4)
	add := func(key string, rows int) {
		p := &page{key: key}
		for range rows {
			p.trace.Rows = append(p.trace.Rows, Row{Text: key, Join: "\n", Block: -1})
		}
		l.Append(p)
	}
	for n := range 4 {
		add(fmt.Sprintf("turn%d", n), 1)
		add(fmt.Sprintf("a%d", n), 9)
	}
	top := func() string { return l.Frame()[0] }
	top()
	for _, want := range []string{"turn3", "turn2", "turn1", "turn0"} {
		if !l.JumpTurn(-1) || top() != want {
			t.Errorf("at %s, want %s", top(), want)
		}
	}
	if l.JumpTurn(-1) {
		t.Error("a turn before the first")
	}
	l.Scroll(3)
	if l.JumpTurn(-1); top() != "turn0" {
		t.Error("the turn that the reader is in is passed over")
	}
	for _, want := range []string{"turn1", "turn2", "turn3"} {
		if !l.JumpTurn(1) || top() != want {
			t.Errorf("at %s, want %s", top(), want)
		}
	}
	if _, ok := l.FirstUnseen(); ok {
		t.Error("unseen before anything came")
	}
	add("turn4", 1)
	add("a4", 9)
	top()
	if i, ok := l.FirstUnseen(); !ok || i != 8 {
		t.Errorf("unseen from %d, %v", i, ok)
	}
	if l.JumpUnseen(); top() != "turn4" {
		t.Errorf("at %s", top())
	}
	if l.JumpTurn(1) || !l.Following() && top() != "a4" {
		t.Error("behind the last turn is not the end")
	}
	l.JumpUnseen()
	if top(); !l.Following() {
		t.Error("nothing unseen is not the end")
	}
	for row := range 9 {
		for _, i := range []int{1, 9, 5, 0} {
			l.RevealRow(i, row)
			found := false
			for y := range l.Frame() {
				it, r, _ := l.ItemAt(y)
				found = found || it == i && r == min(row, len(l.items.rows(i))-1)
			}
			if !found {
				t.Fatalf("row %d of item %d is not visible", row, i)
			}
		}
	}
}
