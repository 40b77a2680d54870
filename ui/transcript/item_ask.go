package transcript

import (
	"math"
	"strings"

	"parley/internal/human"
	"parley/session"
	"parley/ui/core"
	"parley/ui/scroll"
	"parley/ui/style"
	"parley/ui/transcript/align"
	"parley/ui/transcript/tool"
)

// askItem is a question to the user where no tool row shows it: a plan, a form, a permission without a call.
type askItem struct {
	itemState
	ask *session.Ask
	// shownAbove reports that the row of a call shows the ask.
	shownAbove bool
	of         *call // what it is about; nil for an ask without a call
	plan       *document
	planText   string // of the document
}

func (it *askItem) foldable() bool { return it.ask.Plan != nil && it.ask.Settled }

func (it *askItem) layout(l *style.Look) []string {
	switch a := it.ask; {
	case a.Plan != nil:
		return it.planRows(l)
	case it.shownAbove:
		return nil
	case a.Permission != nil:
		return it.permissionRows(l)
	case a.Question != nil:
		return it.questionRows(l)
	case a.Elicitation != nil:
		e := a.Elicitation
		return it.line(l, style.Visible(e.Server)+" asks: "+style.Visible(style.OneLine(e.Message)), it.outcome())
	}
	return nil
}

// line returns one row with the outcome of the ask at its right end.
func (it *askItem) line(l *style.Look, left, right string) []string {
	if !it.ask.Settled {
		right = ""
		if it.ask.Permission != nil || it.ask.Plan != nil {
			right = "asks"
		}
	}
	return []string{l.Theme.Dim.Of("•") + " " + l.Measure.Spread(left, l.Theme.Dim.Of(l.Measure.Clip(right, l.Span()/2)), l.Span())}
}

// outcome returns a word for the outcome of the ask, "" while it is open.
func (it *askItem) outcome() string {
	s := it.ask.Settlement
	switch {
	case !it.ask.Settled:
		return ""
	case s.How == session.SettledCancelled:
		return "stopped"
	case s.How == session.SettledUnattended || s.Answer.Decision == session.Deny:
		return "denied"
	case s.Answer.Decision == session.Cancel:
		return "closed"
	}
	return "allowed"
}

func (it *askItem) permissionRows(l *style.Look) []string {
	p := it.ask.Permission
	rows := it.line(l, "wants to use "+style.Visible(p.Tool), it.outcome())
	if !it.ask.Settled {
		rows = append(rows, tool.EditRows(l, p.Edits(), math.MaxInt, false)...)
	}
	return rows
}

func (it *askItem) questionRows(l *style.Look) []string {
	var rows []string
	for _, q := range it.ask.Question.Questions {
		answer := it.outcome()
		if c := it.ask.Settlement.Answer.Choices[q.Text]; len(c) > 0 {
			answer = style.Visible(style.OneLine(strings.Join(c, ", ")))
		} else if answer == "denied" {
			answer = "declined"
		} else if answer == "allowed" {
			answer = "not answered"
		}
		verb := "asks: "
		if it.ask.Settled {
			verb = "asked: "
		}
		rows = append(rows, it.answerRows(l, verb+style.Visible(style.OneLine(q.Text)), answer)...)
		if note := it.ask.Settlement.Answer.Notes[q.Text]; note != "" {
			for _, s := range l.Measure.Wrap("note: "+style.Visible(note), l.Inner()-2) {
				rows = append(rows, "    "+l.Theme.Dim.Of(s))
			}
		}
	}
	return append(rows, messageRows(l, it.ask.Settlement.Answer.Message)...)
}

// answerRows returns a question with its answer at the end of the row, or below it where both do not fit.
func (it *askItem) answerRows(l *style.Look, question, answer string) []string {
	if l.Measure.Width(question)+2+l.Measure.Width(answer) <= l.Span() {
		return []string{l.Theme.Dim.Of("•") + " " + l.Measure.Spread(question, l.Theme.Dim.Of(answer), l.Span())}
	}
	rows := style.Gutter(l.Theme.Dim.Of("•"), l.Measure.Wrap(question, l.Inner()))
	if answer == "" {
		return rows
	}
	for _, s := range l.Measure.Wrap(answer, l.Inner()-2) {
		rows = append(rows, "    "+l.Theme.Dim.Of(s))
	}
	return rows
}

