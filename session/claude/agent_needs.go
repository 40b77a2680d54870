package claude

import (
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
