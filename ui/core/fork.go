package core

import (
	"time"

	"parley/session"
)

// ForkPoint is a turn that a copy of a session might end with.
type ForkPoint struct {
	Number   int // of the turn, from 1
	Turn     *session.Turn
	Answered bool // a copy can end with it
}

// ForkPoints returns the turns with a prompt, newest first.
func ForkPoints(t *session.Transcript) []ForkPoint {
	var all []ForkPoint
	for i := len(t.Turns) - 1; i >= 0; i-- {
		if turn := t.Turns[i]; turn.ID != "" && turn.Prompt.Text != "" {
			all = append(all, ForkPoint{i + 1, turn, Answered(turn) && !turn.Running()})
		}
	}
	return all
}

// Answered reports whether the agent did anything in a turn.
func Answered(t *session.Turn) bool {
	for _, e := range t.Entries {
		switch e := e.(type) {
		case *session.Part:
			if !e.Retracted && e.Len() > 0 {
				return true
			}
		case *session.Tool, *session.Child:
			return true
		}
	}
	return false
}

// Later returns the prompt with which the session goes on once the limit of the service ends that stopped the newest turn, nil if no
// such time is known or a prompt waits for one. It is the prompt of that turn, or another one if the agent had begun with it.
func Later(t *session.Transcript, now time.Time) *session.Prompt {
	p := FailedPrompt(t)
	if p == nil || awaits(t.Queue, now) {
		return nil
	}
	turn := t.Turns[len(t.Turns)-1]
	for i := len(t.Turns) - 1; &turn.Prompt != p && i >= 0; i-- {
		turn = t.Turns[i]
	}
	if turn.Problem == nil || resets(turn.Problem.RetryAt, now) == "" {
		return nil
	}
	later := *p
	if Answered(turn) {
		later = session.Prompt{Text: "Go on where you were interrupted."}
	}
	later.ID, later.After = "", turn.Problem.RetryAt.Round(0)
	return &later
}

// FailedPrompt returns the last prompt if its turn failed and sending it again may help, else nil.
func FailedPrompt(t *session.Transcript) *session.Prompt {
	for i := len(t.Turns) - 1; i >= 0; i-- {
		turn := t.Turns[i]
		if turn.Prompt.Text == "" && len(turn.Prompt.Attachments) == 0 {
			continue // events between turns
		}
		if turn.Problem != nil && turn.Problem.Retry {
			return &turn.Prompt
		}
		return nil
	}
	return nil
}
