package core

import (
	"slices"
	"strings"
	"time"

	"parley/internal/human"
	"parley/session"
	"parley/ui/style"
)

// Failed is a problem that ended a turn, with what its next steps depend on.
type Failed struct {
	*session.Problem
	Ended  time.Time // of the turn, zero if unknown
	Renews time.Time // when the allowance is renewed, zero if unknown
	Models bool      // the session can go on with another model
	Kept   bool      // the prompt can be sent again
	// Queue are the prompts that wait: enter sends them and ↑ takes one back, so neither is a step.
	Queue session.Queue
	Brief bool // there is little room
}

// otherModel is how the advice of a problem ends where another model may do.
const otherModel = ", or choose another model."

// Says returns in visible text what went wrong, and the next steps, each with its key or command.
func (f Failed) Says(now time.Time) (what, next string) {
	what, next = style.Visible(f.What), style.Visible(f.Next)
	advice, other := strings.CutSuffix(next, otherModel)
	model := "/model chooses another"
	switch {
	case !f.Models:
		advice, other = next, false
	case f.Kind == session.KindQuota && !other:
		advice, other, model = "", true, "/model chooses one that costs less"
		if when := resets(f.Renews, now); when != "" && f.RetryAt.IsZero() {
			advice = "Renewed " + when
		}
	case f.Kind == session.KindModel:
		advice, other = "", true
	}
	if when := resets(f.RetryAt, now); when != "" {
		if advice == "" || strings.HasPrefix(advice, "Try again in ") {
			_, rest, _ := strings.Cut(advice, ", ")
			advice = strings.TrimSuffix("Try again "+when+f.wait()+", "+rest, ", ")
		} else {
			what += " Try again " + when + "."
		}
	}
	var steps []string
	if other {
		steps = append(steps, model)
	}
	if f.Retry && f.Kept {
		if len(f.Queue) == 0 {
			steps = append(steps, "enter resends", "↑ edits")
		}
		if resets(f.RetryAt, now) != "" && !awaits(f.Queue, now) {
			steps = append(steps, "/later sends it then")
		}
	}
	if advice != "" {
		if len(steps) > 0 && !strings.Contains(advice, ". ") {
			advice = strings.TrimSuffix(advice, ".")
		}
		steps = append([]string{advice}, steps...)
	}
	return what, strings.Join(steps, " · ")
}

// awaits reports whether a prompt waits for a time.
func awaits(queue session.Queue, now time.Time) bool {
	return slices.ContainsFunc(queue, func(q session.Prompt) bool { return q.After.After(now) })
}

// wait returns how long the next try was away when the turn ended. How far it is now would be wrong a minute later.
func (f Failed) wait() string {
	d := f.RetryAt.Sub(f.Ended)
	if f.Brief || f.Ended.IsZero() || d < time.Minute || d > 20*time.Hour {
		return ""
	}
	return " (a wait of " + human.Age(d) + ")"
}

// ResetWords returns when a prompt is sent that waits for a time, "" if that is now.
func ResetWords(at, now time.Time) string { return resets(at, now) }

// resets returns words for the time from which something is possible again; "" if that is unknown, past or in a minute.
func resets(at, now time.Time) string {
	if at.IsZero() || at.Sub(now) < time.Minute {
		return ""
	}
	at = at.In(now.Location())
	if at.Sub(now) < 20*time.Hour {
		return "at " + at.Format("15:04")
	}
	return "on " + at.Format("Monday 2 January at 15:04")
}
