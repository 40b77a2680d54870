package textarea

import (
	"strings"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// at returns a composer with a text and the cursor at the bar in it.
func at(text string) *Composer {
	c := New(Looks{})
	before, after, _ := strings.Cut(text, "|")
	c.doc = newDocument(before + after)
	c.doc.at = c.doc.lines.offset(len(before))
	return c
}

// text returns the text with a bar at the cursor and the labels of chips.
func text(c *Composer) string {
	var b strings.Builder
	add := func(s string) {
		c.chips.split(s, func(s string) { b.WriteString(s) }, func(p Chip) { b.WriteString(p.Label) })
	}
	add(c.doc.lines.text(pos{}, c.doc.at))
	b.WriteByte('|')
	add(c.doc.lines.text(c.doc.at, c.doc.lines.end()))
	return b.String()
}

func moves(m Motion) func(*Composer) { return func(c *Composer) { c.Move(m) } }

func deletes(m Motion) func(*Composer) { return func(c *Composer) { c.Delete(m) } }

func kills(m Motion) func(*Composer) { return func(c *Composer) { c.Kill(m) } }

func changes(rewrite func(string) string) func(*Composer) {
	return func(c *Composer) { c.ChangeCase(rewrite) }
}

func TestKeys(t *testing.T) {
	type op = func(*Composer)
	do := func(ops ...op) []op { return ops }
	insert := func(s string) op { return func(c *Composer) { c.Insert(s) } }
	size := func(w, h int) op { return func(c *Composer) { c.SetSize(w, h) } }
	undo := func(c *Composer) { c.Undo() }
	redo := func(c *Composer) { c.Redo() }
	bs, del := deletes(CharLeft), deletes(CharRight)
	left, right, up, down := moves(CharLeft), moves(CharRight), (*Composer).Up, (*Composer).Down
	wl, wr := moves(WordLeft), moves(WordRight)
	kill, start, wordBack, yank := kills(LineEnd), kills(LineStart), kills(WordLeft), (*Composer).Yank
	for _, c := range []struct {
		name, before string
		do           []op
		after        string
	}{
		{"insert", "a|c", do(insert("b")), "ab|c"},
		{"insert what is no text", "|", do(insert("a\xffb")), "a\ufffdb|"},
		{"insert line ends of all kinds", "|", do(insert("a\r\nb\rc\nd")), "a\nb\nc\nd|"},
		{"insert a mark", "e|x", do(insert("\u0301")), "e\u0301|x"},
		{"insert before a mark", "|\u0301x", do(insert("e")), "e\u0301|x"},
		{"newline", "a|b", do((*Composer).Newline), "a\n|b"},
		{"backspace", "ab|c", do(bs), "a|c"},
		{"backspace at the start", "|a", do(bs), "|a"},
		{"backspace joins lines", "a\n|b", do(bs), "a|b"},
		{"backspace takes a family whole", "a👨‍👩‍👧|b", do(bs), "a|b"},
		{"delete", "a|bc", do(del), "a|c"},
		{"delete at the end", "a|", do(del), "a|"},
		{"delete joins lines", "a|\nb", do(del), "a|b"},
		{"left over a flag", "a🇩🇪|b", do(left), "a|🇩🇪b"},
		{"left to the line before", "a\n|b", do(left), "a|\nb"},
		{"right to the line behind", "a|\nb", do(right), "a\n|b"},
		{"word left", "one two-three|", do(wl), "one two-|three"},
		{"word left over blanks", "one   |two", do(wl), "|one   two"},
		{"word left over a line end", "one\n|two", do(wl), "|one\ntwo"},
		{"word right", "|one two", do(wr), "one| two"},
		{"word right over signs", "one|, two", do(wr), "one, two|"},
		{"word right over a line end", "one|\ntwo", do(wr), "one\ntwo|"},
		{"home and end", "a\nb|c\nd", do(moves(LineStart), insert("<"), moves(LineEnd), insert(">")), "a\n<bc>|\nd"},
		{"start and finish", "a\nb|c\nd", do(moves(TextStart), insert("<"), moves(TextEnd), insert(">")), "<a\nbc\nd>|"},
		{"up keeps the column", "abcd\nx\nabcd|", do(up, up), "abcd|\nx\nabcd"},
		{"down keeps the column", "abc|d\nx\nabcd", do(down, down), "abcd\nx\nabc|d"},
		{"a movement forgets the column", "abcd\nx\nabcd|", do(up, left, up), "|abcd\nx\nabcd"},
		{"up in the first row", "ab|c", do(up), "|abc"},
		{"down in the last row", "a|bc", do(down), "abc|"},
		{"up by rows", "one two three| four", do(size(9, 5), up), "one t|wo three four"},
		{"down by rows", "on|e two three four", do(size(9, 5), down), "one two th|ree four"},
		{"wide characters stand in two columns", "漢字漢字\nabcdef|", do(up), "漢字漢|字\nabcdef"},
		{"kill line", "ab|cd\nef", do(kill), "ab|\nef"},
		{"kill line at its end", "ab|\nef", do(kill), "ab|ef"},
		{"kill to the start", "ab|cd", do(start), "|cd"},
		{"kill to the start, at the start", "ab\n|cd", do(start), "ab|cd"},
		{"kill a word back", "one two|", do(wordBack), "one |"},
		{"kill a word forward", "|one two", do(kills(WordRight)), "| two"},
		{"yank", "ab|cd", do(kill, moves(LineStart), yank), "cd|ab"},
		{"kills add up", "one two |three", do(wordBack, wordBack, kill, yank), "one two three|"},
		{"kills apart do not", "one two|", do(wordBack, left, wordBack, yank), "one| "},
		{"yank nothing", "a|", do(yank), "a|"},
		{"undo typing word by word", "|", do(insert("o"), insert("n"), insert("e"), insert(" "), insert("t"), insert("w"), undo), "one |"},
		{"undo twice", "|", do(insert("o"), insert("n"), insert("e"), insert(" "), insert("t"), insert("w"), undo, undo), "|"},
		{"undo erasing in one", "abc|", do(bs, bs, undo), "abc|"},
		{"undo and redo", "abc|", do(kill, bs, undo, redo), "ab|"},
		{"redo is gone after a change", "abc|", do(bs, undo, insert("x"), redo), "abcx|"},
		{"yank what was killed before", "|a b", do(kills(WordRight), right, kills(WordRight), yank, (*Composer).YankPop), " a|"},
		{"and go round", "|a b", do(kills(WordRight), right, kills(WordRight), yank, (*Composer).YankPop, (*Composer).YankPop), " b|"},
		{"yank pop after something else", "|a b", do(kills(WordRight), right, kills(WordRight), yank, left, (*Composer).YankPop), " |b"},
		{"transpose", "ab|cd", do((*Composer).Transpose), "acb|d"},
		{"transpose at the end", "abc|", do((*Composer).Transpose), "acb|"},
		{"transpose at the start", "|ab", do((*Composer).Transpose), "|ab"},
		{"capitals", "a |bc d", do(changes(Upper), changes(Title)), "a BC D|"},
		{"small letters", "|ABC", do(changes(Lower)), "abc|"},
		{"undo brings a killed line back", "a\nb|c\nd", do(func(c *Composer) { c.SetValue("") }, undo), "a\nb|c\nd"},
		{"undo a newline", "a|b", do((*Composer).Newline, undo), "a|b"},
		{"typing elsewhere is undone apart", "|ab", do(insert("x"), moves(LineEnd), insert("y"), undo), "xab|"},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := at(c.before)
			for _, f := range c.do {
				version := e.Version()
				was := text(e)
				f(e)
				if text(e) != was && e.Version() == version {
					t.Errorf("%q became %q without a new version", was, text(e))
				}
			}
			if got := text(e); got != c.after {
				t.Errorf("got %q, want %q", got, c.after)
			}
		})
	}
}

