package question

import (
	"strings"

	"parley/session"
	"parley/session/toolview"
	"parley/ui/style"
)

// Ended describes a question that ended without an answer of the user's: which one, and why. The text is not visible yet.
func Ended(a *session.Ask, dir string) string {
	return "The question about " + subjectOf(a, dir) + " ended: " + whyEnded(a.Settlement)
}

// whyEnded returns what ended an ask.
func whyEnded(s session.Settled) string {
	switch {
	case s.Why != "":
		return style.OneLine(s.Why)
	case s.How == session.SettledUnattended:
		return "it was refused, because no user could answer"
	case s.How != session.SettledAnswered:
		return session.WhyInterrupted
	case s.Answer.Decision != session.Allow:
		return "it was refused elsewhere"
	}
	return "it was answered elsewhere"
}

// maxNamed is how many characters of a command name it.
const maxNamed = 60

// subjectOf returns a few words for what an ask is about.
func subjectOf(a *session.Ask, dir string) string {
	switch p := a.Permission; {
	case a.Plan != nil:
		return "the plan"
	case a.Question != nil && len(a.Question.Questions) > 0:
		return quoted(a.Question.Questions[0].Text)
	case a.Elicitation != nil && a.Elicitation.Server != "":
		return "what " + style.OneLine(a.Elicitation.Server) + " asks"
	case p == nil:
		return "what the agent asks"
	case p.Command != "":
		return quoted(p.Command)
	case p.Path != "":
		return shortened(p.Path, dir, "")
	default:
		d := toolview.Describe(p.Tool, p.Input, dir)
		return strings.TrimSpace(p.Tool + " " + style.OneLine(d.Subject))
	}
}

// quoted returns the beginning of a text between backquotes.
func quoted(s string) string {
	short := []rune(style.OneLine(s))
	if len(short) > maxNamed {
		short = append(short[:maxNamed-1], '…')
	}
	return "`" + string(short) + "`"
}
