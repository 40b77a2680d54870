package copilot

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"parley/session"
	"parley/session/copilot/dispatch"
	"parley/session/copilot/guard"
	"parley/session/permission"
)

// askOptions is what the asks of a conversation need of it. The functions must not be called with a lock that they take.
type askOptions struct {
	// Guard returns the guard with the mode, the kept rules and the tools of parley that hold now, without the rules of the
	// session.
	Guard func() guard.Guard
	// Head returns the head of an ask about a call of an agent, "" for the top level. It is false if nothing may be asked:
	// no turn runs, or the child agent is unknown or has ended.
	Head func(call session.CallID, agent string) (session.Head, bool)
	// Emit publishes events in their order.
	Emit func(events ...session.Event)
	// SetMode makes a mode that the user chose with a plan the session's. It returns before the plan is answered.
	SetMode func(m session.Mode)
	// SetPlan replaces the text of the session's plan in the runtime.
	SetPlan func(ctx context.Context, plan string) error
	// Files keeps images of what calls change, nil for none. Model returns the session's model.
	Files session.FileTracker
	Model func() string
	// Granted are the rules that answers granted for the session before.
	Granted []permission.Rule
	Now     func() time.Time
}

// askBook answers what the runtime asks in a session: by parley's rules, or by the user. It is safe for concurrent use, and
// calls nothing while it holds its lock. Its handlers run in goroutines of the router and may wait for the user.
type askBook struct {
	o askOptions

	mu      sync.Mutex
	open    map[session.AskID]*openAsk
	rules   []permission.Rule // of the session
	servers []string
	calls   runningCalls
	serial  int
}

// openAsk is an ask without an answer. It gets at most one, and only while it is in the book.
type openAsk struct {
	head   session.Head
	perm   *session.PermissionAsk // nil for what only the user answers
	call   guard.Call
	answer chan verdict // holds one
}

// verdict ends an ask.
type verdict struct {
	how    session.Settlement
	answer session.Answer
	// why is as in [session.Settled]; ruling is the decision of the rules in the user's place, nil if there is none.
	why    string
	ruling *permission.Decision
}

func newAskBook(o askOptions) *askBook {
	if o.Now == nil {
		o.Now = time.Now
	}
	return &askBook{o: o, open: map[session.AskID]*openAsk{}, rules: slices.Clone(o.Granted), calls: runningCalls{}}
}

// handlers returns the handlers that answer what the runtime asks. The caller adds its own for events and tools, of which that
// for events calls [askBook.observe] first.
func (b *askBook) handlers() dispatch.Handlers {
	return dispatch.Handlers{Permission: b.permission, UserInput: b.userInput, Elicitation: b.elicitation, ExitPlan: b.exitPlan,
		AutoMode: b.autoMode, Hook: b.hook}
}

// guardNow returns the guard with the rules that hold now.
func (b *askBook) guardNow() guard.Guard {
	g := b.o.Guard()
	b.mu.Lock()
	defer b.mu.Unlock()
	g.Rules.Rules = slices.Concat(g.Rules.Rules, b.rules)
	g.Servers = b.servers
	return g
}

// put opens an ask and waits for its end. It is false if nothing may be asked.
func (b *askBook) put(ctx context.Context, from dispatch.Origin, asked session.Asked, p *openAsk) (verdict, bool) {
	head, ok := b.o.Head(asked.Call, from.Agent)
	if !ok || ctx.Err() != nil {
		return verdict{how: session.SettledCancelled}, false
	}
	p.answer, p.head = make(chan verdict, 1), head
	b.mu.Lock()
	asked.Ask = b.id(from, asked.Call)
	b.open[asked.Ask] = p
	b.mu.Unlock()
	asked.Head = head
	b.o.Emit(asked)
	b.reconsider() // the mode or the rules may have changed between ruling and asking
	v := b.wait(ctx, asked.Ask, p)
	if v.answer.Decision == session.Allow {
		b.reconsider() // a new rule may cover others
	}
	return v, true
}

// id returns the id of a new ask. The runtime's own ids are unique; older runtimes have none. The lock is held.
func (b *askBook) id(from dispatch.Origin, call session.CallID) session.AskID {
	id := session.AskID(from.Request)
	if id == "" {
		b.serial++
		id = session.AskID(fmt.Sprintf("ask_%s_%d", call, b.serial))
	}
	for b.open[id] != nil {
		id += "+"
	}
	return id
}

