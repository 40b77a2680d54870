package cloud

import (
	"strings"
	"time"
)

// The states of sessions.
const (
	stateQueued     = "queued"
	stateInProgress = "in_progress"
	stateCompleted  = "completed"
	stateFailed     = "failed"
	stateCancelled  = "cancelled"
	stateTimedOut   = "timed_out"
	stateWaiting    = "waiting_for_user"
)

// Plan describes the course of a session.
type Plan struct {
	// End is the state in which it ends; "" means completed.
	End string
	// Code and Problem are the error of a session that fails.
	Code, Problem string
	// Queued is the time until it runs, Pull the time from then until there is a pull request, Every the time between the
	// entries of the log.
	Queued, Pull, Every time.Duration
	// Entries are the objects of the log, as JSON; nil: those of an ordinary task. They are written in order.
	Entries []string
	// Checks is the time that the checks of the pull request take after the end. FailedChecks of them fail.
	Checks       time.Duration
	FailedChecks int
}

// PlanOf returns the plan for a problem statement. The words "simulate failed", "simulate cancelled", "simulate timed out"
// and "simulate waiting" choose how it ends, "simulate slow" makes it ten times slower, "simulate long log" writes a log of
// 10 MB, and "simulate failed checks" lets a check fail.
func PlanOf(problem string) Plan {
	p := Plan{Queued: 400 * time.Millisecond, Pull: 300 * time.Millisecond, Every: 150 * time.Millisecond, Checks: 1500 * time.Millisecond}
	has := func(words string) bool { return strings.Contains(strings.ToLower(problem), "simulate "+words) }
	switch {
	case has("failed checks"):
		p.FailedChecks = 1
	case has("failed"):
		p.End, p.Code, p.Problem = stateFailed, "agent_error", "The agent stopped because the tests could not be built."
	case has("cancelled"):
		p.End = stateCancelled
	case has("timed out"):
		p.End = stateTimedOut
	case has("waiting"):
		p.End = stateWaiting
	}
	if has("slow") {
		p.Queued, p.Pull, p.Every, p.Checks = p.Queued*10, p.Pull*10, p.Every*10, p.Checks*10
	}
	if has("long log") {
		p.Entries, p.Every = LongLog(10<<20), 0
	}
	return p
}

// end returns the state in which a session ends.
func (p Plan) end() string {
	if p.End == "" {
		return stateCompleted
	}
	return p.End
}

// progress returns the state of a session and the number of its log entries, at a time since its creation. pull reports
// whether there is a pull request.
func (p Plan) progress(since time.Duration) (state string, entries int, pull bool) {
	since -= p.Queued
	if since < 0 {
		return stateQueued, 0, false
	}
	pull = since >= p.Pull
	entries = len(p.Entries)
	if p.Every > 0 {
		entries = min(entries, int(since/p.Every))
	}
	if entries < len(p.Entries) || !pull || since < p.duration() {
		return stateInProgress, entries, pull
	}
	return p.end(), entries, true
}

// duration returns the time that a session works.
func (p Plan) duration() time.Duration {
	return max(p.Pull, p.Every*time.Duration(len(p.Entries)))
}
