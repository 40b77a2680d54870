package ui

import (
	"strings"
	"time"

	"parley/session"
	"parley/ui/chat"
	"parley/ui/style"
)

// noticeItem is a line that is neither answer nor tool: a notice, a compaction, a change of model or mode.
type noticeItem struct {
	itemState
	mark *session.Mark
	// first says that nothing was done before it: what a conversation begins with is no change.
	first bool
	// superseded says that a change of the same kind follows at once.
	superseded bool
}

func (it *noticeItem) foldable() bool { return it.rest() != "" }

// rest is what the runtime left behind besides what went wrong, such as the end of what it wrote on its error output.
func (it *noticeItem) rest() string {
	e, ok := it.mark.Event.(session.RuntimeChanged)
	if !ok {
		return ""
	}
	_, rest, _ := strings.Cut(strings.TrimSpace(e.Detail), "\n")
	return strings.Trim(rest, "\n")
}

func (it *noticeItem) layout(l *style.Look) []string {
	text, loud := chat.NoticeText(it.mark.Event)
	if text == "" {
		return nil
	}
	rows := l.Measure.Wrap(style.Visible(text), l.Inner())
	if loud {
		rows = style.Gutter(l.Theme.Warn.Of("!"), rows)
	} else {
		for i := range rows {
			rows[i] = l.Theme.Dim.Of(rows[i])
		}
		rows = style.Gutter(" ", rows)
	}
	rest := it.rest()
	switch {
	case rest == "":
	case it.isOpen(false):
		rows = append(rows, style.Indent(outputRows(l, rest, l.Inner()-2))...)
	default:
		s := "… " + style.Count(style.Lines(rest), "line", "lines") + " of its output"
		if it.marked {
			s += " · " + l.Fold() + " shows them"
		}
		rows = append(rows, "  "+l.Theme.Dim.Of(s))
	}
	return rows
}

// endItem is how a turn ended, where that is worth a line.
type endItem struct {
	itemState
	turn *session.Turn
	last bool // no later turn: the prompt can still be brought back
}

func (it *endItem) foldable() bool { return false }

// quiet reports whether the end of the turn is not worth a line.
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
		return style.Gutter(l.Theme.Warn.Of("!"), l.Measure.Wrap("The turn ran into its limit.", l.Inner()))
	case t.Problem == nil:
		return style.Gutter(l.Theme.Warn.Of("!"), l.Measure.Wrap("The turn failed.", l.Inner()))
	}
	return problemRows(l, t.Problem, it.last && t.Prompt.Text != "")
}

// problemRows says what went wrong and what now. kept says that the prompt can be brought back with the up key.
func problemRows(l *style.Look, p *session.Problem, kept bool) []string {
	what := style.Visible(p.What)
	if when := resets(p.RetryAt, l.Now()); when != "" {
		what += " It can be tried again " + when + "."
	}
	rows := style.Gutter(l.Theme.Warn.Of("!"), l.Measure.Wrap(what, l.Inner()))
	next := style.Visible(p.Next)
	if p.Retry && kept {
		if next != "" {
			next += " · "
		}
		next += "enter sends it again · ↑ edits it"
	}
	if next == "" {
		return rows
	}
	for _, s := range l.Measure.Wrap(next, l.Inner()) {
		rows = append(rows, "  "+l.Theme.Dim.Of(s))
	}
	return rows
}

// resets says from when on something is possible again; empty if unknown, past, or so soon that counting is enough.
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
