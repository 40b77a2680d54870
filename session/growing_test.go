package session

import (
	"strings"
	"testing"
	"unsafe"
)

// FuzzGrowing holds a growing text against a builder.
func FuzzGrowing(f *testing.F) {
	f.Add("one", "", "two", uint8(2))
	f.Add("", "", "", uint8(0))
	f.Add("", "a", "", uint8(1))
	f.Fuzz(func(t *testing.T, a, b, c string, reset uint8) {
		var g growing
		var want strings.Builder
		for i, s := range []string{a, b, c, a} {
			if int(reset) == i {
				g.Reset()
				want.Reset()
			}
			g.WriteString(s)
			want.WriteString(s)
			if g.String() != want.String() || g.Len() != want.Len() {
				t.Fatalf("%q (%d), want %q", g.String(), g.Len(), want.String())
			}
		}
	})
}

// A stored text that is shown by several transcripts is in memory once.
func TestTextsOfOnePieceAreShared(t *testing.T) {
	h := Head{Session: "s", Turn: "t"}
	text := strings.Repeat("words ", 100)
	var r Record
	for _, e := range []Event{TurnStarted{Head: h}, PartStarted{Head: h, Part: "p", Kind: PartText}, PartDelta{Head: h, Part: "p", Text: text},
		PartEnded{Head: h, Part: "p"}, TurnEnded{Head: h, Outcome: TurnCompleted}} {
		r.Add(e)
	}
	for range 2 {
		part := Fold(r.All()).Turns[0].Entries[0].(*Part)
		if part.Text() != text || unsafe.StringData(part.Text()) != unsafe.StringData(text) {
			t.Error("the text was copied")
		}
	}
}

// A text that is streamed to an agent's transcript, to the log and to several readers is in memory once, however often they
// read.
func TestStreamedTextIsInMemoryOnce(t *testing.T) {
	h := Head{Session: "s", Turn: "t"}
	var agent, often, seldom Transcript
	var l Log
	_, each := l.Read(nil)
	_, some := l.Read(nil)
	out := NewOutbox(func(e Event) { l.Add(e) })
	emit := func(e Event) {
		agent.Apply(e)
		out.Put(ShareText(&agent, e))
	}
	apply := func(t *Transcript, r *Reader) {
		for _, e := range r.Take() {
			t.Apply(e)
		}
	}
	emit(TurnStarted{Head: h})
	emit(PartStarted{Head: h, Part: "p", Kind: PartText})
	for i := range 10_000 {
		emit(PartDelta{Head: h, Part: "p", Text: strings.Repeat("word ", i%5)})
		if i%3 == 0 { // some are joined on their way
			out.Deliver()
		}
		apply(&often, each)
		if i%100 == 0 {
			apply(&seldom, some)
		}
	}
	emit(PartEnded{Head: h, Part: "p"})
	out.Deliver()
	apply(&often, each)
	apply(&seldom, some)
	want := agent.Turns[0].Entries[0].(*Part).Text()
	late := Fold(l.All())
	for name, tr := range map[string]*Transcript{"one that reads often": &often, "one that reads seldom": &seldom, "one that came late": late} {
		got := tr.Turns[0].Entries[0].(*Part).Text()
		if got != want || unsafe.StringData(got) != unsafe.StringData(want) {
			t.Errorf("%s has its own %d bytes of %d", name, len(got), len(want))
		}
	}
}

// Without a text to share, and with one that does not fit, a growing text is what was appended.
func TestExtendChecksTheText(t *testing.T) {
	for _, tc := range []struct{ had, more, whole string }{{"", "b", "b"}, {"a", "b", ""}, {"a", "b", "xb"}, {"a", "b", "ab"}, {"a", "b", "xyab"},
		{"aa", "b", "ab"}, {"a", "", "a"}, {"", "", ""}} {
		var g growing
		g.WriteString(tc.had)
		g.extend(tc.more, tc.whole)
		g.WriteString("!")
		if g.String() != tc.had+tc.more+"!" {
			t.Errorf("%q after %q of %q: %q", tc.more, tc.had, tc.whole, g.String())
		}
	}
}

// What another event cuts off from a streamed text does not hold all of that in memory.
func TestARecordHoldsNoMoreThanItsText(t *testing.T) {
	var agent Transcript
	var r Record
	for range 20 {
		for _, e := range []Event{PartDelta{Part: "p", Text: "some "}, PartDelta{Part: "p", Text: "words "}, Notice{}} {
			agent.Apply(e)
			r.Add(ShareText(&agent, e))
		}
	}
	all := r.All()
	whole := agent.Turns[0].Entries[0].(*Part).Text()
	got := ""
	for i, e := range all {
		text, _ := Fragment(e)
		got += text
		if text != "" && wholeOf(e) != "" {
			t.Errorf("event %d holds %d bytes", i, len(wholeOf(e)))
		}
	}
	if got != whole || len(all) != 40 {
		t.Errorf("%d events: %q", len(all), got)
	}
}
