package pipe_test

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"parley/session"
	"parley/session/agenttest"
	"parley/session/proc"
	"parley/session/proc/pipe"
)

var command = proc.Command{Argv: []string{"/bin/runtime"}}

// program copies its input to its output until it is killed.
func program(s *agenttest.Streams) { _, _ = io.Copy(s.Out, s.In) }

func TestRun(t *testing.T) {
	broken := errors.New("broken")
	stopped, stop := context.WithCancelCause(t.Context())
	stop(broken)
	started := agenttest.Start(proc.Exit{}, program)
	for name, tc := range map[string]struct {
		ctx   context.Context
		start pipe.Starter
		kind  session.Kind
		says  string
	}{
		"no way to start": {t.Context(), nil, session.KindInternal, "processes cannot be started"},
		"it cannot be run": {t.Context(), func(context.Context, proc.Command) (pipe.Process, error) { return nil, broken },
			session.KindRuntime, "/bin/runtime cannot be run: broken"},
		"cancelled":          {stopped, func(context.Context, proc.Command) (pipe.Process, error) { return nil, io.EOF }, session.KindCancelled, "broken"},
		"cancelled too late": {stopped, func(context.Context, proc.Command) (pipe.Process, error) { return started, nil }, session.KindCancelled, "broken"},
	} {
		_, err := pipe.Launch{Start: tc.start, Op: "start it"}.Run(tc.ctx, command)
		if session.KindOf(err) != tc.kind || !strings.Contains(err.Error(), "start it: ") || !strings.Contains(err.Error(), tc.says) {
			t.Errorf("%s: %v", name, err)
		}
	}
	select {
	case <-started.Done():
	default:
		t.Error("what was started too late lives on")
	}
	p := agenttest.Start(proc.Exit{}, program)
	got, err := pipe.Launch{Start: func(context.Context, proc.Command) (pipe.Process, error) { return p, nil }}.Run(t.Context(), command)
	if err != nil || got != p {
		t.Error(got, err)
	}
	if err := pipe.Finish(p, func() {}); err != nil {
		t.Error(err)
	}
}

// A reader that does not return by itself is ended by closing what it reads.
func TestFinishBoundsReaders(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := agenttest.Start(proc.Exit{}, program)
		open, w := io.Pipe()
		held := holding{p, open}
		_ = p.Kill()
		before := time.Now()
		if err := pipe.Finish(held, func() { _, _ = io.Copy(io.Discard, open) }); err != nil || time.Since(before) != pipe.OpenAfterEnd {
			t.Errorf("after %s: %v", time.Since(before), err)
		}
		_ = w.Close()
	})
}

// holding is a process whose output is held open by another one.
type holding struct {
	pipe.Process
	out *io.PipeReader
}

func (h holding) Stdout() io.ReadCloser { return h.out }

func TestEnding(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := pipe.NewEnding()
		begun := 0
		e.Begin(func() { begun++ })
		e.Begin(func() { begun++ })
		if begun != 1 || e.Asked() {
			t.Errorf("begun %d times, asked: %t", begun, e.Asked())
		}
		if e.Ask(); !e.Asked() {
			t.Error("it was asked")
		}
		never, over := make(chan struct{}), make(chan struct{})
		close(over)
		before := time.Now()
		if !e.Within(over, time.Second) || !e.Await(t.Context(), over) || e.Within(never, time.Second) || time.Since(before) != time.Second {
			t.Errorf("after %s", time.Since(before))
		}
		ended, end := context.WithCancel(t.Context())
		end()
		before = time.Now()
		if e.Await(ended, never) || time.Since(before) != 10*time.Second {
			t.Errorf("after %s", time.Since(before))
		}
		before = time.Now()
		if <-e.Kill(); e.Within(never, time.Second) || time.Since(before) != 0 {
			t.Errorf("it waits for a process that is to be killed: %s", time.Since(before))
		}
	})
}
