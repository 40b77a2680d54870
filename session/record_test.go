package session

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Only neighbours of one part, call and generation become one event, with the head of the first.
func TestRecordMergesNeighbours(t *testing.T) {
	a, late := Head{Turn: "t", Gen: 1}, Head{Turn: "t", Gen: 2}
	var r Record
	for _, e := range []Event{
		PartDelta{Head: a, Part: "p", Text: "one "}, PartDelta{Head: a, Part: "p", Text: "two"},
		PartDelta{Head: late, Part: "p", Text: "three"}, PartDelta{Head: late, Part: "q", Text: "four"},
		ToolInput{Head: late, Call: "c", Fragment: "{"}, ToolOutput{Head: late, Call: "c", Text: "x"}, PartEnded{Head: late, Part: "q"},
		ToolOutput{Head: late, Call: "c", Text: "y"}, ToolOutput{Head: late, Call: "c", Text: "z"},
	} {
		r.Add(e)
	}
	want := []Event{
		PartDelta{Head: a, Part: "p", Text: "one two"}, PartDelta{Head: late, Part: "p", Text: "three"}, PartDelta{Head: late, Part: "q", Text: "four"},
		ToolInput{Head: late, Call: "c", Fragment: "{"}, ToolOutput{Head: late, Call: "c", Text: "x"}, PartEnded{Head: late, Part: "q"},
		ToolOutput{Head: late, Call: "c", Text: "yz"},
	}
	if diff := cmp.Diff(want, r.All()); diff != "" {
		t.Error(diff)
	}
	r.Add(ToolOutput{Head: late, Call: "c", Text: "!"})
	want[len(want)-1] = ToolOutput{Head: late, Call: "c", Text: "yz!"}
	if diff := cmp.Diff(want, r.Take()); diff != "" {
		t.Error(diff)
	}
	r.Add(ToolOutput{Head: late, Call: "c", Text: "again"})
	if diff := cmp.Diff([]Event{ToolOutput{Head: late, Call: "c", Text: "again"}}, r.Take()); diff != "" || len(r.All()) > 0 {
		t.Error(diff)
	}
}
