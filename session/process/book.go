package process

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"sync"

	"parley/session"
	"parley/session/permission"
)

// Book holds the open asks of a conversation, each with what its agent needs to go on, and the rules that answers granted for the
// session. Whether an ask is open is known here and nowhere else. It never calls out, and is safe for concurrent use.
type Book[With any] struct {
	mu    sync.Mutex
	open  map[session.AskID]*Ask[With]
	rules []permission.Rule
}

// Ask is an open ask. It gets at most one verdict, and only while it is in the book.
type Ask[With any] struct {
	ID session.AskID
	// Permission is the call that needs a permission; nil for an ask that only the user answers.
	Permission *session.PermissionAsk
	With       With

	end chan Verdict // holds one
}

// Verdict ends an ask.
type Verdict struct {
	How    session.Settlement
	Answer session.Answer
	// Why is as in [session.Settled]. Ruling is the decision of the rules in the user's place, nil if there is none.
	Why    string
	Ruling *permission.Decision
}

// Answered returns the verdict of a user's answer.
func Answered(a session.Answer) Verdict {
	v := Verdict{How: session.SettledAnswered, Answer: a}
	if a.Decision != session.Allow && a.Message == session.UnattendedReason {
		v.How = session.SettledUnattended
	}
	return v
}

// NewBook returns a book without asks. granted are the rules that answers granted for the session before.
func NewBook[With any](granted []permission.Rule) *Book[With] {
	return &Book[With]{open: map[session.AskID]*Ask[With]{}, rules: slices.Clone(granted)}
}

// Rules returns the rules that answers granted for the session.
func (b *Book[With]) Rules() []permission.Rule {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.rules)
}

// Revoke drops the rules with a text.
func (b *Book[With]) Revoke(text string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.rules = slices.DeleteFunc(slices.Clone(b.rules), func(r permission.Rule) bool { return r.String() == text })
}

// Open adds an ask. It must come before the ask is emitted, so that no answer comes too early. An id that is open already gets a
// mark behind it.
func (b *Book[With]) Open(id session.AskID, perm *session.PermissionAsk, with With) *Ask[With] {
	b.mu.Lock()
	defer b.mu.Unlock()
	for b.open[id] != nil {
		id += "+"
	}
	a := &Ask[With]{ID: id, Permission: perm, With: with, end: make(chan Verdict, 1)}
	b.open[id] = a
	return a
}

// Find returns an open ask, nil if it is not open.
func (b *Book[With]) Find(id session.AskID) *Ask[With] {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.open[id]
}

// Any reports whether an ask is open.
func (b *Book[With]) Any() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.open) > 0
}

// All returns the open asks, by their ids.
func (b *Book[With]) All() []*Ask[With] {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.SortedFunc(maps.Values(b.open), func(a, o *Ask[With]) int { return cmp.Compare(a.ID, o.ID) })
}

// Close takes an ask out of the book, with its verdict: the rule that a user's answer grants holds from now on. It returns nil if
// the ask is not open. What waits for the ask goes on with [Ask.End].
func (b *Book[With]) Close(id session.AskID, v Verdict) *Ask[With] {
	b.mu.Lock()
	defer b.mu.Unlock()
	a := b.open[id]
	if a == nil {
		return nil
	}
	delete(b.open, id)
	if v.How == session.SettledAnswered && v.Ruling == nil {
		b.rules = append(b.rules, permission.GrantedBy(a.Permission, v.Answer, session.ScopeSession)...)
	}
	return a
}

// End lets what waits for a closed ask go on.
func (a *Ask[With]) End(v Verdict) { a.end <- v }

// Wait returns the verdict on an ask. It is false if the context ended first; the ask is open then, unless another verdict comes
// at the same time.
func (a *Ask[With]) Wait(ctx context.Context) (Verdict, bool) {
	select {
	case v := <-a.end:
		return v, true
	case <-ctx.Done():
		return Verdict{}, false
	}
}

// Ended returns the verdict on an ask that was closed.
func (a *Ask[With]) Ended() Verdict { return <-a.end }

// Judged returns the verdicts on the open asks about permissions for which the rules and the mode would not ask any more. judge is
// called without a lock.
func (b *Book[With]) Judged(judge func(*Ask[With]) permission.Decision) map[session.AskID]Verdict {
	verdicts := map[session.AskID]Verdict{}
	for _, a := range b.All() {
		if a.Permission == nil {
			continue
		}
		d := judge(a)
		v := Verdict{How: session.SettledAnswered, Ruling: &d}
		switch {
		case d.Ruling == permission.Deny:
			v.Answer, v.Why = session.Answer{Decision: session.Deny}, session.WhyRefused
		case d.Ruling != permission.Allow:
			continue
		case d.Rule != nil:
			v.Answer, v.Why = session.Answer{Decision: session.Allow, Scope: session.ScopeOnce}, session.WhyRuled
		default:
			v.Answer, v.Why = session.Answer{Decision: session.Allow, Scope: session.ScopeOnce}, session.WhyMode
		}
		verdicts[a.ID] = v
	}
	return verdicts
}

// NotOpen is the error of an answer to an ask that is not open.
func NotOpen() error {
	return &session.Error{Op: "answer", Kind: session.KindNotFound, Err: errors.New("this question was already answered")}
}
