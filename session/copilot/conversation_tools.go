package copilot

import (
	"context"
	"slices"

	"parley/session"
	"parley/session/clienttools"
	"parley/session/copilot/dispatch"
	"parley/session/copilot/guard"
	"parley/session/copilot/protocol"
)

var (
	_ session.ClientTools = (*conversation)(nil)
	_ session.ToolOwner   = (*Agent)(nil)
)

// OwnsTool reports whether the runtime has a tool in place of one of parley's.
func (a *Agent) OwnsTool(name string) bool { return name == clienttools.Ask.Name }

// SetTools sets the tools that parley itself provides, starting with the next prompt.
func (c *conversation) SetTools(_ context.Context, tools []session.ClientTool) error {
	c.Mu.Lock()
	defer c.Mu.Unlock()
	c.tools = tools
	return nil
}

// toolList returns the tools as the runtime takes them. The lock must not be held.
func (c *conversation) toolList() []protocol.Tool {
	c.Mu.Lock()
	defer c.Mu.Unlock()
	list := make([]protocol.Tool, 0, len(c.tools))
	for _, t := range c.tools {
		list = append(list, protocol.Tool{Name: t.Name, Description: t.Description, Parameters: t.Schema, Defer: "never", Private: t.Private})
	}
	return list
}

// callTool calls a tool of parley.
func (c *conversation) callTool(ctx context.Context, q dispatch.ToolCall) protocol.ToolResult {
	c.Mu.Lock()
	i := slices.IndexFunc(c.tools, func(t session.ClientTool) bool { return t.Name == q.Name })
	var t session.ClientTool
	if i >= 0 {
		t = c.tools[i]
	}
	c.Mu.Unlock()
	if i < 0 {
		text := "Tool '" + q.Name + "' is not supported by this client instance."
		return protocol.ToolResult{Text: text, Type: "failure", Error: text}
	}
	call := session.ClientCall{ID: session.CallID(q.ID), Input: q.Arguments, Ask: func(ctx context.Context, question session.QuestionAsk) session.Answer {
		return c.asks.askUser(ctx, q, question)
	}}
	words, err := clienttools.Run(ctx, func(ctx context.Context) (session.ToolResult, error) { return t.Call(ctx, call) })
	if err != nil {
		return protocol.ToolResult{Text: err.Error(), Type: "failure", Error: err.Error()}
	}
	return protocol.ToolResult{Text: words, Type: "success"}
}

// askUser puts questions to the user in the name of a call of a tool of parley, and waits for the answer.
func (b *asks) askUser(ctx context.Context, q dispatch.ToolCall, question session.QuestionAsk) session.Answer {
	v, asked := b.put(ctx, q.Origin, session.Asked{Kind: session.AskQuestion, Call: session.CallID(q.ID), Question: &question}, guard.Call{})
	if !asked || v.How == session.SettledCancelled {
		return session.Answer{Decision: session.Cancel}
	}
	return v.Answer
}
