package edits

import (
	"context"
	"errors"
	"time"

	"parley/session"
	"parley/session/edits/image"
)

// Log is the record of one session's changes and of what the user did with them. It is safe for concurrent use, also by
// several processes: each operation reads first what others have added.
type Log struct{}

// Scope selects changes. Fields that are set must all fit; the zero value selects all.
type Scope struct {
	Turn    session.TurnID
	Paths   []string // absolute
	Changes []ChangeID
	// OnlyOpen leaves out what the user has accepted, as to reject.
	OnlyOpen bool
}

// Changes returns all changes, oldest first. Torn and unknown lines of the file are left out.
func (l *Log) Changes(ctx context.Context) ([]Change, error) { return nil, errors.New("not yet") }

// Unaccepted returns the number of files with open changes.
func (l *Log) Unaccepted(ctx context.Context) (int, error) { return 0, errors.New("not yet") }

// Add appends changes, numbers them, and leaves out those that changed nothing.
func (l *Log) Add(ctx context.Context, changes ...Change) error { return errors.New("not yet") }

// Accept accepts the open changes of a scope, and returns how many files that were.
func (l *Log) Accept(ctx context.Context, s Scope) (files int, err error) {
	return 0, errors.New("not yet")
}

// PlanUndo plans to make the files of a scope as they were before its first change that is not undone. It changes nothing.
func (l *Log) PlanUndo(ctx context.Context, s Scope) (Plan, error) {
	return Plan{}, errors.New("not yet")
}

// PlanRedo plans to make the files of a scope as they were before they were last undone. It changes nothing.
func (l *Log) PlanRedo(ctx context.Context, s Scope) (Plan, error) {
	return Plan{}, errors.New("not yet")
}

// Apply carries out a plan, file by file, but for files that are refused, and for files with losses that are not among
// accepted (by path). A file that has changed since it was planned stays as it is. What was there is kept, so that
// [Log.PlanRedo] brings it back.
func (l *Log) Apply(ctx context.Context, p Plan, accepted func(path string) bool) (Outcome, error) {
	return Outcome{}, errors.New("not yet")
}

// At returns the states of all files ever changed in the session as they were at the end of a turn, or for an empty turn
// before the first one, by path. What the user changed meanwhile counts from the next change of an agent on.
func (l *Log) At(ctx context.Context, turn session.TurnID) (map[string]image.State, error) {
	return nil, errors.New("not yet")
}

// Diff compares two states of a file. The patch has a few lines around each change; it is empty for binary and unkept files,
// which Note says.
func (l *Log) Diff(ctx context.Context, path string, from, to image.State) (session.FileEdit, error) {
	return session.FileEdit{}, errors.New("not yet")
}

// StepKind is what a step did.
type StepKind string

// The kinds of steps.
const (
	StepAccept StepKind = "accept"
	StepUndo   StepKind = "undo"
	StepRedo   StepKind = "redo"
)

// Plan is what a step would do, file by file in the order of their paths.
type Plan struct {
	Kind  StepKind
	Files []PlanFile
}

// PlanFile is what a step would do to one file.
type PlanFile struct {
	Path string
	// From is what stands there now, To what will.
	From, To image.State
	// Changes are those that the step takes back or brings back.
	Changes []ChangeID
	// Lost are differences that the step would lose and that are not in its scope, oldest first. The user must accept that.
	Lost []Loss
	// Refused says why the file is left alone, as a sentence; "" if it is not.
	Refused string

	undoes int // the step that is redone
}

// Loss is a difference that a step would lose.
type Loss struct {
	// By is who made it, such as "you, or another program" or "turn 3 (Edit)".
	By       string
	From, To image.State
	At       time.Time // zero if unknown
}

// Outcome is what became of a plan.
type Outcome struct {
	// Done are the paths that are now as planned.
	Done []string
	// Left are the paths that are not, with the reason as a sentence.
	Left map[string]string
}
