package core

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"parley/session"
)

func TestShellRunsOneCommandAtATime(t *testing.T) {
	began := time.Unix(100, 0)
	s := NewShell(func(ctx context.Context, dir, line string, wrote func([]byte)) (int, error) {
		wrote([]byte("\x1b[31m" + dir + " " + line + "\x1b[m\n"))
		<-ctx.Done()
		return -1, ctx.Err()
	})
	if !s.Available() || s.Running() || s.Stop() || s.Output() != "" {
		t.Fatal("a new shell runs something")
	}
	run := s.Start(t.Context(), "/project", "make", began)
	if line, at := s.Command(); !s.Running() || line != "make" || !at.Equal(began) {
		t.Errorf("running %q since %v", line, at)
	}
	if !s.Stop() {
		t.Error("nothing was stopped")
	}
	result := run()
	if got := s.Output(); got != "/project make" {
		t.Errorf("wrote %q", got)
	}
	a, ok := s.Ended(result)
	if !ok || a.Kind != session.AttachCommand || a.Path != "make" || a.Text != "/project make\nstopped" {
		t.Errorf("ended as %+v", a)
	}
	if _, again := s.Ended(result); again || s.Running() {
		t.Error("it ends twice")
	}
	if none := NewShell(nil); none.Available() {
		t.Error("no shell is available")
	}
}

func TestShellOutput(t *testing.T) {
	long := strings.Repeat("a", maxOutput) + strings.Repeat("b", maxOutput)
	for _, c := range []struct {
		wrote  string
		status int
		err    error
		want   string
	}{
		{"", 0, nil, "no output"},
		{"one\rtwo\n", 0, nil, "two"},
		{"broken\n", 3, nil, "broken\nexit status 3"},
		{"", -1, nil, "stopped"},
		{"", 0, errors.New("no\nshell"), "could not be run: no shell"},
		{long, 0, nil, long[:maxOutput/2] + "\n[32768 bytes left out]\n" + long[len(long)-maxOutput/2:]},
	} {
		s := NewShell(func(_ context.Context, _, _ string, wrote func([]byte)) (int, error) {
			for text := c.wrote; text != ""; {
				n := min(1000, len(text))
				wrote([]byte(text[:n]))
				text = text[n:]
			}
			return c.status, c.err
		})
		a, _ := s.Ended(s.Start(t.Context(), "/", "x", time.Time{})())
		if a.Text != c.want {
			t.Errorf("%.20q, %d, %v: %.80q, want %.80q", c.wrote, c.status, c.err, a.Text, c.want)
		}
	}
}
