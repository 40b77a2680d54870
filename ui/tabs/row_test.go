package tabs

import (
	"strings"
	"testing"

	"parley/session"
	"parley/session/live"
	"parley/session/sessiontest"
	"parley/ui/style"
)

// TestARowWithoutRoom names as many tabs as have room, and says of the others how many they are and ask.
func TestARowWithoutRoom(t *testing.T) {
	m := sessiontest.NewWorld().Manager()
	s := &Set{look: &style.Look{}}
	for i, title := range []string{"mend the retries", "読む 読む 読む 読む", "\x1b[2J\u202ehostile", strings.Repeat("long ", 2000)} {
		one, err := m.Draft(live.DraftOptions{Dir: "/d"})
		if err != nil {
			t.Fatal(err)
		}
		does := works
		if i > 1 {
			does = asks
		}
		s.all = append(s.all, &Tab{number: i + 1, session: one, t: &session.Transcript{Title: title}, does: does})
	}
	for width, want := range map[int]string{
		200: "asks you · 4 long", 60: "  1 mend …  works · 2 読む …  works +2, 2 ask", 40: "  1 mend …  works +3, 2 ask", 14: "   +4, 2 ask",
	} {
		row, ends := s.row(width)
		if !strings.Contains(row, want) || s.look.Measure.Width(row) > width || strings.ContainsAny(row, "\x1b\u202e") || len(ends) > 0 && s.At(ends[0]-1, width) != s.all[0].session.ID() {
			t.Errorf("%d columns: %q, %v", width, row, ends)
		}
	}
}
