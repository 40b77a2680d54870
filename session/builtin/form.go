package builtin

import (
	"context"
	"strings"

	"parley/session"
)

// form is what a call puts to the user instead of running: a question or a plan. It reaches the user in every mode.
type form struct {
	// asked is the ask without its head and id.
	asked session.Asked
	// only, if set, is the one mode in which the user is asked; elsewhere is the result in others.
	only      session.Mode
	elsewhere string
	// settle returns the outcome of an answer, and does what the answer asks for.
	settle func(c *conversation, a session.Answer) outcome
}

// putForm puts a form to the user and returns its outcome.
func (c *conversation) putForm(ctx context.Context, id session.CallID, f *form) outcome {
	if f.only != "" && c.current().Mode != f.only {
		return failed("%s", f.elsewhere)
	}
	f.asked.Call = id
	v, how := c.putToUser(ctx, f.asked, &pendingAsk{answer: make(chan verdict, 1)})
	switch how {
	case session.SettledCancelled:
		return cancelled
	case session.SettledUnattended:
		return outcome{outcome: session.ToolDenied, result: session.ToolResult{Text: v.answer.Message}}
	}
	return f.settle(c, v.answer)
}

// declined returns the outcome of a form that the user refused: plain, or with what they said between before and after.
func declined(message, plain, before, after string) outcome {
	text := plain
	if m := strings.TrimSpace(message); m != "" {
		text = before + m + after
	}
	return outcome{outcome: session.ToolDenied, result: session.ToolResult{Text: text}}
}