// TestEveryChangeHasANewVersion calls each method that changes the view.
func TestEveryChangeHasANewVersion(t *testing.T) {
	for name, do := range map[string]func(*Composer){
		"Insert":  func(c *Composer) { c.Insert("x") },
		"Newline": (*Composer).Newline,
		"Paste":   func(c *Composer) { c.Paste("x") },
		"Delete":  deletes(CharLeft),
		"Up":      (*Composer).Up, "Down": (*Composer).Down,
		"Kill": kills(LineEnd), "Move": moves(CharLeft),
		"SetValue":       func(c *Composer) { c.SetValue("y") },
		"SetSize":        func(c *Composer) { c.SetSize(7, 3) },
		"SetWidthMethod": func(c *Composer) { c.SetWidthMethod(true) },
		"SetLooks":       func(c *Composer) { c.SetLooks(Looks{}) },
		"SetDraft":       func(c *Composer) { _ = c.SetDraft("") },
		"Reset":          (*Composer).Reset,
		"Undo":           func(c *Composer) { c.Undo() },
		"Previous":       previous,
	} {
		t.Run(name, func(t *testing.T) {
			c := New(Looks{})
			c.SetHistory([]string{"before"})
			c.Insert("one two\nthree four\nfive six")
			c.doc.at = pos{1, 5}
			c.View()
			version := c.Version()
			do(c)
			if c.Version() == version {
				t.Error("the version is the same")
			}
		})
	}
}