func (it *askItem) planRows(l *style.Look) []string {
	head := "proposes a plan"
	if it.ask.Settled {
		head = "proposed a plan"
	}
	right := l.Hint(it.planOutcome(), it.ask.Settled && it.marked)
	rows := it.line(l, head, right)
	if !it.ask.Settled || it.isOpen() {
		text := it.finalPlan()
		if it.plan == nil || it.planText != text {
			it.plan, it.planText = newDocument(), text
		}
		it.plan.set(text)
		if strings.TrimSpace(text) == "" {
			rows = append(rows, "  "+l.Theme.Dim.Of("the agent wrote no plan"))
		}
		for _, r := range it.plan.rows(l, 2) {
			if r != "" {
				r = "  " + r
			}
			rows = append(rows, r)
		}
	}
	return append(rows, messageRows(l, it.ask.Settlement.Answer.Message)...)
}

// finalPlan returns the plan as it was approved: the user's version, or what was proposed.
func (it *askItem) finalPlan() string {
	if edited := it.ask.Settlement.Answer.Plan; edited != "" {
		return edited
	}
	return it.ask.Plan.Plan
}

// planOutcome returns a few words for the outcome of a plan.
func (it *askItem) planOutcome() string {
	a := it.ask.Settlement.Answer
	switch s := it.outcome(); {
	case s == "allowed" && a.Plan != "" && a.Mode != "" && a.Mode != session.ModeDefault:
		return "approved as you changed it, " + core.ModeName(a.Mode)
	case s == "allowed" && a.Plan != "":
		return "approved as you changed it"
	case s == "allowed" && a.Mode != "" && a.Mode != session.ModeDefault:
		return "approved, " + core.ModeName(a.Mode)
	case s == "allowed":
		return "approved"
	case s == "denied" && it.ask.Settlement.How == session.SettledAnswered:
		return "still planning"
	default:
		return s
	}
}

// messageRows returns the rows of the user's message to the agent with an answer.
func messageRows(l *style.Look, message string) []string {
	if message == "" {
		return nil
	}
	said := "you said: " + style.Visible(message)
	if rest, ok := strings.CutPrefix(message, core.EditedPlan); ok {
		said = "you edited it, " + human.Count(style.Lines(rest), "line", "lines") + " now"
	}
	var rows []string
	for _, s := range l.Measure.Wrap(said, l.Inner()-2) {
		rows = append(rows, "    "+l.Theme.Dim.Of(s))
	}
	return rows
}

func (it *askItem) text(*style.Look) (shown, folded string) {
	a := it.ask
	var b strings.Builder
	switch {
	case a.Plan != nil:
		return "proposed a plan " + a.Settlement.Answer.Message, it.finalPlan()
	case a.Permission != nil:
		b.WriteString(a.Permission.Tool)
	case a.Question != nil:
		for _, q := range a.Question.Questions {
			b.WriteString(style.OneLine(q.Text) + " " + strings.Join(a.Settlement.Answer.Choices[q.Text], ", ") + " " + a.Settlement.Answer.Notes[q.Text] + "\n")
		}
	case a.Elicitation != nil:
		b.WriteString(a.Elicitation.Server + " asks: " + style.OneLine(a.Elicitation.Message))
	}
	b.WriteString(a.Settlement.Answer.Message)
	return b.String(), ""
}

func (it *askItem) trace(rows []string, _ *style.Look) scroll.Trace {
	if a := it.ask; a.Plan != nil && it.plan != nil && (!a.Settled || it.isOpen()) {
		return it.plan.trace(1, 2)
	}
	return align.Rows(rows, 4)
}

func (it *askItem) empty() bool    { return it.shownAbove }
func (it *askItem) finished() bool { return it.ask.Settled }
func (it *askItem) close() bool    { return it.ask.Plan == nil }

func (it *askItem) openAsk() *session.Ask {
	if it.ask.Settled {
		return nil
	}
	return it.ask
}

// added connects the ask with the row of the call that it is about.
func (it *askItem) added(f *feed, _ int) { f.tieAsk(it) }
