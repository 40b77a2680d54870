package status

import (
	"strings"
	"time"

	"parley/internal/human"
	"parley/session"
	"parley/ui/core"
	"parley/ui/style"
)

// silence is the time without an event after which the row shows it. The user decides what to do.
const silence = time.Minute

// Run is a running turn: what the agent does, and the keys that act on it. Agent, Version and Runtime are visible.
type Run struct {
	Turn    *session.Turn
	Asks    int       // open questions
	Asker   string    // who asked the first of them, visible; "" if that is not known
	Working string    // what the running calls do, "" if that is not known
	Heard   time.Time // of the newest event
	// State is that of the runtime, Runtime its report while it starts. Version is empty for an agent without a runtime.
	State                   session.RuntimeState
	Runtime, Agent, Version string

	Stopping bool
	// Shown reports whether a question of the turn is on the screen.
	Shown bool
	// Elsewhere reports whether the turn runs at a service, where only a page can stop it.
	Elsewhere bool
	// Escapes reports whether esc means something to the question that has the keyboard.
	Escapes bool
}

// AsksBelow reports that the question below says what there is to say: the turn waits for its answer.
func (r *Run) AsksBelow() bool {
	return r.Shown && r.Asks > 0 && !r.Stopping && r.Turn.Retry == nil
}

// Doing returns what the agent is doing: that its runtime starts, what its calls do, or that nothing has come for a while.
func (r *Run) Doing(now time.Time) string {
	switch {
	case len(r.Turn.Entries) > 0:
	case r.State == session.RuntimeStarting && r.Runtime != "":
		return "starting " + r.Runtime
	case r.State == session.RuntimeStarting, r.Version != "" && (r.State == "" || r.State == session.RuntimeExited):
		return strings.TrimSpace("starting " + r.Agent + " " + r.Version)
	case r.State == session.RuntimeRestarting:
		return "restarting " + r.Agent
	}
	doing := core.Activity(r.Turn, r.Asks, now)
	if r.Asks > 0 && r.Turn.Retry == nil && r.Asker != "" && r.Asker != r.Agent {
		return r.Asker + " asks"
	}
	still := now.Sub(r.Heard)
	if doing == core.Working && r.Working != "" {
		doing = r.Working
	}
	if still >= silence && r.Asks == 0 && !r.Turn.CallRuns() {
		doing = waitsFor(r.Turn, doing) + ", nothing for " + human.Seconds(still)
	}
	return doing
}

// tokens returns how much the model has written in the turn so far, "" while that is little. What it has not reported yet is
// estimated from the text, at four bytes a token.
func (r *Run) tokens() string {
	n := max(r.Turn.Usage.Output, int64(r.Turn.Written/4))
	if n < fewTokens {
		return ""
	}
	if n != r.Turn.Usage.Output {
		return "~" + human.Tokens(n-n%estimateStep) + " tokens"
	}
	return human.Tokens(n) + " tokens"
}

// fewTokens is the number of tokens below which they are not worth a figure. An estimate goes up in steps: its last digits mean nothing, and a row
// that changes with every frame is written with every frame.
const (
	fewTokens    = 200
	estimateStep = 50
)

// waitsFor returns what is waited for while nothing comes: the next attempt, a child agent, or the model.
func waitsFor(t *session.Turn, doing string) string {
	if t.Retry != nil {
		return doing
	}
	if c := t.WaitsFor(); c != nil {
		return strings.TrimSpace("waiting for the agent " + style.Visible(style.OneLine(c.Name)))
	}
	return core.Waiting
}

// facts returns how long the agent has worked in the turn and how much it has written, in a window of w columns: all there is, then
// less. The time in which a question is open does not count.
func (r *Run) facts(w int, now time.Time) []string {
	clock := ""
	if d := core.Spent(r.Turn, now); !r.Turn.Started.IsZero() && d >= style.Noticeable {
		clock = "  " + human.Seconds(d)
	}
	n := r.tokens()
	if n == "" || w < 60 || r.Asks > 0 {
		return []string{clock, ""}
	}
	if clock == "" {
		return []string{"  " + n, ""}
	}
	return []string{clock + " · " + n, clock, ""}
}

// Stop returns the key that stops the turn, and what it does; no key while the turn is stopped.
func (r *Run) Stop() (key, does string) {
	switch {
	case r.Stopping:
		return "", "stopping"
	case r.Escapes:
		return "ctrl+c", "to stop"
	case r.Elsewhere:
		return "esc", "twice opens its page"
	}
	return "esc", "to stop"
}

// stop returns the key that stops the turn with what it does.
func (r *Run) stop() string {
	key, does := r.Stop()
	return strings.TrimSpace(key + " " + does)
}