// wait returns the end of an ask: its answer, or the end of the context.
func (b *askBook) wait(ctx context.Context, id session.AskID, p *openAsk) verdict {
	select {
	case v := <-p.answer:
		return v
	case <-ctx.Done():
	}
	b.end(id, verdict{how: session.SettledCancelled, why: whyEnded(ctx)})
	return <-p.answer // or the answer that came just before
}

// whyEnded returns why an ask ended with its context.
func whyEnded(ctx context.Context) string {
	if errors.Is(context.Cause(ctx), context.Canceled) {
		return session.WhyInterrupted
	}
	return session.WhyWithdrawn
}

// end settles an ask, and reports false if it is not open. What waits for it goes on after the settlement was published.
func (b *askBook) end(id session.AskID, v verdict) bool {
	p := b.close(id, v)
	if p == nil {
		return false
	}
	p.head.At = b.o.Now()
	b.o.Emit(session.Settled{Head: p.head, Ask: id, How: v.how, Answer: v.answer, Why: v.why})
	p.answer <- v
	return true
}

// close removes an open ask, nil if there is none.
func (b *askBook) close(id session.AskID, v verdict) *openAsk {
	b.mu.Lock()
	defer b.mu.Unlock()
	p := b.open[id]
	if p == nil {
		return nil
	}
	delete(b.open, id)
	if v.how == session.SettledAnswered && v.ruling == nil {
		b.rules = append(b.rules, permission.GrantedBy(p.perm, v.answer, session.ScopeSession)...)
	}
	return p
}

// answer answers an open ask for the user.
func (b *askBook) answer(id session.AskID, a session.Answer) error {
	v := verdict{how: session.SettledAnswered, answer: a}
	if a.Decision != session.Allow && a.Message == session.UnattendedReason {
		v.how = session.SettledUnattended
	}
	if !b.end(id, v) {
		return &session.Error{Op: "answer", Kind: session.KindNotFound, Err: errors.New("this question was already answered")}
	}
	return nil
}

// any reports whether the user is being asked.
func (b *askBook) any() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.open) > 0
}

// withdraw settles all open asks as cancelled. why is as in [session.Settled]. The runtime gets refusals.
func (b *askBook) withdraw(why string) {
	b.withdrawIf(why, func(*openAsk) bool { return true })
}

// withdrawIf settles the open asks for which match holds.
func (b *askBook) withdrawIf(why string, match func(*openAsk) bool) {
	b.mu.Lock()
	var all []session.AskID
	for id, p := range b.open {
		if match(p) {
			all = append(all, id)
		}
	}
	b.mu.Unlock()
	for _, id := range all {
		b.end(id, verdict{how: session.SettledCancelled, why: why})
	}
}

// revoke drops a rule of the session.
func (b *askBook) revoke(r session.Rule) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.rules = slices.DeleteFunc(slices.Clone(b.rules), func(has permission.Rule) bool { return has.String() == r.Text })
}

// reconsider ends the open asks about permissions that the rules and the mode decide now. It is called when they change.
func (b *askBook) reconsider() {
	b.mu.Lock()
	open := map[session.AskID]guard.Call{}
	for id, p := range b.open {
		if p.perm != nil {
			open[id] = p.call
		}
	}
	b.mu.Unlock()
	if len(open) == 0 {
		return
	}
	g := b.guardNow()
	for id, call := range open {
		d := g.Judge(call).Decision
		v := verdict{how: session.SettledAnswered, ruling: &d}
		switch {
		case d.Ruling == permission.Deny:
			v.answer, v.why = session.Answer{Decision: session.Deny}, session.WhyRefused
		case d.Ruling != permission.Allow:
			continue
		case d.Rule != nil:
			v.answer, v.why = session.Answer{Decision: session.Allow, Scope: session.ScopeOnce}, session.WhyRuled
		default:
			v.answer, v.why = session.Answer{Decision: session.Allow, Scope: session.ScopeOnce}, session.WhyMode
		}
		b.end(id, v)
	}
}
