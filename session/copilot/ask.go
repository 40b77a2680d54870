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
	"parley/session/process"
)

// askOptions holds the functions of a conversation that its asks need. The functions must not be called with a lock that they take.
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

// asks answer what the runtime asks in a session: by parley's rules, or by the user. They are safe for concurrent use, and call
// nothing while they hold their lock. Their handlers run in goroutines of the router and may wait for the user.
type asks struct {
	o    askOptions
	book *process.Book[askedFor]

	mu      sync.Mutex
	servers []string
	calls   runningCalls
	serial  int
}

// askedFor is where an ask stands, and the call that needs a permission.
type askedFor struct {
	head session.Head
	call guard.Call
}

func newAskBook(o askOptions) *asks {
	if o.Now == nil {
		o.Now = time.Now
	}
	return &asks{o: o, book: process.NewBook[askedFor](o.Granted), calls: runningCalls{}}
}

// handlers returns the handlers that answer what the runtime asks. The caller adds its own for events and tools, of which that
// for events calls [asks.observe] first.
func (b *asks) handlers() dispatch.Handlers {
	return dispatch.Handlers{Permission: b.permission, UserInput: b.userInput, Elicitation: b.elicitation, ExitPlan: b.exitPlan,
		AutoMode: b.autoMode, Hook: b.hook}
}

// guardNow returns the guard with the rules that hold now.
func (b *asks) guardNow() guard.Guard {
	g := b.o.Guard()
	g.Rules.Rules = slices.Concat(g.Rules.Rules, b.book.Rules())
	b.mu.Lock()
	defer b.mu.Unlock()
	g.Servers = b.servers
	return g
}

// put opens an ask and waits for its end. It is false if nothing may be asked.
func (b *asks) put(ctx context.Context, from dispatch.Origin, asked session.Asked, call guard.Call) (process.Verdict, bool) {
	head, ok := b.o.Head(asked.Call, from.Agent)
	if !ok || ctx.Err() != nil {
		return process.Verdict{How: session.SettledCancelled}, false
	}
	a := b.book.Open(b.id(from, asked.Call), asked.Permission, askedFor{head, call})
	asked.Ask, asked.Head = a.ID, head
	b.o.Emit(asked)
	b.reconsider() // the mode or the rules may have changed between ruling and asking
	v, ended := a.Wait(ctx)
	if !ended {
		b.end(a.ID, process.Verdict{How: session.SettledCancelled, Why: whyEnded(ctx)})
		v = a.Ended() // or the answer that came just before
	}
	if v.Answer.Decision == session.Allow {
		b.reconsider() // a new rule may cover others
	}
	return v, true
}

// id returns the id of a new ask. The runtime's own ids are unique; older runtimes have none.
func (b *asks) id(from dispatch.Origin, call session.CallID) session.AskID {
	if from.Request != "" {
		return session.AskID(from.Request)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.serial++
	return session.AskID(fmt.Sprintf("ask_%s_%d", call, b.serial))
}

// whyEnded returns why an ask ended with its context.
func whyEnded(ctx context.Context) string {
	if errors.Is(context.Cause(ctx), context.Canceled) {
		return session.WhyInterrupted
	}
	return session.WhyWithdrawn
}

// end settles an ask, and reports false if it is not open. What waits for it goes on after the settlement was published.
func (b *asks) end(id session.AskID, v process.Verdict) bool {
	a := b.book.Close(id, v)
	if a == nil {
		return false
	}
	head := a.With.head
	head.At = b.o.Now()
	b.o.Emit(session.Settled{Head: head, Ask: id, How: v.How, Answer: v.Answer, Why: v.Why})
	a.End(v)
	return true
}

// answer answers an open ask for the user.
func (b *asks) answer(id session.AskID, a session.Answer) error {
	if !b.end(id, process.Answered(a)) {
		return process.NotOpen()
	}
	return nil
}

// withdraw settles all open asks as cancelled. why is as in [session.Settled]. The runtime gets refusals.
func (b *asks) withdraw(why string) {
	b.withdrawIf(why, func(session.Head) bool { return true })
}

// withdrawIf settles the open asks for whose heads match holds.
func (b *asks) withdrawIf(why string, match func(session.Head) bool) {
	for _, a := range b.book.All() {
		if match(a.With.head) {
			b.end(a.ID, process.Verdict{How: session.SettledCancelled, Why: why})
		}
	}
}

// reconsider ends the open asks about permissions that the rules and the mode decide now. It is called when they change.
func (b *asks) reconsider() {
	if !b.book.Any() {
		return
	}
	g := b.guardNow()
	for id, v := range b.book.Judged(func(a *process.Ask[askedFor]) permission.Decision { return g.Judge(a.With.call).Decision }) {
		b.end(id, v)
	}
}
