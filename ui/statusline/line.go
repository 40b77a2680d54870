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

// Filter runs a shell line with input and returns at most the first most bytes of its output, and its exit status.
type Filter func(ctx context.Context, dir, line string, input []byte, most int) (output []byte, status int, err error)

// Line is the status line of one screen. It belongs to one goroutine, apart from the functions that Due returns.
type Line struct {
	filter  Filter
	find    func(ctx context.Context) (Command, bool)
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

// New returns a line that runs commands with filter. find returns the command of the moment; it is called in a run, and may
// read files. Both nil: the line stays empty.
func New(filter Filter, find func(ctx context.Context) (Command, bool)) *Line {
	return &Line{filter: filter, find: find}
}

// Set takes the state of the session. A report like the last one changes nothing.
func (l *Line) Set(r Report) {
	if data := r.JSON(); !bytes.Equal(data, l.report) || r.Dir != l.dir {
		l.report, l.dir, l.changed = data, r.Dir, true
	}
}

// Due returns a run if one is due, otherwise nil and how long to wait before asking again; 0 is until something changes.
// The run blocks, and its result goes to Done.
func (l *Line) Due(now time.Time) (run func(ctx context.Context) Result, wait time.Duration) {
	if l.filter == nil || l.find == nil || l.report == nil || l.running {
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
	filter, find, report, dir := l.filter, l.find, l.report, l.dir
	return func(ctx context.Context) Result {
		ctx, cancel := context.WithTimeout(ctx, longest)
		defer cancel()
		c, ok := find(ctx)
		if !ok {
			return Result{}
		}
		out, status, err := filter(ctx, dir, c.Line, report, maxOutput)
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
