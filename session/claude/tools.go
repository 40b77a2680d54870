package claude

import (
	"context"
	"slices"

	"parley/session"
	"parley/session/clienttools"
	"parley/session/process"
)

var _ session.ClientTools = (*conversation)(nil)

// SetTools sets the tools of parley that the runtime has, starting with the next prompt.
func (c *conversation) SetTools(_ context.Context, tools []session.ClientTool) error {
	c.Mu.Lock()
	defer c.Mu.Unlock()
	c.o.Tools = tools
	return nil
}

// offered returns the tools that an agent gets, nil for the runtime's own: one with a list gets what it names.
func offered(tools []session.ClientTool, chosen *session.CustomAgent) []session.ClientTool {
	if chosen == nil {
		return tools
	}
	return slices.DeleteFunc(slices.Clone(tools), func(t session.ClientTool) bool {
		return chosen.Tools != nil && (t.Private || !clienttools.Names(chosen.Tools, t.Name)) || clienttools.Names(chosen.Denied, t.Name)
	})
}

// hasTools reports whether a process was started with the tools that are set now.
func (c *conversation) hasTools(e *engine) bool {
	c.Mu.Lock()
	defer c.Mu.Unlock()
	return session.SameTools(c.o.Tools, e.launch.given)
}

// call runs a tool of parley for the runtime.
func (l *processListener) call(ctx context.Context, t session.ClientTool, call session.ClientCall) (session.ToolResult, error) {
	call.Ask = func(ctx context.Context, q session.QuestionAsk) session.Answer {
		return askUser(ctx, l.c, l.e, call.ID, q)
	}
	return t.Call(ctx, call)
}

// askUser puts questions to the user in the name of a call, and waits for the answer.
func askUser(ctx context.Context, c *conversation, e *engine, call session.CallID, q session.QuestionAsk) session.Answer {
	cancelled := session.Answer{Decision: session.Cancel}
	c.Mu.Lock()
	if c.Link != e || c.Closed || e.stopping || ctx.Err() != nil {
		c.Mu.Unlock()
		return cancelled
	}
	agent := ""
	if r := e.calls.running[call]; r != nil {
		agent = r.Agent
	}
	p := &pendingAsk{kind: session.AskQuestion, turn: e.m.Turn(), child: agent != "", form: &q, tool: true}
	a := e.asks.Open(session.AskID("tool_"+call), nil, p)
	events := e.m.Open(session.Asked{Ask: a.ID, Call: call, Kind: session.AskQuestion, Question: &q}, agent, c.a.o.Now())
	if len(events) == 0 {
		e.asks.Close(a.ID, process.Verdict{})
		c.Mu.Unlock()
		return cancelled
	}
	c.Out.Put(events...)
	c.Mu.Unlock()
	c.Out.Deliver()
	v, ended := a.Wait(ctx)
	if !ended {
		c.Mu.Lock()
		c.Out.Put(e.withdraw(a.ID, session.WhyWithdrawn, c.a.o.Now())...)
		c.Mu.Unlock()
		c.Out.Deliver()
		v = a.Ended() // or the answer that came just before
	}
	if v.How == session.SettledCancelled {
		return cancelled
	}
	return v.Answer
}
