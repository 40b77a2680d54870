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
