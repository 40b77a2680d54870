package textarea

import (
	"slices"
	"strings"
	"testing"
)

func TestBigPastesAreFolded(t *testing.T) {
	big := strings.Repeat("line\n", 5000)
	for _, c := range []struct {
		name, text, want string
	}{
		{"small", "a few words", "a few words|"},
		{"40 lines", strings.Repeat("x\n", 39) + "x", strings.Repeat("x\n", 39) + "x|"},
		{"41 lines", strings.Repeat("x\n", 40) + "x", "[paste 1: 41 lines, 1 KB]|"},
		{"8 KB", strings.Repeat("x", 8<<10), strings.Repeat("x", 8<<10) + "|"},
		{"more than 8 KB", strings.Repeat("x", 8<<10+1), "[paste 1: 9 KB]|"},
		{"many lines", big, "[paste 1: 5,000 lines, 25 KB]|"},
		{"other line ends", strings.ReplaceAll(big, "\n", "\r\n"), "[paste 1: 5,000 lines, 25 KB]|"},
		{"a megabyte", strings.Repeat("x", 1<<20), "[paste 1: 1,024 KB]|"},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := New(Looks{})
			e.Paste(c.text)
			if got := text(e); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
			if got, want := e.Value(), clean(c.text); got != want {
				t.Errorf("the value has %d bytes, want %d", len(got), len(want))
			}
		})
	}
}

func TestChipIsOneCharacter(t *testing.T) {
	one, two := strings.Repeat("1\n", 50), strings.Repeat("2\n", 60)
	c := New(Looks{})
	c.Insert("a ")
	c.Paste(one)
	c.Paste(two)
	c.Insert(" b")
	const both = "a [paste 1: 50 lines, 1 KB][paste 2: 60 lines, 1 KB] b"
	for _, k := range []struct {
		do   func()
		want string
	}{
		{func() {}, both + "|"},
		{func() { c.Move(CharLeft); c.Move(CharLeft); c.Move(CharLeft) }, "a [paste 1: 50 lines, 1 KB]|[paste 2: 60 lines, 1 KB] b"},
		{func() { c.Move(CharLeft) }, "a |[paste 1: 50 lines, 1 KB][paste 2: 60 lines, 1 KB] b"},
		{func() { c.Move(WordRight) }, "a [paste 1: 50 lines, 1 KB]|[paste 2: 60 lines, 1 KB] b"},
		{func() { c.Move(WordRight) }, "a [paste 1: 50 lines, 1 KB][paste 2: 60 lines, 1 KB]| b"},
		{func() { c.Move(WordLeft) }, "a [paste 1: 50 lines, 1 KB]|[paste 2: 60 lines, 1 KB] b"},
		{func() { c.Delete(CharLeft) }, "a |[paste 2: 60 lines, 1 KB] b"},
		{func() { c.Undo() }, "a [paste 1: 50 lines, 1 KB]|[paste 2: 60 lines, 1 KB] b"},
		{func() { c.Kill(WordRight) }, "a [paste 1: 50 lines, 1 KB]| b"},
		{func() { c.Move(LineStart) }, "|a [paste 1: 50 lines, 1 KB] b"},
		{c.Yank, "[paste 2: 60 lines, 1 KB]|a [paste 1: 50 lines, 1 KB] b"},
	} {
		k.do()
		if got := text(c); got != k.want {
			t.Fatalf("got %q\nwant %q", got, k.want)
		}
	}
	if got, want := c.Value(), two+"a "+one+" b"; got != want {
		t.Errorf("the value is %q", got)
	}
	var labels []string
	for _, p := range c.Chips() {
		labels = append(labels, p.Label)
	}
	if want := []string{"[paste 2: 60 lines, 1 KB]", "[paste 1: 50 lines, 1 KB]"}; !slices.Equal(labels, want) {
		t.Errorf("chips %q, want %q", labels, want)
	}
	if !c.Unfold() || text(c) != two+"|a [paste 1: 50 lines, 1 KB] b" {
		t.Errorf("unfolded to %q", text(c))
	}
	if c.Unfold() {
		t.Errorf("unfolded where there is no chip")
	}
}

func TestKilledChipSurvivesTheReset(t *testing.T) {
	c := New(Looks{})
	paste := strings.Repeat("x\n", 50)
	c.Paste(paste)
	c.Kill(LineStart)
	c.Reset()
	c.Yank()
	if got := c.Value(); got != paste {
		t.Errorf("yanked %q", got)
	}
}

