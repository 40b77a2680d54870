package session

import "context"

// SideAsker is a conversation that answers questions beside its history.
type SideAsker interface {
	// AskAside answers a question about what was said and done so far, without tools, also while a turn runs. emit receives
	// the answer in pieces, in order, from one goroutine. Neither question nor answer becomes part of the conversation; events
	// report what they cost. It returns when the answer is complete, or with the error of the request or of ctx.
	AskAside(ctx context.Context, question string, emit func(text string)) error
}
