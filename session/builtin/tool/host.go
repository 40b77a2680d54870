package tool

import (
	"context"

	"parley/session"
)

// Host is the agent whose tools work in a workspace. It is safe for concurrent use.
type Host interface {
	// Delegate lets a child agent do a task for a call, and returns its result.
	Delegate(ctx context.Context, id session.CallID, e Errand) Outcome
	// SetTodos replaces the list of tasks of the agent.
	SetTodos(todos []session.Todo)
	// Elicit puts a question of an MCP server to the user, in the name of a call. The answer is [session.Cancel] without anybody.
	Elicit(ctx context.Context, id session.CallID, ask session.ElicitationAsk) session.Answer
}

// Errand is a task for a child agent.
type Errand struct {
	// Role is the kind of agent, empty for the general one; Model is its model, empty for the usual one.
	Role, Model string
	// Title describes the task in a few words for the user, Prompt in full for the agent.
	Title, Prompt string
	// Background lets the call return at once.
	Background bool
}