func TestUnchangedViewCostsNothing(t *testing.T) {
	c := New(Looks{})
	c.SetValue(strings.Repeat("some words in a row\n", 20))
	c.View()
	if n := testing.AllocsPerRun(100, func() { c.View() }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// A key lays out only visible lines, however long the text is.
func TestALongTextCostsWhatIsShown(t *testing.T) {
	const rows = 10
	c := New(Looks{})
	c.SetSize(40, rows)
	c.SetValue(strings.Repeat("a line of text that is wrapped at this width\n", 5000))
	for _, k := range []struct {
		name string
		do   func()
		most int
	}{
		{"the first view", func() {}, rows + 1},
		{"a letter", func() { c.Insert("x") }, 1},
		{"a line", c.Newline, 2},
		{"to the start", func() { c.Move(TextStart) }, rows + 1},
		{"a letter there", func() { c.Insert("x") }, 1},
		{"a line there", c.Newline, 2},
		{"down", func() {
			for range rows {
				c.Down()
			}
		}, rows + 1},
		{"resize", func() { c.SetSize(50, rows) }, 2*rows + 1},
		{"undo", func() { c.Undo() }, rows + 1},
		{"to the end", func() { c.Move(TextEnd) }, rows + 1},
		{"all but the last word", func() {
			c.Insert("last")
			c.Kill(LineStart)
			c.Yank()
		}, 3},
	} {
		before := c.layout.wrapped
		k.do()
		c.View()
		if n := c.layout.wrapped - before; n > k.most {
			t.Errorf("%s: %d lines laid out, at most %d expected", k.name, n, k.most)
		}
	}
}

func TestView(t *testing.T) {
	mark := func(l string) func(string) string { return func(s string) string { return l + s + l } }
	looks := Looks{Chip: mark("#"), Hidden: mark("!"), Placeholder: mark("~"), Hint: "Ask anything 漢字"}
	for _, c := range []struct {
		name  string
		w, h  int
		do    func(c *Composer)
		want  string // rows, the cursor's cell behind
		x, y  int
		above bool
		below bool
	}{
		{"empty", 40, 5, func(*Composer) {}, "~Ask anything 漢字~", 0, 0, false, false},
		{"empty and narrow", 14, 5, func(*Composer) {}, "~Ask anything ~", 0, 0, false, false},
		{"one row", 20, 5, func(c *Composer) { c.Insert("hello") }, "hello", 5, 0, false, false},
		{"wrapped at a blank", 11, 5, func(c *Composer) { c.Insert("hello brave world") }, "hello |brave |world", 5, 2, false, false},
		{"a blank hangs", 6, 5, func(c *Composer) { c.Insert("hello brave") }, "hello |brave", 5, 1, false, false},
		{"behind the hanging blank", 6, 5, func(c *Composer) { c.Insert("hello ") }, "hello |", 0, 1, false, false},
		{"a full row", 6, 5, func(c *Composer) { c.Insert("hello") }, "hello", 5, 0, false, false},
		{"a long word", 6, 5, func(c *Composer) { c.Insert("abcdefghijkl") }, "abcde|fghij|kl", 2, 2, false, false},
		{"wide", 6, 5, func(c *Composer) { c.Insert("漢字漢字") }, "漢字|漢字", 4, 1, false, false},
		{"controls", 40, 5, func(c *Composer) { c.Insert("a\x1b[2J\x07\u202eb\u009b\x7f\t.") },
			"a!␛![2J!␇!!<U+202E>!b!<U+009B>!!␡!    .", 29, 0, false, false},
		{"more above", 10, 2, func(c *Composer) { c.Insert("a\nb\nc") }, "b|c", 1, 1, true, false},
		{"more below", 10, 2, func(c *Composer) { c.Insert("a\nb\nc"); c.Move(TextStart) }, "a|b", 0, 0, false, true},
		{"it moves no more than it must", 10, 2, func(c *Composer) {
			c.Insert("a\nb\nc\nd")
			c.View()
			c.Up()
		}, "c|d", 1, 0, true, false},
		{"no row stays empty", 10, 3, func(c *Composer) {
			c.Insert("a\nb\nc\nd")
			c.View()
			c.Delete(CharLeft)
			c.Delete(CharLeft)
		}, "a|b|c", 1, 2, false, false},
		{"a chip", 60, 3, func(c *Composer) {
			c.Insert("see ")
			c.Paste(strings.Repeat("line\n", 5000))
			c.Insert("!")
		}, "see #[paste 1: 5,000 lines, 25 KB]#!", 34, 0, false, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := New(looks)
			e.SetSize(c.w, c.h)
			c.do(e)
			v := e.View()
			if got := strings.Join(v.Rows, "|"); got != c.want || v.X != c.x || v.Y != c.y {
				t.Errorf("got %q, cursor at %d, %d\nwant %q, cursor at %d, %d", got, v.X, v.Y, c.want, c.x, c.y)
			}
			if v.Above != c.above || v.Below != c.below {
				t.Errorf("above %v, below %v", v.Above, v.Below)
			}
		})
	}
}

func TestWidthMethod(t *testing.T) {
	c := New(Looks{})
	c.SetSize(40, 3)
	c.Insert("👨‍👩‍👧")
	if x := c.View().X; x != 6 {
		t.Errorf("by code points the cursor is in column %d, want 6", x)
	}
	c.SetWidthMethod(true)
	if x := c.View().X; x != 2 {
		t.Errorf("by clusters the cursor is in column %d, want 2", x)
	}
}
