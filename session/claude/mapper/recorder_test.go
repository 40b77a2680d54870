package mapper

import (
	"testing"

	"parley/session"
)

func TestHeads(t *testing.T) {
	r := newRecorder("s", 3)
	r.turn = "now"
	r.childTurns["old"] = "before"
	r.childTurns["auto"] = "" // started between turns
	for child, turn := range map[session.CallID]session.TurnID{"": "now", "old": "before", "auto": "now", "unknown": "now"} {
		want := session.Head{Session: "s", Gen: 3, Turn: turn, Child: session.ChildID(child), At: testTime}
		if got := r.in(child, testTime); got != want {
			t.Errorf("in %q: %+v, want %+v", child, got, want)
		}
	}
}

func TestMoveReportsAnotherSession(t *testing.T) {
	for name, c := range map[string]struct {
		from session.ID
		to   string
		want []string
	}{
		"first id":   {"", "a", nil},
		"same id":    {"a", "a", nil},
		"no id":      {"a", "", nil},
		"another id": {"a", "b", []string{`session_id_changed{"id":"b"}`}},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRecorder(c.from, 1)
			r.move(c.to, testTime)
			same(t, brief(r.take()), c.want...)
			if want := session.ID(firstOf(c.to, string(c.from))); r.head.Session != want {
				t.Errorf("session %q, want %q", r.head.Session, want)
			}
		})
	}
}
