package session_test

import (
	"testing"

	"parley/session"
)

// TestFilesChangedGoesToItsCall reports what calls changed: during their turn, after its end, in the background twice, and of
// calls that nobody announced.
func TestFilesChangedGoesToItsCall(t *testing.T) {
	var tr session.Transcript
	h := session.Head{Session: "s", Turn: "t1", Gen: 2}
	for _, e := range []session.Event{
		session.TurnStarted{Head: h, Prompt: session.Prompt{ID: "p", Text: "x"}},
		session.ToolStarted{Head: h, Call: "c", Name: "Bash"},
		session.ToolEnded{Head: h, Call: "c", Outcome: session.ToolOK},
		session.TurnEnded{Head: h, Outcome: session.TurnCompleted},
	} {
		tr.Apply(e)
	}
	tool := tr.Turns[0].Entries[0].(*session.Tool)
	for _, c := range []struct {
		name     string
		e        session.FilesChanged
		want     session.Change
		more     int // of the call, -1 for no changes
		accepted int
	}{
		{"a count", session.FilesChanged{Head: h, Unaccepted: 2}, session.Change{Turn: -1, Entry: -1, Meta: true}, -1, 2},
		{"the same count", session.FilesChanged{Head: h, Unaccepted: 2}, session.Change{Turn: -1, Entry: -1, Dropped: true}, -1, 2},
		{"nothing of a call", session.FilesChanged{Head: h, Call: "c", Unaccepted: 7}, session.Change{Turn: -1, Entry: -1, Dropped: true}, -1, 2},
		{"files after the turn", session.FilesChanged{Head: h, Call: "c", More: 3, Unaccepted: 9}, session.Change{Turn: 0, Entry: 0}, 3, 2},
		{"files from a journal, which has no count", session.FilesChanged{Head: h, Call: "c", More: 4}, session.Change{Turn: 0, Entry: 0}, 4, 2},
		{"another count", session.FilesChanged{Head: h, Unaccepted: 5}, session.Change{Turn: -1, Entry: -1, Meta: true}, 4, 5},
		{"an unknown call", session.FilesChanged{Head: h, Call: "?", More: 9}, session.Change{Turn: -1, Entry: -1, Dropped: true}, 4, 5},
		{"without a turn", session.FilesChanged{Head: session.Head{Session: "s", Gen: 2}, Call: "c", Gap: "gap"}, session.Change{Turn: 0, Entry: 0}, 0, 5},
		{"an older generation", session.FilesChanged{Head: session.Head{Session: "s", Gen: 1}, Call: "c", More: 7}, session.Change{Turn: -1, Entry: -1, Dropped: true}, 0, 5},
	} {
		if got := tr.Apply(c.e); got != c.want {
			t.Errorf("%s: it touched %+v, want %+v", c.name, got, c.want)
		}
		more := -1
		if tool.Changes != nil {
			more = tool.Changes.More
		}
		if more != c.more || tr.Unaccepted != c.accepted || len(tr.Turns) != 1 {
			t.Errorf("%s: %d more, %d not accepted, %d turns", c.name, more, tr.Unaccepted, len(tr.Turns))
		}
	}
}
