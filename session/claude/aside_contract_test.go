//go:build contract

package claude

import (
	"context"
	"strings"

	"parley/session"
)

// asides asks beside the conversation: between turns, while a command of a turn runs, and in vain.
func (w *whole) asides() {
	w.completes("hello", "hello")
	w.beside()
	w.answers(always(yes))
	id := w.send("long command")
	w.eventually("the command to run", w.sleeps)
	w.beside()
	w.s.Abort()
	if end := w.ends(id); end.Outcome != session.TurnCancelled {
		w.t.Errorf("%+v", end)
	}
	// What the interrupt cut off, and the questions, are charged without another prompt.
	w.until("the cost", func(e session.Event) bool {
		c, ok := e.(session.CreditsReported)
		return ok && c.Turn == session.TurnID(id)
	})
	ctx, cancel := context.WithCancel(w.t.Context())
	asked := make(chan error, 1)
	go func() { asked <- w.s.AskAside(ctx, "What was asked for long?", func(string) {}) }()
	w.eventually("the long question", func() bool { return w.sawRequest("asked for long?") })
	cancel()
	if err := <-asked; session.KindOf(err) != session.KindCancelled {
		w.t.Error(err)
	}
	w.completes("hello again", "hello again")
	for _, r := range w.sim.Requests() {
		if body := string(r.Body); strings.Contains(body, "hello again") && (strings.Contains(body, "asked beside?") || strings.Contains(body, "Beside the")) {
			w.t.Error("a question beside the conversation became part of it")
		}
	}
}

// beside asks a question and checks its answer.
func (w *whole) beside() {
	w.t.Helper()
	var got strings.Builder
	if err := w.s.AskAside(w.t.Context(), "What was asked beside?", func(text string) { got.WriteString(text) }); err != nil {
		w.t.Fatal(err)
	}
	if got.String() != "Beside the conversation." {
		w.t.Errorf("%q", got.String())
	}
}

func (w *whole) sawRequest(text string) bool {
	for _, r := range w.sim.Requests() {
		if strings.Contains(string(r.Body), text) {
			return true
		}
	}
	return false
}
