package hook

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"

	"parley/session"
	"parley/session/hooks"
)

// maxHeld bounds how often hooks may keep one run from ending.
const maxHeld = 8

// Agent is the hooks of one agent of a conversation: its own, or a child. It is safe for concurrent use, but for Run, Hold and the
// summaries, which only its run calls.
type Agent struct {
	s *Session
	// who returns the child and its kind, nil for the conversation's own agent.
	who    func() (id, kind string)
	notice func(text string)
	halt   atomic.Pointer[session.Problem]
	held   int
}

// Agent returns the hooks of an agent. who returns its id and its kind, both empty at the top; notice reports something to the user.
func (s *Session) Agent(who func() (id, kind string), notice func(text string)) *Agent {
	return &Agent{s: s, who: who, notice: notice}
}

// fire runs the hooks of an event.
func (a *Agent) fire(ctx context.Context, e hooks.Event) hooks.Outcome {
	if a.s == nil {
		return hooks.Outcome{}
	}
	if e.Name != hooks.SessionStart && e.Name != hooks.SubagentStart {
		e.Mode = string(a.s.mode())
	}
	if a.who != nil {
		e.Agent, e.AgentKind = a.who()
	}
	o := a.s.runner.Fire(ctx, e)
	a.s.take(o.Environ)
	return o
}

// Run begins a run of the agent.
func (a *Agent) Run() {
	a.halt.Store(nil)
	a.held = 0
}

// Halted returns why a hook ends the run, nil if none does.
func (a *Agent) Halted() *session.Problem { return a.halt.Load() }

// Start runs the hooks of a child that begins, and returns the texts that they put before its model.
func (a *Agent) Start(ctx context.Context) []string {
	return a.fire(ctx, hooks.Event{Name: hooks.SubagentStart}).Context
}

// Hold runs the hooks of an agent that is about to end with some words, and returns the texts with which it goes on, none if it ends.
func (a *Agent) Hold(ctx context.Context, words func() string) []string {
	if a.s == nil {
		return nil
	}
	e := hooks.Event{Name: hooks.Stop, Again: a.held > 0, Words: words()}
	if id, _ := a.who(); id != "" {
		e.Name = hooks.SubagentStop
	}
	o := a.fire(ctx, e)
	if !o.Blocked || o.Stop || ctx.Err() != nil {
		return nil
	}
	if a.held++; a.held > maxHeld {
		a.notice(fmt.Sprintf("Hooks kept the agent from ending %d times in a row; it ends now", maxHeld))
		return nil
	}
	return append([]string{o.Words}, o.Context...)
}

// BeforeSummary runs the hooks before a summary, with the user's words about what matters, and returns these with what hooks add. An
// error says that a hook does not want it.
func (a *Agent) BeforeSummary(ctx context.Context, why, focus string) (string, error) {
	o := a.fire(ctx, hooks.Event{Name: hooks.PreCompact, Why: why, More: focus})
	switch {
	case o.Blocked:
		return focus, errors.New("a hook blocked it: " + o.Why)
	case o.Stop:
		return focus, errors.New("a hook stopped it: " + o.StopWhy)
	}
	return strings.TrimSpace(focus + "\n" + o.Plain), nil
}

// AfterSummary runs the hooks after a summary, and returns the texts that they put before the model.
func (a *Agent) AfterSummary(ctx context.Context, why, summary string) []string {
	a.fire(ctx, hooks.Event{Name: hooks.PostCompact, Why: why, Words: summary})
	if a.s == nil {
		return nil
	}
	if id, _ := a.who(); id != "" {
		return nil
	}
	return a.fire(ctx, hooks.Event{Name: hooks.SessionStart, Why: "compact"}).Context
}
