package live

import (
	"cmp"
	"slices"

	"parley/internal/crash"
	"parley/session"
)

// asks holds the open asks. The session's lock guards it.
type asks struct {
	open  map[session.AskID]*openAsk
	asked int // asks so far
}

// openAsk is an ask without a settlement.
type openAsk struct {
	asked session.Asked
	order int
	// answered reports that an answer is on its way to the agent, unattended that no user gave it.
	answered, unattended bool
	answer               session.Answer
}

// sorted returns the open asks, oldest first.
func (a *asks) sorted() []*openAsk {
	all := make([]*openAsk, 0, len(a.open))
	for _, ask := range a.open {
		all = append(all, ask)
	}
	slices.SortFunc(all, func(a, b *openAsk) int { return cmp.Compare(a.order, b.order) })
	return all
}

// ask publishes a new ask and returns it, nil if it is open.
func (st *state) ask(e session.Asked) *openAsk {
	if st.asks.open[e.Ask] != nil {
		return nil
	}
	st.asks.asked++
	a := &openAsk{asked: e, order: st.asks.asked}
	st.asks.open[e.Ask] = a
	st.publish(e)
	return a
}

// settle closes an open ask, once.
func (st *state) settle(e session.Settled) {
	a := st.asks.open[e.Ask]
	if a == nil {
		return
	}
	delete(st.asks.open, e.Ask)
	if e.How == session.SettledAnswered && st.scripts != nil {
		st.scripts.settled(a, e.Answer)
	}
	if a.unattended && e.How == session.SettledAnswered {
		e.How = session.SettledUnattended
		e.Answer = a.answer
	}
	st.publish(e)
}

// cancelAsk settles an ask without an answer. why is as in [session.Settled].
func (st *state) cancelAsk(a *openAsk, why string) {
	st.settle(session.Settled{Head: st.headLike(a.asked.Head), Ask: a.asked.Ask, How: session.SettledCancelled, Why: why})
}

// answer passes the user's answer to the conversation; see [local.Answer]. It takes the lock.
func (r *runtime) answer(ask session.AskID, answer session.Answer) error {
	if answer.Mode != "" {
		if err := r.d.checkMode(r.agent, answer.Mode); err != nil {
			return err
		}
	}
	r.state.Lock()
	a := r.state.asks.open[ask]
	if a == nil || a.answered || r.conv == nil {
		r.state.Unlock()
		return fail("answer", session.KindNotFound, "nothing open is called %q", ask)
	}
	answer = inScope(a.asked.Permission, answer)
	a.answered, a.answer = true, answer
	conv, dir := r.conv, r.state.meta.Dir
	r.state.Unlock()
	if lasts(a.asked.Permission, answer) {
		crash.Go(func() { r.keep(a, conv, dir) })
		return nil
	}
	err := conv.Answer(ask, answer)
	r.answered(a, err)
	return err
}

// refuse denies an ask because no user can answer. A goroutine does it, because the agent may ask from within our call. The
// lock is held.
func (r *runtime) refuse(a *openAsk) {
	if r.conv == nil || a.answered {
		return // it is refused once the conversation is open
	}
	a.answered, a.unattended = true, true
	a.answer = session.Answer{Decision: session.Deny, Message: session.UnattendedReason}
	conv := r.conv
	crash.Go(func() {
		err := conv.Answer(a.asked.Ask, a.answer)
		r.answered(a, err)
	})
}

// answered records the agent's result for an answer, and settles the ask if the agent has not. It takes the lock.
func (r *runtime) answered(a *openAsk, err error) {
	st := r.state
	st.Lock()
	defer st.Unlock()
	if st.asks.open[a.asked.Ask] != a {
		return
	}
	if err != nil && !a.unattended {
		a.answered = false
		return
	}
	st.settle(session.Settled{Head: st.headLike(a.asked.Head), Ask: a.asked.Ask, How: session.SettledAnswered, Answer: a.answer})
}
