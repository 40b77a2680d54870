package sessiontest

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"parley/session"
)

// SameEnd says how turns differ from the end of all turns, apart from the ids of those that nobody prompted, and whether
// other settings hold then. It returns "" if they are the same, and how many turns were compared.
func SameEnd(end, all *session.Transcript) (compared int, difference string) {
	got, want := named(end), named(all)
	if len(got) > len(want) {
		return 0, fmt.Sprintf("%d turns of %d", len(got), len(want))
	}
	want = want[len(want)-len(got):]
	for i, turn := range got {
		if turn.Origin != session.OriginAutonomous && turn.ID != want[i].ID {
			return i, fmt.Sprintf("turn %s is %s", want[i].ID, turn.ID)
		}
		if a, b := shown(want[i]), shown(turn); a != b {
			return i, fmt.Sprintf("turn %s is\n%s\nand should be\n%s", turn.ID, b, a)
		}
	}
	if len(got) > 0 && end.Settings != all.Settings {
		return len(got), fmt.Sprintf("the settings are %+v and should be %+v", end.Settings, all.Settings)
	}
	if a, b := asJSON(all.Todos), asJSON(end.Todos); len(got) > 0 && a != b {
		return len(got), fmt.Sprintf("the tasks are %s and should be %s", b, a)
	}
	return len(got), ""
}

// TailOf is the end of a journal, from its event i on.
func TailOf(journal []session.Event, i int) session.Tail {
	t := session.Tail{Events: journal[i:], Size: 1, Whole: i == 0}
	for _, e := range journal[:i] {
		t.Before, _ = t.Before.After(e)
	}
	for _, e := range journal {
		if e, ok := e.(session.TodosChanged); ok {
			t.Todos = e.Todos
		}
	}
	return t
}

// named are the turns that somebody or something began.
func named(t *session.Transcript) []*session.Turn {
	return slices.DeleteFunc(slices.Clone(t.Turns), func(turn *session.Turn) bool { return turn.ID == "" })
}

// shown is all that a turn shows.
func shown(turn *session.Turn) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%+v %s %s %s %+v %d %s %s %v\n", turn.Prompt, turn.Origin, turn.Outcome, asJSON(turn.Problem), turn.Usage,
		turn.NanoAIU, turn.Model, turn.Duration, turn.Started)
	list(&b, turn.Entries, "  ")
	return b.String()
}

func list(b *strings.Builder, entries []session.Entry, indent string) {
	for _, e := range entries {
		switch e := e.(type) {
		case *session.Part:
			fmt.Fprintf(b, "%s%s %s %q %v %v %v\n", indent, e.ID, e.Kind, e.Text(), e.Ended, e.Retracted, e.Started)
		case *session.Tool:
			fmt.Fprintf(b, "%s%s %s %s %q %q %s %s %s %s", indent, e.Call, e.Name, e.Input, e.Partial(), e.Output(), e.Outcome,
				asJSON(e.Result), asJSON(e.Edits), e.Duration)
			if c := e.Changes; c != nil {
				fmt.Fprintf(b, " %s %d %q", asJSON(c.Edits), c.More, c.Gap)
			}
			b.WriteByte('\n')
		case *session.Child:
			fmt.Fprintf(b, "%schild of %s %s %q %s %v %v\n", indent, e.Call, e.Name, e.Description, e.Outcome, e.Background, e.Ended)
			list(b, e.Entries, indent+"  ")
		case *session.Ask:
			fmt.Fprintf(b, "%sask %s %s %v %s\n", indent, e.Asked.Ask, e.Kind, e.Settled, e.Settlement.Answer.Decision)
		case *session.Mark:
			fmt.Fprintf(b, "%s%s %s\n", indent, session.EventType(e.Event), asJSON(e.Prompt))
		}
	}
}

func asJSON(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(b)
}