func TestHistory(t *testing.T) {
	c := New(Looks{})
	c.SetHistory([]string{"first", "second\nwith two lines", "third"})
	c.Insert("the draft")
	c.Move(CharLeft)
	for _, k := range []struct {
		name string
		do   func()
		want string
	}{
		{"up", c.Up, "|third"},
		{"up", c.Up, "|second\nwith two lines"},
		{"down within it", c.Down, "second\n|with two lines"},
		{"up within it", c.Up, "|second\nwith two lines"},
		{"up", c.Up, "|first"},
		{"up at the oldest", c.Up, "|first"},
		{"change it", func() { c.Insert("my ") }, "my |first"},
		{"down", c.Down, "second\nwith two lines|"},
		{"down", c.Down, "third|"},
		{"down to the draft", c.Down, "the draf|t"},
		{"down at the draft", c.Down, "the draft|"},
		{"up", c.Up, "|third"},
		{"up", c.Up, "|second\nwith two lines"},
		{"the changed one is still changed", c.Up, "|my first"},
		{"undo there", func() { c.Undo() }, "|first"},
	} {
		k.do()
		if got := text(c); got != k.want {
			t.Fatalf("%s: got %q, want %q", k.name, got, k.want)
		}
	}
	c.Reset()
	if !c.Empty() {
		t.Errorf("after the reset there is %q", c.Value())
	}
	previous(c)
	if got := c.Value(); got != "third" {
		t.Errorf("after the reset the newest is %q", got)
	}
	c.SetHistory([]string{"third", "fourth"})
	if !c.Empty() {
		t.Errorf("with a new history there is %q, want the draft, which was empty", c.Value())
	}
	previous(c)
	if got := c.Value(); got != "fourth" {
		t.Errorf("the newest is %q", got)
	}
}

// previous shows the entry of the history before the one that is shown.
func previous(c *Composer) {
	c.history.browse(c.history.at-1, &c.doc)
	c.moved()
}

func TestNewHistoryKeepsTheDraft(t *testing.T) {
	c := New(Looks{})
	c.Insert("a draft")
	c.SetHistory([]string{"one"})
	previous(c)
	c.SetHistory([]string{"one", "two"})
	if got := c.Value(); got != "a draft" {
		t.Errorf("the draft is %q", got)
	}
}

func TestToken(t *testing.T) {
	for _, c := range []struct {
		text   string
		want   string
		cursor int
		first  bool
	}{
		{"|", "", 0, true},
		{"/mod|", "/mod", 4, true},
		{"/m|od", "/mod", 2, true},
		{"  /mod|", "/mod", 4, true},
		{"\n/mod|", "/mod", 4, true},
		{"/model op|", "op", 2, false},
		{"a /mod|", "/mod", 4, false},
		{"a\n/mod|", "/mod", 4, false},
		{"see @ui/pa| now", "@ui/pa", 6, false},
		{"see |", "", 0, false},
		{"see | now", "", 0, false},
	} {
		got := at(c.text).doc.token()
		if got.text != c.want || got.cursor != c.cursor || got.first != c.first {
			t.Errorf("%q: token %q, cursor %d, first %v", c.text, got.text, got.cursor, got.first)
		}
	}
	c := New(Looks{})
	c.Paste(strings.Repeat("x\n", 50))
	c.Insert("tail")
	if got := c.doc.token(); got.text != "tail" {
		t.Errorf("the token behind a chip is %q", got.text)
	}
	c.Move(LineStart)
	if got := c.doc.token(); got.text != "" {
		t.Errorf("the token before a chip is %q", got.text)
	}
}

func TestDraft(t *testing.T) {
	c := New(Looks{})
	if c.Draft() != "" {
		t.Errorf("the draft of nothing is %q", c.Draft())
	}
	c.Insert("see \x1b ")
	c.Paste(strings.Repeat("x\n", 50))
	c.Insert("\nand 漢字")
	c.Move(CharLeft)
	d := New(Looks{})
	d.Insert("something else")
	d.Paste(strings.Repeat("y\n", 50))
	if err := d.SetDraft(c.Draft()); err != nil {
		t.Fatal(err)
	}
	if text(d) != text(c) || d.Value() != c.Value() {
		t.Errorf("restored %q, want %q", text(d), text(c))
	}
	if d.Undo() {
		t.Errorf("what was there before can be undone: %q", text(d))
	}
	was := text(d)
	for _, bad := range []string{"no json", "[1]", `{"parts": 3}`} {
		if err := d.SetDraft(bad); err == nil || text(d) != was {
			t.Errorf("%q: error %v, text %q", bad, err, text(d))
		}
	}
	if err := d.SetDraft(`{"parts":[{"text":"ab"}],"cursor":99}`); err != nil || text(d) != "ab|" {
		t.Errorf("a cursor behind the end: %v, %q", err, text(d))
	}
	if err := d.SetDraft(`{"parts":[{"text":"ab"}],"cursor":-1}`); err != nil || text(d) != "|ab" {
		t.Errorf("a cursor before the start: %v, %q", err, text(d))
	}
	if err := d.SetDraft(""); err != nil || !d.Empty() {
		t.Errorf("no draft: %v, %q", err, text(d))
	}
}

func BenchmarkKey(b *testing.B) {
	for name, text := range map[string]string{
		"empty": "", "5000 lines": strings.Repeat("a line of text, some words long\n", 5000),
	} {
		c := New(Looks{})
		c.SetValue(text)
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				c.Insert("x")
				c.View()
				c.Delete(CharLeft)
				c.View()
			}
		})
	}
}
