package printed

import (
	"slices"
	"time"

	"parley/session"
	"parley/session/permission"
	"parley/ui/core"
	"parley/ui/question"
)

// Asks put the session's asks to the user, one at a time.
type Asks struct {
	talk   *core.Lines
	covers func(permission.Rule, *session.PermissionAsk) bool

	ask      *ask                   // nil for none
	answered map[session.AskID]bool // those that may not be settled yet
	askedAt  time.Time
	ended    bool // no more lines come
}

// NewAsks returns Asks without one. covers reports whether a rule of the user's covers a call; it may read the disk.
func NewAsks(talk *core.Lines, covers func(permission.Rule, *session.PermissionAsk) bool) *Asks {
	return &Asks{talk: talk, covers: covers, answered: map[session.AskID]bool{}}
}

// Open reports whether an ask waits for an answer.
func (q *Asks) Open() bool { return q.ask != nil }

// InWords reports whether any line may be an answer to the open ask.
func (q *Asks) InWords() bool { return q.ask != nil && q.ask.inWords() }

// Meant returns the answer in a line, and whether it is one.
func (q *Asks) Meant(line string) (answer string, ok bool) {
	if q.ask == nil {
		return "", false
	}
	return q.ask.meant(line)
}

// Forget forgets the asks of a session that is left.
func (q *Asks) Forget() { q.ask, q.answered = nil, map[session.AskID]bool{} }

// End reports that no more lines come. What is asked from then on is declined; so is the open ask, unless lines came from a
// keyboard.
func (q *Asks) End() {
	q.ended = true
	if q.ask != nil && !q.talk.Typed {
		q.answer(question.Declined())
	}
}

// Next puts the oldest ask to the user, unless one is being answered.
func (q *Asks) Next() {
	t := q.talk
	open := slices.DeleteFunc(slices.Clone(t.Current().Transcript.Asks), func(a *session.Ask) bool { return q.answered[a.Ask] })
	if q.ask != nil {
		if q.ask.sync(open) {
			return
		}
		t.Print("note", question.Ended(q.ask.Ask, t.Current().Dir))
		q.ask = nil
	}
	if len(open) == 0 {
		return
	}
	q.ask = &ask{Question: question.New(open[0], question.Options{Dir: t.Current().Dir, Home: t.Look.Home}), print: t.Print, typed: t.Typed, covers: q.covers}
	q.ask.SetAlike(open)
	q.ask.put()
	q.askedAt = t.Options.Now()
	if q.ended {
		q.answer(question.Declined())
	}
}

// answer answers the ask, and all that its question lists.
func (q *Asks) answer(a session.Answer) {
	asked := q.ask.Question
	q.ask = nil
	for ask, answer := range asked.Answers(a) {
		q.answered[ask.Ask] = true
		if err := q.talk.Current().Session.Answer(ask.Ask, answer); err != nil && session.KindOf(err) != session.KindNotFound {
			q.talk.Problem(err)
		}
	}
	q.Next()
}

// Reply handles a line as the answer to the ask.
func (q *Asks) Reply(line string) {
	t := q.talk
	if t.Typed && t.Options.Now().Sub(q.askedAt) < core.SettleTime {
		t.Print("note", "Not sent: you typed this before the question could be read")
		q.ask.again()
		return
	}
	if !t.Typed {
		t.Print("you", line)
	}
	was := q.ask.Question
	a, done := q.ask.take(line)
	if done {
		q.answer(a)
	} else if q.ask.Question != was {
		q.askedAt = t.Options.Now() // another question: it has to be read first
	}
}

// Reminder returns a function that prints how to answer the ask that is open now, if it still is.
func (q *Asks) Reminder() func() {
	a := q.ask
	return func() {
		if a != nil && q.ask == a {
			q.talk.Print("note", "the question is still open")
			a.again()
		}
	}
}
