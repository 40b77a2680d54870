package statusline

import (
	"bytes"
	"context"
	"slices"
	"time"
)

// The bounds of a run.
const (
	between = 300 * time.Millisecond // from one beginning to the next
	longest = 5 * time.Second
)

// Source is where the command comes from, and what runs it. Both methods may block, and end with ctx.
type Source interface {
	// Find returns the command of the moment for a directory, false for none.
	Find(ctx context.Context, dir string) (Command, bool)
	// Filter runs a shell line with input and returns at most the first most bytes of its output, and its exit status.
	Filter(ctx context.Context, dir, line string, input []byte, most int) (output []byte, status int, err error)
}

// Line is the status line of one screen. It belongs to one goroutine, apart from the functions that Due returns.
type Line struct {
	source  Source
	command Command
	report  []byte // of the last run
	dir     string
	changed bool
	running bool
	began   time.Time
	rows    []string
}

// Result is what a run gave. Only [Line.Done] reads it.
type Result struct {
	command Command
	rows    []string
}

// New returns a line that runs the command of a source; nil: it stays empty.
func New(source Source) *Line { return &Line{source: source} }

// Set takes the state of the session. A report like the last one changes nothing.
func (l *Line) Set(r Report) {
	if data := r.JSON(); !bytes.Equal(data, l.report) || r.Dir != l.dir {
		l.report, l.dir, l.changed = data, r.Dir, true
	}
}

// Due returns a run if one is due, otherwise nil and how long to wait before asking again; 0 is until something changes.
// The run blocks, and its result goes to Done.
func (l *Line) Due(now time.Time) (run func(ctx context.Context) Result, wait time.Duration) {
	if l.source == nil || l.report == nil || l.running {
		return nil, 0
	}
	next := l.began.Add(between)
	if !l.changed {
		if l.command.Every == 0 {
			return nil, 0
		}
		next = l.began.Add(l.command.Every)
	}
	if now.Before(next) && !l.began.IsZero() {
		return nil, next.Sub(now)
	}
	l.running, l.changed, l.began = true, false, now
	source, report, dir := l.source, l.report, l.dir
	return func(ctx context.Context) Result {
		ctx, cancel := context.WithTimeout(ctx, longest)
		defer cancel()
		c, ok := source.Find(ctx, dir)
		if !ok {
			return Result{}
		}
		out, status, err := source.Filter(ctx, dir, c.Line, report, maxOutput)
		if err != nil || status != 0 {
			return Result{command: c}
		}
		return Result{c, Reduce(string(out))}
	}, 0
}

// Done takes the result of a run, and reports whether the rows changed.
func (l *Line) Done(r Result) bool {
	l.running, l.command = false, r.command
	if slices.Equal(l.rows, r.rows) {
		return false
	}
	l.rows = r.rows
	return true
}

// Rows returns what the command wrote, not yet cut to a width, and how many columns stay free beside it.
func (l *Line) Rows() (rows []string, padding int) { return l.rows, l.command.Padding }
