package transcript

import (
	"strings"
	"time"

	"parley/session"
	"parley/ui/core"
	"parley/ui/style"
)

// endItem is the end of a turn: what went wrong, and one row with what the turn took.
type endItem struct {
	itemState
	turn *session.Turn
	last bool // the turn of the last prompt, which can be sent again
}

func (it *endItem) layout(l *style.Look) []string {
	rows := it.problem(l)
	if it.empty() {
		return nil
	}
	if text := core.TurnEnd(it.turn); text != "" {
		rows = append(rows, "  "+l.Theme.Dim.Of(l.Measure.Clip(text, l.Inner())))
	}
	return rows
}

// problem returns the rows of what went wrong.
func (it *endItem) problem(l *style.Look) []string {
	t := it.turn
	switch {
	case t.Problem != nil && t.Outcome != session.TurnCompleted && t.Outcome != session.TurnCancelled:
		return problemRows(l, t.Problem, it.last && t.Prompt.Text != "")
	case t.Outcome == session.TurnLimit:
		return style.Gutter(l.Theme.Warn.Of("!"), l.Measure.Wrap("The turn reached its limit.", l.Inner()))
	case t.Outcome == session.TurnFailed:
		return style.Gutter(l.Theme.Warn.Of("!"), l.Measure.Wrap("The turn failed.", l.Inner()))
	}
	return nil
}

// problemRows returns the rows of a problem and the next step. kept reports that the prompt can be sent again.
func problemRows(l *style.Look, p *session.Problem, kept bool) []string {
	what, next := style.Visible(p.What), style.Visible(p.Next)
	if when := resets(p.RetryAt, l.Now()); when != "" {
		what, next = dated(what, next, "Try again "+when)
	}
	rows := style.Gutter(l.Theme.Warn.Of("!"), l.Measure.Wrap(what, l.Inner()))
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

// dated returns what went wrong and the next step with the time of the next try in one of them: in place of a step's "Try again
// in 60 min", else behind what went wrong.
func dated(what, next, again string) (string, string) {
	waits, ok := strings.CutPrefix(next, "Try again in ")
	if !ok {
		return what + " " + again + ".", next
	}
	if end := strings.IndexAny(waits, ",."); end >= 0 {
		return what, again + waits[end:]
	}
	return what, again
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
	shown = core.TurnEnd(it.turn)
	if p := it.turn.Problem; p != nil {
		shown = p.What + "\n" + p.Next + "\n" + shown
	}
	return shown, ""
}

// empty reports whether the end of the turn is not shown.
func (it *endItem) empty() bool {
	t := it.turn
	quiet := t.Outcome == "" || t.Problem == nil && t.Outcome == session.TurnRefused
	return quiet || t.Outcome == session.TurnCompleted && core.TurnEnd(t) == ""
}

// finished reports whether the rows no longer offer to send the prompt again.
func (it *endItem) finished() bool {
	return it.empty() || !it.last || it.turn.Problem == nil || it.turn.Outcome == session.TurnCompleted || it.turn.Outcome == session.TurnCancelled
}
