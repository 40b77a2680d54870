package headless

import (
	"fmt"
	"time"

	"parley/internal/crash"
	"parley/internal/human"
	"parley/session"
)

// Figures is the usage of the requests of a session so far, whichever agent made them.
type Figures struct {
	Requests int
	Usage    session.Usage
	NanoAIU  int64
}

// tokens returns all tokens: input, read from and written to the cache, and output.
func (f Figures) tokens() int64 {
	return f.Usage.Input + f.Usage.CacheRead + f.Usage.CacheWrite + f.Usage.Output
}

// and returns, of each figure, the larger: what passed parley and what the agent reported of itself are two counts of the same
// requests, and of an agent that sends some or all of them another way only its own has those.
func (f Figures) and(own Figures) Figures {
	u := session.Usage{Input: max(f.Usage.Input, own.Usage.Input), Output: max(f.Usage.Output, own.Usage.Output),
		CacheRead: max(f.Usage.CacheRead, own.Usage.CacheRead), CacheWrite: max(f.Usage.CacheWrite, own.Usage.CacheWrite)}
	return Figures{Requests: max(f.Requests, own.Requests), Usage: u, NanoAIU: max(f.NanoAIU, own.NanoAIU)}
}

// since returns what was used after an earlier count.
func (f Figures) since(base Figures) Figures {
	u := session.Usage{Input: f.Usage.Input - base.Usage.Input, Output: f.Usage.Output - base.Usage.Output,
		CacheRead: f.Usage.CacheRead - base.Usage.CacheRead, CacheWrite: f.Usage.CacheWrite - base.Usage.CacheWrite}
	return Figures{Requests: f.Requests - base.Requests, Usage: u, NanoAIU: f.NanoAIU - base.NanoAIU}
}

// watch ends the turn in which the run uses more than its limits, for agents that do not keep to them. The printer's lock guards it.
type watch struct {
	limits  session.Limits
	figures func() Figures
	abort   func()

	begun   bool
	base    Figures // at the beginning of the first turn
	own     Figures // what the agent itself has reported
	timer   *time.Timer
	tripped *session.Problem // why the run was ended
}

// event follows the run. A limit is looked at when a turn begins, a call ends or a request is repeated: another request would come next.
func (w *watch) event(e session.Event, lock func(func())) {
	switch e := e.(type) {
	case session.UsageReported:
		w.own.Requests++
		w.own.Usage = w.own.Usage.Add(e.Usage)
	case session.CreditsReported:
		w.own.NanoAIU += e.NanoAIU
	}
	if w.limits == (session.Limits{}) || w.figures == nil {
		return
	}
	switch e := e.(type) {
	case session.TurnStarted:
		if w.begun {
			w.again()
			return
		}
		w.begun, w.base = true, w.figures()
		if w.limits.Time > 0 {
			w.timer = time.AfterFunc(w.limits.Time, crash.Guarded(func() { lock(func() { w.trip(limitProblem(human.Seconds(w.limits.Time))) }) }))
		}
	case session.ToolEnded:
		if !e.Result.Background {
			w.trip(w.reached())
		}
	case session.RetryScheduled:
		w.trip(w.reached())
	}
}

// reached returns the problem of a limit that is used up, nil if there is none.
func (w *watch) reached() *session.Problem {
	l, used := w.limits, w.figures().since(w.base).and(w.own)
	switch {
	case l.Rounds > 0 && used.Requests >= l.Rounds:
		return limitProblem(human.Count(l.Rounds, "request", "requests"))
	case l.Tokens > 0 && used.tokens() >= l.Tokens:
		return limitProblem(human.Tokens(l.Tokens) + " tokens")
	case l.NanoAIU > 0 && used.NanoAIU >= l.NanoAIU:
		return limitProblem(fmt.Sprintf("%.3g credits", float64(l.NanoAIU)/1e9))
	}
	return nil
}

// limitProblem returns the problem of a run that has used up a limit, in the words of agents that keep to it.
func limitProblem(limit string) *session.Problem {
	return &session.Problem{Kind: session.KindTooLong, What: "The run has used its limit of " + limit + ".", Next: session.LimitNext}
}

// again ends a later turn if a limit is used up.
func (w *watch) again() {
	if w.tripped != nil {
		crash.Go(w.abort)
		return
	}
	w.trip(w.reached())
}

// trip ends the run, once. The session is called from a goroutine, because listeners must not call back into it.
func (w *watch) trip(why *session.Problem) {
	if why == nil || w.tripped != nil {
		return
	}
	w.tripped = why
	crash.Go(w.abort)
}

func (w *watch) stop() {
	if w.timer != nil {
		w.timer.Stop()
		w.timer = nil
	}
}

// judge returns the end of a turn as it is reported: one that the watch has ended reached a limit.
func (w *watch) judge(e session.TurnEnded) session.TurnEnded {
	if w.tripped != nil && (e.Outcome == session.TurnCancelled || e.Outcome == "") {
		e.Outcome, e.Problem = session.TurnLimit, w.tripped
	}
	return e
}
