package statusline

import (
	"context"
	"slices"
	"strings"
	"time"

	"parley/ui/style"
)

// The bounds of a run.
const (
	between = 300 * time.Millisecond // from one beginning to the next
	longest = 5 * time.Second
)

// Source finds the command, and runs it. Both methods may block, and end with ctx.
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
	told    Report
	changed bool
	running bool
	began   time.Time
	rows    []string
}

// Result is the output of a run. Only [Line.Done] reads it.
type Result struct {
	command Command
	rows    []string
}

// New returns a line that runs the command of a source; nil: it stays empty.
func New(source Source) *Line { return &Line{source: source} }

// Set takes the state of the session. A report that differs from the last one in its duration only changes nothing.
func (l *Line) Set(r Report) {
	last := l.told
	last.Duration = r.Duration
	if r != last {
		l.told, l.changed = r, true
	}
}

// Due returns a run if one is due, otherwise nil and how long to wait before asking again; 0 is until something changes.
// The run blocks, and its result goes to Done.
func (l *Line) Due(now time.Time) (run func(ctx context.Context) Result, wait time.Duration) {
	if l.source == nil || l.told == (Report{}) || l.running {
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
	source, report := l.source, l.told
	return func(ctx context.Context) Result {
		ctx, cancel := context.WithTimeout(ctx, longest)
		defer cancel()
		c, ok := source.Find(ctx, report.Dir)
		if !ok {
			return Result{}
		}
		out, status, err := source.Filter(ctx, report.Dir, c.Line, report.JSON(), maxOutput)
		if err != nil || status != 0 {
			return Result{command: c}
		}
		return Result{c, reduce(string(out))}
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

// Rows returns what the command wrote, cut to w columns, with the free columns that its setting asks for.
func (l *Line) Rows(ms style.Measure, w int) []string {
	out := make([]string, len(l.rows))
	pad := strings.Repeat(" ", min(2+l.command.Padding, w/4))
	for i, row := range l.rows {
		out[i] = pad + ms.Clip(row, w-2*len(pad))
	}
	return out
}
