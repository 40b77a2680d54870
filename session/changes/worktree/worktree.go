package worktree

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"parley/session/changes/snapshot"
)

// Options configures a [Tree]. Zero fields have defaults.
type Options struct {
	// Roots are the directories to watch, absolute. One in a repository stands for the whole work tree around it, unless that
	// is the user's home directory or the root of the file system. Of those two, only the files directly in them are watched.
	Roots []string
	Store *snapshot.Store
	// The bounds of one look: files in all, time, and files and bytes that are kept beforehand.
	Files     int
	Time      time.Duration
	KeptFiles int
	KeptBytes int64
}

// The defaults of the bounds.
const (
	defaultFiles     = 200_000
	defaultTime      = 2 * time.Second
	defaultKeptFiles = 4_000
	defaultKeptBytes = 64 << 20
)

// Tree compares work trees. It remembers what it kept, so that the next look costs less. It is safe for concurrent use.
type Tree struct {
	o   Options
	now func() time.Time

	mu      sync.Mutex
	roots   []string
	indexes map[string]indexed
	texts   map[string]read
	kept    map[string]remembered
	last    []*folder // the tops of the last look
	lates   int       // looks in a row that took too long
	rests   time.Time // until when looks give up at once

	opened, listed atomic.Int64 // files of the work trees, and directories whose names were read
}

// New returns a tree without touching the disk.
func New(o Options) *Tree {
	if o.Files <= 0 {
		o.Files = defaultFiles
	}
	if o.Time <= 0 {
		o.Time = defaultTime
	}
	if o.KeptFiles <= 0 {
		o.KeptFiles = defaultKeptFiles
	}
	if o.KeptBytes <= 0 {
		o.KeptBytes = defaultKeptBytes
	}
	return &Tree{o: o, roots: o.Roots, now: time.Now, indexes: map[string]indexed{}, texts: map[string]read{}, kept: map[string]remembered{}}
}

// Watch replaces the roots for the looks from now on.
func (t *Tree) Watch(roots []string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.roots = roots
}

// Look describes the work trees as they are now, and keeps what could not be had back otherwise. After two looks in a row that
// took too long, which a cold disk does not explain, it gives up at once for a while.
func (t *Tree) Look(ctx context.Context) *Snapshot {
	now := t.now()
	t.mu.Lock()
	resting, roots := now.Before(t.rests), t.roots
	t.mu.Unlock()
	if resting {
		return &Snapshot{at: now, gaps: gaps{late: true}}
	}
	end := time.Now().Add(t.o.Time)
	s := t.look(ctx, starts(ctx, roots), now, end, true)
	t.keep(ctx, s, end)
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.lates++; !s.gaps.late {
		t.lates = 0
	}
	if t.lates >= 2 {
		t.rests, t.lates = now.Add(rest), 0
	}
	return s
}

// rest is the time in which looks give up at once after some that took too long.
const rest = 5 * time.Minute

// Snapshot describes the work trees at one time. It is immutable, and may be large.
type Snapshot struct {
	at     time.Time
	starts []start
	tops   []*folder // of the starts
	files  atomic.Int64
	states []snapshot.State // of the files that were kept
	gaps   gaps
	unkept []candidate
}

// Changed is a file that is not as it was. Its states differ, as far as both are known.
type Changed struct {
	Path          string // absolute, with the links of its directories resolved
	Before, After snapshot.State
	// Dirs are directories above Path that were not there before, outermost first.
	Dirs []string
}

// Result is the outcome of a comparison.
type Result struct {
	Changed []Changed
	// Gap says in words why changes may be missing, such as "there are more than 200,000 files"; "" if none are.
	Gap string
}
