package tool

import (
	"context"
	"encoding/json"

	"parley/session"
	"parley/session/permission"
)

// Host is the agent whose tools work in a workspace. It is safe for concurrent use.
type Host interface {
	// Delegate lets a child agent do a task for a call, and returns its result.
	Delegate(ctx context.Context, id session.CallID, e Errand) Outcome
	// SetTodos replaces the list of tasks of the agent.
	SetTodos(todos []session.Todo)
	// Put puts what a call asks to the user, in its name. The answer is [session.Cancel] without anybody.
	Put(ctx context.Context, id session.CallID, asked session.Asked) session.Answer
	// Search searches the web with the login's plan. The error is of package session, and its text for the model.
	Search(ctx context.Context, q Query) (Found, error)
	// Perform makes a call of another tool in the name of a call: it is judged, asked about and run like one of the model's.
	Perform(ctx context.Context, id session.CallID, name string, input json.RawMessage) Outcome
	// Grant asks the user, in the name of a call, to let rules hold until the turn ends. of is what asks for them, such as "skill deploy".
	Grant(ctx context.Context, id session.CallID, of string, rules []permission.Rule)
	// UseModel lets the agent go on with a model and an effort until its turn ends; "" leaves one as it is.
	UseModel(model, effort string)
}

// Query is a search of the web. Allowed and Blocked are domains.
type Query struct {
	Text             string
	Allowed, Blocked []string
}

// Found is what a search found. Refused is what the service said instead, "" if it searched.
type Found struct {
	// Text is the answer in words, Pages where it is from.
	Text    string
	Pages   []Page
	Refused string
	// NanoAIU is the price in billionths of a credit, 0 if unknown.
	NanoAIU int64
}

// Page is a found page.
type Page struct{ URL, Title string }

// Errand is a task for a child agent.
type Errand struct {
	// Role is the kind of agent, empty for the general one; Model is its model, empty for the usual one.
	Role, Model string
	// Title describes the task in a few words for the user, Prompt in full for the agent.
	Title, Prompt string
	// Background lets the call return at once.
	Background bool
}
