package transcript

import (
	"time"

	"parley/session"
	"parley/ui/style"
)

// endItem is the end of a turn that did not complete.
type endItem struct {
	itemState
	turn *session.Turn
	last bool // the turn of the last prompt, which can be sent again
}

// quiet reports whether the end of the turn is not shown.
func (it *endItem) quiet() bool {
	t := it.turn
	return t.Outcome == session.TurnCompleted || t.Outcome == "" || t.Problem == nil && t.Outcome == session.TurnRefused
}

func (it *endItem) layout(l *style.Look) []string {
	t := it.turn
	switch {
	case it.quiet():
		return nil
	case t.Outcome == session.TurnCancelled:
		return []string{"  " + l.Theme.Dim.Of("interrupted")}
	case t.Problem == nil && t.Outcome == session.TurnLimit:
		return style.Gutter(l.Theme.Warn.Of("!"), l.Measure.Wrap("The turn reached its limit.", l.Inner()))
	case t.Problem == nil:
		return style.Gutter(l.Theme.Warn.Of("!"), l.Measure.Wrap("The turn failed.", l.Inner()))
	}
	return problemRows(l, t.Problem, it.last && t.Prompt.Text != "")
}

// problemRows returns the rows of a problem and the next step. kept reports that the prompt can be sent again.
func problemRows(l *style.Look, p *session.Problem, kept bool) []string {
	what := style.Visible(p.What)
	if when := resets(p.RetryAt, l.Now()); when != "" {
		what += " Try again " + when + "."
	}
	rows := style.Gutter(l.Theme.Warn.Of("!"), l.Measure.Wrap(what, l.Inner()))
	next := style.Visible(p.Next)
	if p.Retry && kept {
		if next != "" {
			next += " · "
		}
		next += "enter resends it · ↑ edits it"
	}
	if next == "" {
		return rows
	}
	for _, s := range l.Measure.Wrap(next, l.Inner()) {
		rows = append(rows, "  "+l.Theme.Dim.Of(s))
	}
	return rows
}

// resets returns words for the time from which something is possible again; "" if that is unknown, past or in a minute.
func resets(at, now time.Time) string {
	if at.IsZero() || at.Sub(now) < time.Minute {
		return ""
	}
	at = at.In(now.Location())
	if at.Sub(now) < 20*time.Hour {
		return "at " + at.Format("15:04")
	}
	return "on " + at.Format("Monday 2 January at 15:04")
}

func (it *endItem) text(*style.Look) (shown, folded string) {
	if p := it.turn.Problem; p != nil {
		return p.What + "\n" + p.Next, ""
	}
	return "", ""
}

func (it *endItem) empty() bool { return it.quiet() }

// finished reports whether the rows no longer offer to send the prompt again.
func (it *endItem) finished() bool { return it.quiet() || !it.last }
