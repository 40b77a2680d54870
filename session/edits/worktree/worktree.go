package worktree

import (
	"context"
	"time"

	"parley/session/edits/image"
)

// Options configures a [Tree]. Zero fields have defaults.
type Options struct {
	// Roots are the directories to watch, absolute. One in a repository stands for the whole work tree around it, unless that
	// is the user's home directory or the root of the file system.
	Roots []string
	Store *image.Store
	// The bounds of one look: files in all, time, and files and bytes that are kept beforehand.
	Files     int
	Time      time.Duration
	KeptFiles int
	KeptBytes int64
}

// Tree compares work trees. It remembers what it kept, so that the next look costs less. It is safe for concurrent use.
type Tree struct{}

// New returns a tree without touching the disk.
func New(o Options) *Tree { return &Tree{} }

// Look describes the work trees as they are now, and keeps what could not be had back otherwise.
func (t *Tree) Look(ctx context.Context) *Snapshot { return &Snapshot{} }

// Compare returns what has changed since a look, in the order of the paths. The content of the changed files is kept.
func (t *Tree) Compare(ctx context.Context, since *Snapshot) Result { return Result{} }

// Snapshot is how the work trees were at one time. It is immutable, and may be large.
type Snapshot struct{}

// Changed is a file that is not as it was. Its states differ, as far as both are known.
type Changed struct {
	Path          string // absolute, with the links of its directories resolved
	Before, After image.State
	// Dirs are directories above Path that were not there before, outermost first.
	Dirs []string
}

// Result is the outcome of a comparison.
type Result struct {
	Changed []Changed
	// Gap says in words why changes may be missing, such as "there are more than 200,000 files"; "" if none are.
	Gap string
}
