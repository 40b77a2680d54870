package history_test

import (
	"fmt"
	"testing"
	"time"

	"parley/session"
	"parley/session/history"
)

// TestTaskListsComeFromTheJournal merges a transcript without task lists, such as that of Copilot, and one with its own.
func TestTaskListsComeFromTheJournal(t *testing.T) {
	at := func(second int) session.Head {
		return session.Head{Session: "s", Turn: "t1", At: time.Date(2026, 1, 1, 12, 0, second, 0, time.UTC)}
	}
	list := func(second int, text string) session.Event {
		return session.TodosChanged{Head: at(second), Todos: []session.Todo{{Text: text}}}
	}
	turn := func(between ...session.Event) []session.Event {
		all := append([]session.Event{session.TurnStarted{Head: at(1), Prompt: session.Prompt{ID: "t1", Text: "p"}}}, between...)
		return append(all, session.TurnEnded{Head: at(9), Outcome: session.TurnCompleted})
	}
	for name, tt := range map[string]struct {
		truth []session.Event
		want  string
	}{"none": {turn(), "ours"}, "its own": {turn(list(4, "theirs")), "theirs"}} {
		for how, merged := range map[string][]session.Event{
			"whole": history.Merge(tt.truth, turn(list(3, "first"), list(5, "ours"))),
			"end":   history.LastTurns(&session.Tail{Events: tt.truth, Whole: true}, &session.Tail{Events: turn(list(3, "first"), list(5, "ours")), Whole: true}),
		} {
			if got := session.Fold(merged).Todos; len(got) != 1 || got[0].Text != tt.want {
				t.Errorf("%s, %s: %s", name, how, fmt.Sprint(got))
			}
		}
	}
}
