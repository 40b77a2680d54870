package md

import (
	"strings"
	"testing"
)

// A portion may cost the open block and itself, whatever stands before.
func TestPortionsCostTheOpenBlock(t *testing.T) {
	doc := answer(40<<10, 3)
	d := New(Options{Width: 100})
	before := Stats{}
	for i := 0; i < len(doc); i += 7 {
		portion := doc[i:min(i+7, len(doc))]
		d.Append(portion)
		d.Len()
		now := d.Stats()
		if cost, limit := now.Parsed-before.Parsed, 2*(before.Open+len(portion)); cost > limit {
			t.Fatalf("at byte %d: %d bytes parsed, but only %d were open", i, cost, before.Open)
		}
		if now.Open > 2500 {
			t.Fatalf("at byte %d: %d bytes are open", i, now.Open)
		}
		before = now
	}
}

func TestListsFreezeByItem(t *testing.T) {
	d := New(Options{})
	item := "- an item of a list that has a few words\n"
	for range 500 {
		d.Append(item)
		d.Len()
		if open := d.Stats().Open; open > 2*len(item) {
			t.Fatalf("%d bytes of the list are open", open)
		}
	}
	if p := d.Stats().Parsed; p > 500*4*len(item) {
		t.Fatalf("%d bytes parsed", p)
	}
}

func TestFencesFreezeByLine(t *testing.T) {
	d := New(Options{})
	d.Append("text\n\n```go\n")
	line := "x := call(1, \"two\") // three\n"
	for range 1000 {
		d.Append(line)
		d.Len()
	}
	if p := d.Stats().Parsed; p > 1000*2*len(line)+100 {
		t.Fatalf("%d bytes parsed of %d", p, 1000*len(line))
	}
	if n := d.Stable(); n < 1000 {
		t.Fatalf("only %d rows are stable", n)
	}
}

func TestNothingNewCostsNothing(t *testing.T) {
	d := New(Options{})
	d.Append(answer(4<<10, 1))
	d.Len()
	before := d.Stats()
	if n := testing.AllocsPerRun(100, func() { d.Append(""); d.Len(); d.Line(3) }); n > 0 {
		t.Errorf("%v allocations", n)
	}
	if d.Stats() != before {
		t.Errorf("work was done: %+v, before %+v", d.Stats(), before)
	}
}

func TestAppendDoesNoLayout(t *testing.T) {
	d := New(Options{})
	for range 100 {
		d.Append("some *text* that comes in\n\n")
	}
	if s := d.Stats(); s.Parsed != 0 || s.Layouts != 0 {
		t.Fatalf("work was done: %+v", s)
	}
}

func TestPortionsAllocateLittle(t *testing.T) {
	d := New(Options{Width: 100})
	d.Append(answer(64<<10, 5))
	d.Append("\n\nThe last paragraph begins here and has **some** words")
	d.Len()
	if n := testing.AllocsPerRun(50, func() { d.Append(" more"); d.Len() }); n > 100 {
		t.Errorf("%v allocations for a portion of the open paragraph", n)
	}
	d.Append("\n\n```go\n")
	d.Len()
	if n := testing.AllocsPerRun(50, func() { d.Append("x := f(1) // two\n"); d.Len() }); n > 8 {
		t.Errorf("%v allocations for a line of code", n)
	}
}

// A definition lays out again the parts that use its label, and no other.
func TestADefinitionRepairsItsReferences(t *testing.T) {
	d := New(Options{Plain: true})
	d.Append(strings.Repeat("no reference here\n\n", 50) + "see [it]\n\n" + strings.Repeat("- [other] thing\n", 50) + "\nend\n\n")
	d.Len()
	before := d.Stats()
	d.Append("[it]: https://example.com\n\n")
	if rows := strings.Join(d.all(), "\n"); !strings.Contains(rows, "see it (https://example.com)") {
		t.Fatalf("not repaired: %q", rows)
	}
	if n := d.Stats().Blocks - before.Blocks; n > 6 {
		t.Errorf("%d blocks laid out", n)
	}
}

func TestALargeOpenBlockIsNotLaidOutEveryTime(t *testing.T) {
	d := New(Options{})
	d.Append(strings.Repeat("word ", 40_000))
	d.Len()
	before := d.Stats()
	for range 100 {
		d.Append("more ")
		d.Len()
	}
	if n := d.Stats().Layouts - before.Layouts; n > 1 {
		t.Errorf("laid out %d times", n)
	}
	d.End()
	last := d.Line(d.Len() - 1)
	if d.Stats().Layouts == before.Layouts || !strings.HasSuffix(last, "more") {
		t.Errorf("the end is not shown: %q", last)
	}
}
