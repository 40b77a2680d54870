package core

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"parley/session"
	"parley/ui/style"
)

// RunShell runs a command line of the user's in a directory, passes its output on as it comes, and returns its exit
// status, -1 for a command that was killed, or why it could not be run. When ctx ends it kills everything it has started.
type RunShell func(ctx context.Context, dir, line string, wrote func([]byte)) (status int, err error)

// Shell runs the user's command lines, one at a time, and turns their output into attachments of the next prompt. It
// belongs to one goroutine, apart from the functions it returns.
type Shell struct {
	run    RunShell
	line   string
	began  time.Time
	cancel context.CancelFunc // nil while no command runs
	out    *shellOutput
}

// ShellResult is the end of a command.
type ShellResult struct {
	out    *shellOutput
	status int
	err    error
}

// NewShell returns a shell that runs commands with run; nil: it is not available.
func NewShell(run RunShell) Shell { return Shell{run: run} }

// Available reports whether commands can be run at all.
func (s *Shell) Available() bool { return s.run != nil }

// Running reports whether a command runs.
func (s *Shell) Running() bool { return s.cancel != nil }

// Command returns the command that runs and when it began.
func (s *Shell) Command() (line string, began time.Time) { return s.line, s.began }

// Start begins a command and returns a function that runs it: it blocks until the command has ended, and its result goes
// to Ended. The shell must be available and idle.
func (s *Shell) Start(ctx context.Context, dir, line string, now time.Time) func() ShellResult {
	ctx, cancel := context.WithCancel(ctx)
	out, run := &shellOutput{}, s.run
	s.line, s.began, s.cancel, s.out = line, now, cancel, out
	return func() ShellResult {
		defer cancel()
		status, err := run(ctx, dir, line, out.write)
		return ShellResult{out, status, err}
	}
}

// Stop cancels the running command, and reports whether there was one.
func (s *Shell) Stop() bool {
	if s.cancel == nil {
		return false
	}
	s.cancel()
	return true
}

// Output returns what the running command has written so far.
func (s *Shell) Output() string {
	if s.out == nil {
		return ""
	}
	return s.out.text()
}

// Ended ends the command and returns its output as an attachment. It reports false for a result of another command.
func (s *Shell) Ended(r ShellResult) (session.Attachment, bool) {
	if r.out == nil || r.out != s.out {
		return session.Attachment{}, false
	}
	a := session.Attachment{Kind: session.AttachCommand, Path: s.line, Text: r.out.ended(r.status, r.err)}
	*s = NewShell(s.run)
	return a, true
}

// maxOutput is the most bytes of a command's output that are kept: half of it from the beginning, half from the end.
const maxOutput = 32 << 10

// shellOutput is the output of a command. Safe for concurrent use.
type shellOutput struct {
	mu         sync.Mutex
	head, tail []byte
	lost       int // bytes between the two
}

func (o *shellOutput) write(b []byte) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if room := maxOutput/2 - len(o.head); room > 0 {
		n := min(room, len(b))
		o.head, b = append(o.head, b[:n]...), b[n:]
	}
	o.tail = append(o.tail, b...)
	if over := len(o.tail) - maxOutput/2; over > maxOutput/2 { // now and then, not with each line
		o.tail = append(o.tail[:0], o.tail[over:]...)
		o.lost += over
	}
}

// text returns the output without terminal sequences, with a remark where bytes are left out.
func (o *shellOutput) text() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	tail, lost := o.tail, o.lost
	if over := len(tail) - maxOutput/2; over > 0 {
		tail, lost = tail[over:], lost+over
	}
	s := string(o.head)
	if lost > 0 {
		s += fmt.Sprintf("\n[%d bytes left out]\n", lost)
	}
	return strings.TrimRight(style.PlainOutput(strings.ToValidUTF8(s+string(tail), "\ufffd")), "\n")
}

// ended returns the output of a command that has ended, and how it ended if not well.
func (o *shellOutput) ended(status int, err error) string {
	text, end := o.text(), ""
	switch {
	case errors.Is(err, context.Canceled) || err == nil && status < 0:
		end = "stopped"
	case err != nil:
		end = "could not be run: " + style.OneLine(err.Error())
	case status > 0:
		end = fmt.Sprintf("exit status %d", status)
	case text == "":
		end = "no output"
	}
	if text != "" && end != "" {
		text += "\n"
	}
	return text + end
}
