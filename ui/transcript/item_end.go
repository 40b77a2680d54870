package transcript

import (
	"time"

	"parley/session"
	"parley/ui/core"
	"parley/ui/style"
)

// endItem is the end of a turn: what went wrong, and one row with what the turn took.
type endItem struct {
	itemState
	turn *session.Turn
	in   *session.Transcript // whose queue decides about the next steps
	last bool                // the turn of the last prompt, which can be sent again
	// waiting is how many prompts the queue had when the item was renewed.
	waiting int

	models bool      // the session can go on with another model
	renews time.Time // when the allowance is renewed, zero if unknown
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

// failed returns the problem of the turn with what its next steps depend on.
func (it *endItem) failed() core.Failed {
	t := it.turn
	f := core.Failed{Problem: t.Problem, Models: it.models, Renews: it.renews, Kept: it.last && t.Prompt.Text != "", Queue: it.in.Queue}
	if !t.Started.IsZero() {
		f.Ended = t.Started.Add(t.Duration)
	}
	return f
}

// problem returns the rows of what went wrong.
func (it *endItem) problem(l *style.Look) []string {
	t := it.turn
	switch {
	case t.Problem != nil && t.Outcome != session.TurnCompleted && t.Outcome != session.TurnCancelled:
		return problemRows(l, it.failed())
	case t.Outcome == session.TurnLimit:
		return style.Gutter(l.Theme.Warn.Of("!"), l.Measure.Wrap("The turn reached its limit.", l.Inner()))
	case t.Outcome == session.TurnFailed:
		return style.Gutter(l.Theme.Warn.Of("!"), l.Measure.Wrap("The turn failed.", l.Inner()))
	}
	return nil
}

// problemRows returns the rows of a problem, what went wrong in bold, and the next steps.
func problemRows(l *style.Look, p core.Failed) []string {
	what, next := p.Says(l.Now())
	if l.Measure.Width(next) > l.Inner() {
		p.Brief = true
		_, next = p.Says(l.Now())
	}
	rows := l.Measure.Wrap(what, l.Inner())
	for i := range rows {
		rows[i] = l.Theme.Bold.Of(rows[i])
	}
	rows = style.Gutter(l.Theme.Warn.Of("!"), rows)
	if next == "" {
		return rows
	}
	for _, s := range l.Measure.Wrap(next, l.Inner()) {
		rows = append(rows, "  "+l.Theme.Dim.Of(s))
	}
	return rows
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
