//go:build contract

package claude

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"parley/session"
)

func (w *whole) steer() {
	w.answers(always(yes))
	id := w.send("short command")
	w.until("answer", func(e session.Event) bool {
		s, ok := e.(session.Settled)
		return ok && s.How == session.SettledAnswered
	})
	steered := w.steers("and mind this")
	if err := os.WriteFile(filepath.Join(w.dir, "go"), nil, 0o600); err != nil { // for which the command waits
		w.t.Fatal(err)
	}
	if end := w.ends(id); end.Outcome != session.TurnCompleted {
		w.t.Errorf("%+v", end)
	}
	e := w.until("steered", func(e session.Event) bool { s, ok := e.(session.Steered); return ok && s.Prompt == steered })
	if e.Header().Turn != session.TurnID(id) {
		w.t.Errorf("steered into %q", e.Header().Turn)
	}
	w.request("and mind this")
	w.completes("hello", "You said: hello")
}

// steers writes a prompt into the running turn, and returns when the runtime has read it.
func (w *whole) steers(text string) session.PromptID {
	w.t.Helper()
	id, err := w.s.Steer(session.Prompt{Text: text})
	if err != nil {
		w.t.Fatal(err)
	}
	w.eventually("the prompt to be written", func() bool {
		w.mu.Lock()
		defer w.mu.Unlock()
		taken, done := w.offered[id]
		if done && !taken {
			w.t.Fatal("the prompt was not taken")
		}
		return done
	})
	w.mcpStatus() // the answer to what was written later proves it
	return id
}

// steerLate steers into a turn that makes no further request: the prompt gets a separate turn.
func (w *whole) steerLate() {
	id := w.send("wait for me")
	w.until("word", w.begun(id))
	steered := w.steers("hello late")
	w.sim.Release("late")
	if end := w.ends(id); end.Outcome != session.TurnCompleted {
		w.t.Errorf("%+v", end)
	}
	if end := w.ends(steered); end.Outcome != session.TurnCompleted {
		w.t.Errorf("%+v", end)
	}
	started := w.until("turn", func(e session.Event) bool {
		s, ok := e.(session.TurnStarted)
		return ok && s.Turn == session.TurnID(steered)
	})
	if s := started.(session.TurnStarted); s.Origin != session.OriginSteer || s.Prompt.Text != "hello late" {
		w.t.Errorf("%+v", s)
	}
	if got := w.wrote(session.TurnID(id)); !strings.HasSuffix(got, "at last.") {
		w.t.Errorf("the turn was cut off: %q", got)
	}
	w.completes("hello", "You said: hello")
}

func (w *whole) queue() {
	var ids []session.PromptID
	for _, text := range []string{"hello 1", "hello 2", "hello 3"} {
		ids = append(ids, w.send(text))
	}
	for i, id := range ids {
		if end := w.ends(id); end.Outcome != session.TurnCompleted {
			w.t.Errorf("%+v", end)
		}
		if got := w.wrote(session.TurnID(id)); !strings.Contains(got, fmt.Sprintf("hello %d", i+1)) {
			w.t.Errorf("turn %d: %q", i+1, got)
		}
	}
}
