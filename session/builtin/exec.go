package builtin

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"parley/session"
	"parley/session/permission"
	"parley/session/toolview"
)

// readersAtOnce bounds the read-only tools that run at the same time.
const readersAtOnce = 8

// runCalls runs the calls of one answer and emits their ends. Adjacent read-only calls run together; all others run
// alone and in order.
func (c *conversation) runCalls(ctx context.Context, calls []call) {
	for len(calls) > 0 {
		n := 0
		for n < len(calls) && onlyReads(calls[n]) {
			n++
		}
		if n < 2 {
			c.runCall(ctx, calls[0])
			calls = calls[1:]
			continue
		}
		var wg sync.WaitGroup
		slots := make(chan struct{}, readersAtOnce)
		for _, one := range calls[:n] {
			slots <- struct{}{}
			wg.Go(func() {
				defer func() { <-slots }()
				c.runCall(ctx, one)
			})
		}
		wg.Wait()
		calls = calls[n:]
	}
}

func onlyReads(c call) bool {
	t := toolNamed(c.name)
	return t != nil && (t.kind == toolview.Read || t.kind == toolview.Search)
}

// runCall runs one call, if necessary after asking, and emits its end exactly once.
func (c *conversation) runCall(ctx context.Context, one call) {
	began := c.o.Now()
	out := c.outcomeOf(ctx, one, &began)
	now := c.head()
	c.out.emit(session.ToolEnded{Head: now, Call: one.id, Outcome: out.outcome, Result: out.result, Edits: out.edits,
		Duration: now.At.Sub(began)})
}

// outcome is the end of a call.
type outcome struct {
	outcome session.ToolOutcome
	result  session.ToolResult
	edits   []session.FileEdit
}

func failed(format string, args ...any) outcome {
	return outcome{outcome: session.ToolFailed, result: session.ToolResult{Text: fmt.Sprintf(format, args...)}}
}

var cancelled = outcome{outcome: session.ToolCancelled, result: session.ToolResult{Text: interruptedResult}}

// outcomeOf prepares a call, asks and runs it. After an ask it sets began to the time of the answer.
func (c *conversation) outcomeOf(ctx context.Context, one call, began *time.Time) (out outcome) {
	defer func() {
		if r := recover(); r != nil { // a bug in a tool must not end the session
			out = failed("parley made a mistake in %s: %v", one.name, r)
		}
	}()
	if ctx.Err() != nil {
		return cancelled
	}
	t := toolNamed(one.name)
	if t == nil {
		return failed("There is no tool %q. There are: %s.", one.name, strings.Join(toolNames(), ", "))
	}
	j, err := t.prepare(c.ws, one.input)
	if err != nil {
		return c.unprepared(ctx, err)
	}
	j.ask.Tool, j.ask.Input = t.name, one.input
	if refused, ok := c.permit(ctx, t.kind, one.id, j); !ok {
		return refused
	}
	*began = c.o.Now()
	return j.run(ctx, one.id, func(text string) {
		c.out.emit(session.ToolOutput{Head: c.head(), Call: one.id, Text: text})
	})
}

func (c *conversation) unprepared(ctx context.Context, err error) outcome {
	if ctx.Err() != nil {
		return cancelled
	}
	return failed("%s", err)
}

// The texts that the model reads when the user denies a call.
const (
	refusedNote = "The user refused this call. Do not try to do the same in another way; ask what they want instead."
	refusedSay  = "The user refused this call and says: "
)

// permit asks the policy and, if required, the user. It returns false and the outcome of a call that may not run. It
// reads the file that a call would change after the policy has ruled, so that the user sees the change.
func (c *conversation) permit(ctx context.Context, kind toolview.Kind, id session.CallID, j *job) (outcome, bool) {
	policy := c.policy(ctx)
	d := decide(policy, kind, j.ask, j.place)
	if d.Ruling == permission.Deny {
		return outcome{outcome: session.ToolDenied, result: session.ToolResult{Text: d.Reason}}, false
	}
	var problem error
	if j.look != nil {
		if problem = j.look(ctx); ctx.Err() != nil {
			return cancelled, false
		}
		// An error would reveal what is there to a model that may not read it.
		if problem != nil && (d.Ruling == permission.Allow || mayRead(policy, j)) {
			return failed("%s", problem), false
		}
	}
	if d.Ruling == permission.Allow {
		return outcome{}, true
	}
	if refused, ok := c.askUser(ctx, policy, kind, id, j, problem); !ok {
		return refused, false
	}
	if problem != nil {
		return failed("%s", problem), false
	}
	return outcome{}, true
}

