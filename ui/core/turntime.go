package core

import (
	"time"

	"parley/internal/human"
	"parley/session"
	"parley/session/toolview"
	"parley/ui/style"
)

// Spent returns how long the agent has worked in a turn, up to now while the turn runs. The time in which a question waited for the user
// does not count. It is zero where that is not known.
func Spent(t *session.Turn, now time.Time) time.Duration {
	if t.Started.IsZero() {
		return max(0, t.Duration)
	}
	end := now
	if t.Outcome != "" {
		end = t.Started.Add(t.Duration)
		if t.Duration <= 0 { // a transcript of another program
			end = lastOf(t.Entries, t.Started)
		}
	}
	return max(0, end.Sub(t.Started)-waited(t, end))
}

// waited returns how long a question of the turn was open before a time.
func waited(t *session.Turn, end time.Time) (sum time.Duration) {
	var until time.Time
	for _, a := range t.Asks {
		from, to := a.At, end
		if a.Settled && a.Settlement.At.Before(end) {
			to = a.Settlement.At
		}
		if from.IsZero() {
			continue
		}
		if from.Before(until) {
			from = until
		}
		if to.After(from) {
			sum, until = sum+to.Sub(from), to
		}
	}
	return sum
}

// lastOf returns the latest time that entries know, at least from.
func lastOf(entries []session.Entry, from time.Time) time.Time {
	last := from
	note := func(at time.Time, took time.Duration) {
		if at = at.Add(took); at.After(last) {
			last = at
		}
	}
	for _, e := range entries {
		switch e := e.(type) {
		case *session.Part:
			note(e.Started, e.Duration)
		case *session.Tool:
			note(e.Started, e.Duration)
		case *session.Child:
			note(lastOf(e.Entries, e.Started), 0)
		case *session.Ask:
			note(e.Settlement.At, 0)
		}
	}
	return last
}

// TurnEnd returns what a turn that has ended took, as far as it is known, such as "Done in 41s · 1.20 credits · 2 files changed  +14 -3".
// It returns "" for a turn that was done at once, cost nothing and changed nothing.
func TurnEnd(t *session.Turn) string {
	head := ""
	long := Spent(t, time.Time{})
	switch t.Outcome {
	case session.TurnCompleted:
		head = "Done"
		if long >= style.Noticeable {
			head += " in " + human.Seconds(long)
		}
	case session.TurnCancelled:
		head = "Stopped" + after(long)
	case session.TurnFailed, session.TurnLimit:
		head = "Failed" + after(long)
		if t.Outcome == session.TurnLimit {
			head = "Stopped" + after(long)
		}
	default:
		return ""
	}
	text := head
	if cost := Credits(t.NanoAIU); cost != "" {
		text += " · " + cost
	}
	if edits, files := changesOf(t.Entries); files > 0 {
		text += " · " + human.Count(files, "file", "files") + " changed  " + toolview.Changes(edits)
	}
	if text == "Done" || text == "Failed" {
		return ""
	}
	return text
}

// after returns words for how long a turn ran before it stopped.
func after(long time.Duration) string {
	if long < style.Noticeable {
		return ""
	}
	return " after " + human.Seconds(long)
}

// changesOf returns the changes of files that calls made, and how many files they are.
func changesOf(entries []session.Entry) (edits []session.FileEdit, files int) {
	paths := map[string]bool{}
	more := 0
	var collect func(entries []session.Entry)
	collect = func(entries []session.Entry) {
		for _, e := range entries {
			switch e := e.(type) {
			case *session.Child:
				collect(e.Entries)
			case *session.Tool:
				if e.Outcome == session.ToolOK {
					edits = append(edits, e.Edits...)
				}
				if c := e.Changes; c != nil {
					edits, more = append(edits, c.Edits...), more+c.More
				}
			}
		}
	}
	collect(entries)
	for _, e := range edits {
		paths[e.Path] = true
	}
	return edits, len(paths) + more
}
