//go:build contract

package claude

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"parley/session"
)

func (w *whole) abort() {
	for range 3 {
		id := w.send("endless")
		w.until("word", w.begun(id))
		for range 100 {
			w.s.Abort()
		}
		if end := w.ends(id); end.Outcome != session.TurnCancelled || end.Problem != nil {
			w.t.Errorf("%+v", end)
		}
	}
	// At once, before the runtime has begun.
	w.rests()
	id := w.send("endless")
	w.s.Abort()
	if end := w.ends(id); end.Outcome != session.TurnCancelled {
		w.t.Errorf("%+v", end)
	}
	w.completes("hello", "You said: hello")
}

func (w *whole) abortCommand() {
	w.answers(always(yes))
	id := w.send("long command")
	w.until("command", func(e session.Event) bool {
		s, ok := e.(session.Settled)
		return ok && s.How == session.SettledAnswered
	})
	w.eventually("the command to run", w.sleeps)
	w.s.Abort()
	if end := w.ends(id); end.Outcome != session.TurnCancelled {
		w.t.Errorf("%+v", end)
	}
	w.eventually("the command to be gone", func() bool { return !w.sleeps() })
	// An ask that is open when the turn is interrupted is settled with it.
	w.answers(nil)
	id = w.send("run it")
	w.until("ask", func(e session.Event) bool { a, ok := e.(session.Asked); return ok && a.Turn == session.TurnID(id) })
	w.s.Abort()
	if end := w.ends(id); end.Outcome != session.TurnCancelled {
		w.t.Errorf("%+v", end)
	}
	w.answers(always(yes))
	w.completes("run it", "made it")
}

// abortWithPrompts interrupts a turn while one prompt was written into it and another waits: both get turns of their own, in
// that order, and the model reads each once.
func (w *whole) abortWithPrompts() {
	w.answers(always(yes))
	for n, running := range []string{"long command", "endless"} {
		id := w.send(running)
		w.until("begin", w.acts(id))
		if running == "long command" {
			w.eventually("the command to run", w.sleeps)
		}
		steered := w.steers(fmt.Sprintf("hello steered %d", n))
		queued := w.send(fmt.Sprintf("hello queued %d", n))
		w.s.Abort()
		if end := w.ends(id); end.Outcome != session.TurnCancelled {
			w.t.Errorf("%+v", end)
		}
		for _, waited := range []session.PromptID{steered, queued} {
			if end := w.ends(waited); end.Outcome != session.TurnCompleted {
				w.t.Errorf("%+v", end)
			}
		}
		w.rests()
	}
	w.completes("hello last", "hello last")
	var prompts []string
	for _, e := range w.all() {
		if s, ok := e.(session.TurnStarted); ok {
			prompts = append(prompts, s.Prompt.Text)
		}
	}
	want := []string{"long command", "hello steered 0", "hello queued 0", "endless", "hello steered 1", "hello queued 1", "hello last"}
	if !slices.Equal(prompts, want) {
		w.t.Errorf("turns of %q, want %q", prompts, want)
	}
	body := fmt.Sprint(w.request("hello last")["messages"])
	for _, text := range []string{"hello steered 0", "hello queued 0", "hello steered 1", "hello queued 1"} {
		if n := strings.Count(body, "You said: "+text); n != 1 {
			w.t.Errorf("%q was answered %d times: %s", text, n, body)
		}
		if n := strings.Count(body, text); n != 2 {
			w.t.Errorf("%q is there %d times, with its answer: %s", text, n, body)
		}
	}
}

// acts matches the first action of the agent in the turn of a prompt.
func (w *whole) acts(prompt session.PromptID) func(session.Event) bool {
	return func(e session.Event) bool {
		if e.Header().Turn != session.TurnID(prompt) {
			return false
		}
		switch e.(type) {
		case session.PartDelta, session.ToolReady:
			return true
		}
		return false
	}
}

// sleeps reports whether a long command runs.
func (w *whole) sleeps() bool {
	return slices.ContainsFunc(w.processes(), func(line string) bool { return strings.HasPrefix(line, "sleep 600") })
}

// rests waits until nothing runs.
func (w *whole) rests() {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if err := w.s.Wait(ctx); err != nil {
		w.t.Fatal(err)
	}
}

func (w *whole) eventually(what string, is func() bool) {
	w.t.Helper()
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		if is() {
			return
		}
	}
	w.t.Fatalf("waited in vain for %s", what)
}
