package mapper

import (
	"testing"

	"parley/session"
	"parley/session/process/record"
)

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
			r := record.New(c.from, 1)
			move(r, c.to, testTime)
			same(t, brief(r.Take()), c.want...)
			if want := session.ID(firstOf(c.to, string(c.from))); r.Head.Session != want {
				t.Errorf("session %q, want %q", r.Head.Session, want)
			}
		})
	}
}
