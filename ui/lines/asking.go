package lines

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
	open := slices.DeleteFunc(slices.Clone(t.a.t.Asks), func(a *session.Ask) bool { return q.answered[a.Ask] })
	if q.ask != nil {
		if q.ask.sync(open) {
			return
		}
		t.print("note", question.Ended(q.ask.Ask, t.a.dir))
		q.ask = nil
	}
	if len(open) == 0 {
		return
	}
	q.ask = &plainAsk{Question: question.New(open[0], question.Options{Dir: t.a.dir, Home: t.look.Home}), print: t.print, typed: t.human, covers: t.covers}
	q.ask.SetAlike(open)
	q.ask.put()
	q.askedAt = t.opts.Now()
	if q.ended {
		q.answer(question.Declined())
	}
}

// answer answers the ask, and all that its question lists.
func (q *asking) answer(a session.Answer) {
	asked := q.ask.Question
	q.ask = nil
	for ask, answer := range asked.Answers(a) {
		q.answered[ask.Ask] = true
		if err := q.talk.session.Answer(ask.Ask, answer); err != nil && session.KindOf(err) != session.KindNotFound {
			q.talk.problem(err)
		}
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
	was := q.ask.Question
	a, done := q.ask.take(line)
	if done {
		q.answer(a)
	} else if q.ask.Question != was {
		q.askedAt = t.opts.Now() // another question: it has to be read first
	}
}

// remind prints how to answer an ask that is still open.
func (q *asking) remind(a *plainAsk) {
	if q.ask == a {
		q.talk.print("note", "the question is still open")
		a.again()
	}
}
