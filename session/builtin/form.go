package builtin

import (
	"context"
	"strings"

	"parley/session"
	"parley/session/builtin/tool"
)

// putForm puts a form to the user and returns its outcome.
func (l *loop) putForm(ctx context.Context, id session.CallID, f *tool.Form) tool.Outcome {
	if f.Only != "" && l.c.current().Mode != f.Only {
		return tool.Failed("%s", f.Elsewhere)
	}
	f.Asked.Call = id
	v := putToUser(ctx, l, f.Asked, askedFor{})
	switch v.How {
	case session.SettledCancelled:
		return tool.Cancelled
	case session.SettledUnattended:
		return tool.Outcome{How: session.ToolDenied, Result: session.ToolResult{Text: v.Answer.Message}}
	}
	return f.Settle(l.c.leavePlan, v.Answer)
}

// Elicit puts a question of an MCP server to the user.
func (l *loop) Elicit(ctx context.Context, id session.CallID, ask session.ElicitationAsk) session.Answer {
	v := putToUser(ctx, l, session.Asked{Kind: session.AskElicitation, Call: id, Elicitation: &ask}, askedFor{})
	if v.How != session.SettledAnswered {
		return session.Answer{Decision: session.Cancel}
	}
	return v.Answer
}

// declined returns the outcome of a form that the user refused: plain, or with what they said between before and after.
func declined(message, plain, before, after string) tool.Outcome {
	text := plain
	if m := strings.TrimSpace(message); m != "" {
		text = before + m + after
	}
	return tool.Outcome{How: session.ToolDenied, Result: session.ToolResult{Text: text}}
}
