package copilot

import (
	"context"

	"parley/session"
	"parley/session/copilot/dispatch"
	"parley/session/copilot/protocol"
)

var _ session.ClientTools = (*conversation)(nil)

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
		list = append(list, protocol.Tool{Name: t.Name, Description: t.Description, Parameters: t.Schema})
	}
	return list
}

// callTool calls a tool of parley.
func (c *conversation) callTool(ctx context.Context, call dispatch.ToolCall) protocol.ToolResult {
	c.Mu.Lock()
	var run func(ctx context.Context, input []byte) (session.ToolResult, error)
	for _, t := range c.tools {
		if t.Name == call.Name {
			run = t.Call
		}
	}
	c.Mu.Unlock()
	if run == nil {
		text := "Tool '" + call.Name + "' is not supported by this client instance."
		return protocol.ToolResult{Text: text, Type: "failure", Error: text}
	}
	r, err := run(ctx, call.Arguments)
	if err != nil {
		return protocol.ToolResult{Text: err.Error(), Type: "failure", Error: err.Error()}
	}
	text := r.Sent
	if text == "" {
		text = r.Text
	}
	return protocol.ToolResult{Text: text, Type: "success"}
}
