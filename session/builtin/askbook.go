package builtin

import (
	"context"
	"slices"
	"sync"

	"parley/session"
	"parley/session/builtin/tool"
	"parley/session/permission"
	"parley/session/toolview"
)

// askBook holds the open asks and the user's rules for this session. It is safe for concurrent use and never calls out.
type askBook struct {
	mu    sync.Mutex
	open  map[session.AskID]*pendingAsk
	rules []permission.Rule
}

// pendingAsk is one open ask. It gets at most one answer, and only while it is in the book.
type pendingAsk struct {
	// kind, ask, places and at are those of a call that needs a permission; ask is nil for a question and for a plan, which only
	// the user answers.
	kind   toolview.Kind
	ask    *session.PermissionAsk
	places []tool.Place
	at     *tool.Workspace // of the agent that asks
	answer chan verdict    // holds one
}

// verdict is the answer to an ask.
type verdict struct {
	answer session.Answer
	// ruling is the decision of the policy that took the place of the user's; nil if the user answered.
	ruling *permission.Decision
}

// why returns why the ask ended without the user, "" if they answered.
func (v verdict) why() string {
	switch {
	case v.ruling == nil:
		return ""
	case v.ruling.Ruling == permission.Deny:
		return session.WhyRefused
	case v.ruling.Rule != nil:
		return session.WhyRuled
	}
	return session.WhyMode
}

func newAskBook(rules []permission.Rule) *askBook {
	return &askBook{open: map[session.AskID]*pendingAsk{}, rules: rules}
}

func (b *askBook) rulesNow() []permission.Rule {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.rules)
}

// add opens an ask. It must come before the ask is emitted, so that no answer comes too early.
func (b *askBook) add(id session.AskID, p *pendingAsk) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.open[id] = p
}

// answer passes on an answer, and reports false if the ask is not open.
func (b *askBook) answer(id session.AskID, v verdict) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	p, ok := b.open[id]
	if !ok {
		return false
	}
	delete(b.open, id)
	b.rules = append(b.rules, permission.GrantedBy(p.ask, v.answer, session.ScopeSession)...)
	p.answer <- v
	return true
}

// wait returns the answer, or false if ctx ended first. It closes the ask.
func (b *askBook) wait(ctx context.Context, id session.AskID, p *pendingAsk) (verdict, bool) {
	select {
	case v := <-p.answer:
		return v, true
	case <-ctx.Done():
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if _, open := b.open[id]; open {
		delete(b.open, id)
		return verdict{}, false
	}
	return <-p.answer, true // answered just before
}

// reconsider settles every open ask about a permission for which the policy would no longer ask.
func (b *askBook) reconsider(policy func(at *tool.Workspace) permission.Policy) {
	b.mu.Lock()
	open := make(map[session.AskID]*pendingAsk, len(b.open))
	for id, ask := range b.open {
		if ask.ask != nil {
			open[id] = ask
		}
	}
	b.mu.Unlock()
	for id, pending := range open {
		d := decideAll(policy(pending.at), pending.kind, *pending.ask, pending.places)
		v := verdict{ruling: &d}
		switch d.Ruling {
		case permission.Allow:
			v.answer = session.Answer{Decision: session.Allow, Scope: session.ScopeOnce}
		case permission.Deny:
			v.answer = session.Answer{Decision: session.Deny}
		default:
			continue
		}
		b.answer(id, v)
	}
}
