package mapper_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"parley/session"
)

// render draws a transcript without what differs each time: ids, times and counts of tokens.
func render(t *session.Transcript) string {
	var b strings.Builder
	for _, turn := range t.Turns {
		fmt.Fprintf(&b, "turn %s %q", turn.Origin, turn.Prompt.Text)
		if turn.Because != "" {
			fmt.Fprintf(&b, " because %q", turn.Because)
		}
		fmt.Fprintf(&b, ": %s", turn.Outcome)
		if turn.Problem != nil {
			fmt.Fprintf(&b, ", %s %q", turn.Problem.Kind, turn.Problem.What)
		}
		b.WriteString("\n")
		entries(&b, turn.Entries, "  ")
	}
	fmt.Fprintf(&b, "settings %+v todos %+v\n", t.Settings, t.Todos)
	return identifier.ReplaceAllString(b.String(), "ID")
}

func entries(b *strings.Builder, all []session.Entry, in string) {
	for _, e := range all {
		switch e := e.(type) {
		case *session.Part:
			if !e.Retracted {
				fmt.Fprintf(b, "%s%s %q\n", in, e.Kind, e.Text())
			}
		case *session.Tool:
			fmt.Fprintf(b, "%scall %s %s: %s %.200q", in, e.Name, compact(e.Input), ended(e.Ended, string(e.Outcome)), e.Result.Text)
			if e.Result.ExitCode != nil {
				fmt.Fprintf(b, " exit %d", *e.Result.ExitCode)
			}
			if e.Result.Summary != "" || e.Result.Truncated {
				fmt.Fprintf(b, " (%s %s truncated %v)", e.Result.Summary, e.Result.Job, e.Result.Truncated)
			}
			for _, x := range e.Edits {
				fmt.Fprintf(b, " edit %s +%d -%d created %v %q", x.Path, x.Added, x.Removed, x.Created, x.Patch)
			}
			b.WriteString("\n")
		case *session.Child:
			fmt.Fprintf(b, "%schild %s %q background %v: %s %s\n", in, e.Name, e.Description, e.Background, ended(e.Ended, string(e.Outcome)), e.Summary)
			entries(b, e.Entries, in+"  ")
		case *session.Mark:
			mark(b, in, e)
		}
	}
}

func mark(b *strings.Builder, in string, m *session.Mark) {
	raw, _ := json.Marshal(m.Event)
	var fields map[string]any
	json.Unmarshal(raw, &fields)
	for _, k := range []string{"at", "gen", "session", "turn", "id", "call", "prompt", "before", "after", "summary"} {
		delete(fields, k)
	}
	raw, _ = json.Marshal(fields)
	fmt.Fprintf(b, "%smark %T %.300s\n", in, m.Event, raw)
}

// identifier matches what the runtime names differently each time.
var identifier = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|toolu_\w+|\d{4}-\d\d-\d\d \d\d:\d\d:\d\d|elapsed: \d+s`)

// compact returns an input as the runtime may store it: whole numbers are whole.
func compact(input json.RawMessage) string {
	var v any
	if json.Unmarshal(input, &v) != nil {
		return string(input)
	}
	out, _ := json.Marshal(v)
	return string(out)
}

func ended(is bool, outcome string) string {
	if !is {
		return "runs"
	}
	return outcome
}
