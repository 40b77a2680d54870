package builtin

import (
	"context"

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

// Put puts what a call asks to the user.
func (h host) Put(ctx context.Context, id session.CallID, asked session.Asked) session.Answer {
	if asked.Kind == session.AskElicitation {
		h.l.c.hooks.Notify("elicitation_dialog", "An MCP server asks you something")
	}
	asked.Call = id
	v := putToUser(ctx, h.l, asked, askedFor{})
	if v.How != session.SettledAnswered {
		return session.Answer{Decision: session.Cancel}
	}
	return v.Answer
}

// leavePlan changes to the mode that the approval of a plan asks for and returns it. Without one it is the default mode,
// unless the user has left plan mode already. No plan is approved into a mode that asks nothing.
func (c *conversation) leavePlan(a session.Answer) session.Mode {
	c.mu.Lock()
	switch {
	case a.Mode == session.ModeDefault, a.Mode == session.ModeAcceptEdits:
		c.settings.Mode = a.Mode
	case c.settings.Mode == session.ModePlan:
		c.settings.Mode = session.ModeDefault
	}
	s := c.settings
	c.mu.Unlock()
	c.tell(s)
	return s.Mode
}
