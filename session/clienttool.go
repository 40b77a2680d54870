package session

import (
	"bytes"
	"context"
	"slices"
)

// ClientTool is a tool of parley itself for agents. How its calls are judged and shown follows from its name, as for all tools.
type ClientTool struct {
	// Name is lower case with underscores. Description and Schema, the JSON Schema of an object, are written for the model.
	Name, Description string
	Schema            []byte
	// Reads reports whether calls change nothing, so that they may run beside others.
	Reads bool
	// Private reports that an agent whose tools are limited never gets it.
	Private bool
	// Call does the work of one call that was allowed. Its error goes to the model. It is called from any goroutine, and ctx ends when
	// the call is interrupted.
	Call func(ctx context.Context, c ClientCall) (ToolResult, error)
}

// ClientCall is a call of a [ClientTool].
type ClientCall struct {
	// ID is that of the tool call, "" if unknown. Input is the JSON that the model wrote, of which nothing was checked.
	ID    CallID
	Input []byte
	// Ask puts questions to the user in the name of the call, and waits for the answer: [Deny] if nobody can answer, and [Cancel] if
	// the call ends before.
	Ask func(ctx context.Context, q QuestionAsk) Answer
}

// ClientTools is a conversation whose client tools can change.
type ClientTools interface {
	// SetTools replaces [OpenOptions.Tools], starting with the next prompt. A runtime that reads its tools only once is started again
	// for that prompt.
	SetTools(ctx context.Context, tools []ClientTool) error
}

// ToolOwner is an agent that has a tool of its own in place of some client tools.
type ToolOwner interface {
	// OwnsTool reports whether the client tool of a name would add nothing.
	OwnsTool(name string) bool
}

// SameTools reports whether a model reads the same of two lists of tools.
func SameTools(a, b []ClientTool) bool {
	return slices.EqualFunc(a, b, func(a, b ClientTool) bool {
		return a.Name == b.Name && a.Description == b.Description && a.Reads == b.Reads && bytes.Equal(a.Schema, b.Schema)
	})
}
