package claude

import (
	"context"
	"time"

	"parley/session"
)

// coalesce bounds the wait of deltas to the runtime to be merged: it takes 2 ms of CPU time and more for every few events.
// It is not longer than a frame of a screen that is drawn 30 times a second.
const coalesce = 33 * time.Millisecond

// EndpointTuning returns that error messages are marked, of which the runtime makes one line of text, and how long deltas
// may wait.
func (a *Agent) EndpointTuning() session.EndpointTuning {
	return session.EndpointTuning{MarkErrors: true, Coalesce: coalesce}
}

// ModelAliases returns the names of models that the runtime resolves.
func (a *Agent) ModelAliases() []string {
	return []string{"default", "best", "sonnet", "opus", "haiku", "opusplan"}
}

// Prompts reports the prompts of the runtime's own sessions; see [session.PromptReader].
func (a *Agent) Prompts(ctx context.Context, dir string, skip func(session.ID) bool, yield func([]session.PastPrompt) bool) error {
	return a.archive.Prompts(ctx, dir, skip, yield)
}

// Texts passes on what was said in one of the runtime's own sessions; see [session.TextReader].
func (a *Agent) Texts(ctx context.Context, id session.ID, want session.TextQuery, yield func(session.Text) bool) (session.TextsRead, error) {
	return a.archive.Texts(ctx, id, want, yield)
}

// Kept returns the files that hold the runtime's own transcript of a session; see [session.Remover].
func (a *Agent) Kept(ctx context.Context, id session.ID) ([]string, error) {
	return a.archive.Kept(ctx, id)
}

// Remove deletes the runtime's own transcript of a session; see [session.Remover].
func (a *Agent) Remove(ctx context.Context, id session.ID) error {
	return a.archive.Remove(ctx, id)
}
