package plain

import (
	"slices"
	"time"

	"parley/session"
	"parley/ui/question"
)

// tooSoon is how long after a question a line from a keyboard is not an answer, because it was begun before.
const tooSoon = question.SettleTime

// asking puts the session's asks to the user, one at a time.
type asking struct {
	talk *talk

	ask      *plainAsk
	answered map[session.AskID]bool // those that may not be settled yet
	askedAt  time.Time
	ended    bool // no more lines come
}

// next puts the oldest ask to the user, unless one is being answered.
func (q *asking) next() {
	t := q.talk
	asks := t.a.t.Asks
	if q.ask != nil {
		if slices.Contains(asks, q.ask.Ask) {
			return
		}
		q.ask = nil
	}
	i := slices.IndexFunc(asks, func(a *session.Ask) bool { return !q.answered[a.Ask] })
	if i < 0 {
		return
	}
	q.ask = &plainAsk{Question: question.New(asks[i], question.Options{Dir: t.a.dir, Home: t.look.Home}), print: t.print, typed: t.human}
	q.ask.put()
	q.askedAt = t.opts.Now()
	if q.ended {
		q.answer(question.Declined())
	}
}

// answer answers the ask.
func (q *asking) answer(a session.Answer) {
	id := q.ask.Ask.Ask
	q.ask, q.answered[id] = nil, true
	if err := q.talk.session.Answer(id, a); err != nil && session.KindOf(err) != session.KindNotFound {
		q.talk.problem(err)
	}
	q.next()
}

// reply handles a line as the answer to the ask.
func (q *asking) reply(line string) {
	t := q.talk
	if t.human && t.opts.Now().Sub(q.askedAt) < tooSoon {
		t.print("note", "Not sent: you typed this before the question could be read")
		q.ask.again()
		return
	}
	if !t.human {
		t.print("you", line)
	}
	if a, done := q.ask.take(line); done {
		q.answer(a)
	}
}

// remind prints how to answer an ask that is still open.
func (q *asking) remind(a *plainAsk) {
	if q.ask == a {
		q.talk.print("note", "the question is still open")
		a.again()
	}
}
