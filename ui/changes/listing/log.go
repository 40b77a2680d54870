package listing

import (
	"context"

	"parley/session"
	"parley/session/changes"
	"parley/session/changes/snapshot"
)

// Log is the record of what agents did to files in one session; [changes.Log] is one. Its methods may block and are safe for
// concurrent use.
type Log interface {
	// Changes returns all changes, oldest first.
	Changes(ctx context.Context) ([]changes.Change, error)
	// Accept accepts the open changes of a scope, and returns how many files that were.
	Accept(ctx context.Context, s changes.Scope) (files int, err error)
	// PlanUndo and PlanRedo plan to take changes back, and to bring them back. They change nothing.
	PlanUndo(ctx context.Context, s changes.Scope) (changes.Plan, error)
	PlanRedo(ctx context.Context, s changes.Scope) (changes.Plan, error)
	// Apply carries out a plan, but for files that it refuses, and for files with losses that accepted does not accept.
	Apply(ctx context.Context, p changes.Plan, accepted func(path string) bool) (changes.Outcome, error)
	// Diff compares two states of a file.
	Diff(ctx context.Context, path string, from, to snapshot.State) (session.FileEdit, error)
}

// Names find words for changes. The functions answer at once.
type Names struct {
	// Turn returns the number of a turn, from 1, and the first line of its prompt; 0 if the turn is unknown.
	Turn func(session.TurnID) (number int, prompt string)
	// Child returns the name of a child agent.
	Child func(session.ChildID) string
	// Dir is the session's directory and Home the user's, to shorten paths.
	Dir, Home string
}

// TurnNumber returns the number of a turn of a transcript, from 1, and the first line of its prompt; 0 if it has no such turn.
func TurnNumber(t *session.Transcript, id session.TurnID) (number int, prompt string) {
	if id == "" {
		return 0, ""
	}
	for i := len(t.Turns) - 1; i >= 0; i-- {
		if t.Turns[i].ID == id {
			return i + 1, FirstLine(t.Turns[i].Prompt.Text)
		}
	}
	return 0, ""
}
