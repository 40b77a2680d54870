package child

import (
	"encoding/json"
	"slices"
	"strings"

	"parley/internal/human"
	"parley/session"
	"parley/session/toolview"
	"parley/ui/style"
)

// Doing returns a child's number of calls (with a comma, "" for none), its state, and whether it waits for the user.
func Doing(l *style.Look, c *session.Child) (calls, state string, asks bool) {
	tools := 0
	for _, e := range c.Entries {
		if _, is := e.(*session.Tool); is {
			tools++
		}
	}
	if tools > 0 {
		calls = human.Count(tools, "tool call", "tool calls") + ", "
	}
	switch {
	case Asks(c):
		return calls, "asks", true
	case !c.Ended && c.Background:
		state = "in the background"
	case !c.Ended:
		state = "working"
		if took := l.Now().Sub(c.Started); !c.Started.IsZero() && took >= style.Noticeable {
			state += ", " + human.Seconds(took)
		}
	case c.Outcome == session.TurnCancelled:
		state = "stopped"
	case c.Outcome == session.TurnFailed:
		state = "failed"
	default:
		state = "done"
	}
	return calls, state, false
}

// Asks reports whether a child waits for the user.
func Asks(c *session.Child) bool {
	return slices.ContainsFunc(c.Entries, func(e session.Entry) bool { a, is := e.(*session.Ask); return is && !a.Settled })
}

// Rows returns what a child did: a row for each call and its text in full.
func Rows(l *style.Look, c *session.Child) []string {
	var rows []string
	add := func(s style.Style, text string) {
		for _, r := range l.Measure.Wrap(text, l.Inner()-2) {
			rows = append(rows, s.Of(r))
		}
	}
	for _, e := range c.Entries {
		switch e := e.(type) {
		case *session.Part:
			if e.Kind == session.PartText && !e.Retracted {
				add("", strings.Trim(style.Visible(e.Text()), "\n"))
			}
		case *session.Tool:
			in := e.Input
			if !e.Ready {
				in = json.RawMessage(e.Partial())
			}
			d := toolview.Describe(e.Name, in, l.Dir)
			verb := d.Ended(e.Outcome)
			switch {
			case !e.Ended && !e.Ready:
				verb = d.Want
			case !e.Ended:
				verb = d.Present
			}
			add(l.Theme.Dim, "• "+style.Visible(style.OneLine(verb+" "+d.Subject)))
		case *session.Mark:
			if e.Prompt != nil { // of the user, or of the agent that started it
				add(l.Theme.Accent, "> "+style.Visible(style.OneLine(e.Prompt.Text)))
			}
		case *session.Child:
			add(l.Theme.Dim, "• "+style.Visible(style.OneLine(e.Name+"  "+e.Description)))
			for _, r := range Rows(l, e) {
				rows = append(rows, strings.TrimPrefix(r, "  "))
			}
		}
	}
	return style.Indent(rows)
}

// Text returns the text of a child agent and the inputs of its calls.
func Text(c *session.Child) string {
	var b strings.Builder
	for _, e := range c.Entries {
		switch e := e.(type) {
		case *session.Part:
			if e.Kind == session.PartText && !e.Retracted {
				b.WriteString(e.Text() + "\n")
			}
		case *session.Tool:
			b.Write(e.Input)
			b.WriteByte('\n')
		case *session.Child:
			b.WriteString(e.Name + "  " + e.Description + "\n" + Text(e))
		}
	}
	return b.String()
}