// decide rules on a call by the path as written and by where it leads; the stricter ruling holds.
func decide(p permission.Policy, kind toolview.Kind, ask session.PermissionAsk, at place) permission.Decision {
	d := p.Decide(kind, ask)
	if d.Ruling != permission.Allow || at.real == "" || at.real == ask.Path {
		return d
	}
	p.Dirs = slices.Clone(p.Dirs)
	for i, dir := range p.Dirs {
		if real, err := filepath.EvalSymlinks(dir); err == nil {
			p.Dirs[i] = real
		}
	}
	ask.Path = at.real
	return p.Decide(kind, ask)
}

// reason returns what the user should know about a call: where its path leads, who runs such a file, and why the call
// would fail anyway.
func (c *conversation) reason(p permission.Policy, kind toolview.Kind, j *job, problem error) string {
	reasons := []string{c.ws.leads(j.place)}
	if kind == toolview.Edit {
		guarded := p.Guarded(j.ask.Path)
		if guarded == "" && j.place.real != "" {
			guarded = p.Guarded(j.place.real)
		}
		reasons = append(reasons, guarded)
	}
	if problem != nil {
		reasons = append(reasons, "This call will fail: "+problem.Error())
	}
	return strings.Join(slices.DeleteFunc(reasons, func(s string) bool { return s == "" }), " ")
}

// mayRead reports whether the model may read, without asking, what the call would change.
func mayRead(p permission.Policy, j *job) bool {
	return decide(p, readTool.kind, session.PermissionAsk{Tool: readTool.name, Path: j.ask.Path}, j.place).Ruling == permission.Allow
}

// askUser asks the user about a call and reports whether they allow it; problem is why it would fail anyway.
func (c *conversation) askUser(ctx context.Context, policy permission.Policy, kind toolview.Kind, id session.CallID, j *job, problem error) (outcome, bool) {
	if problem == nil {
		j.ask.Rules = policy.SuggestRules(kind, j.ask)
	}
	j.ask.Reason = c.reason(policy, kind, j, problem)
	pending := &pendingAsk{kind: kind, ask: j.ask, place: j.place, answer: make(chan session.Answer, 1)}
	ask := session.AskID("ask_" + string(id))
	c.asks.add(ask, pending)
	c.out.emit(session.Asked{Head: c.head(), Ask: ask, Kind: session.AskPermission, Call: id, Permission: &j.ask})
	// The mode or the rules may have changed between ruling and asking.
	c.asks.reconsider(c.policy(ctx))
	a, answered := c.asks.wait(ctx, ask, pending)
	if !answered {
		c.out.emit(session.Settled{Head: c.head(), Ask: ask, How: session.SettledCancelled})
		return cancelled, false
	}
	how := session.SettledAnswered
	if a.Decision != session.Allow && a.Message == session.UnattendedReason {
		how = session.SettledUnattended
	}
	c.out.emit(session.Settled{Head: c.head(), Ask: ask, How: how, Answer: a})
	if a.Decision == session.Allow {
		c.asks.reconsider(c.policy(ctx)) // a new rule may cover others
		return outcome{}, true
	}
	text := refusedNote
	switch {
	case how == session.SettledUnattended:
		text = a.Message
	case a.Message != "":
		text = refusedSay + a.Message
	}
	return outcome{outcome: session.ToolDenied, result: session.ToolResult{Text: text}}, false
}

// errTool returns an error that the model reads unchanged.
func errTool(format string, args ...any) error { return fmt.Errorf(format, args...) }
