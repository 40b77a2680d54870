//go:build unix

package proc_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"os"
	"testing"
	"time"

	"parley/session/proc"
)

// TestFilter runs lines that read all, some or nothing of their input, write more than is wanted, or never end.
func TestFilter(t *testing.T) {
	group := proc.New(proc.Options{Dir: t.TempDir(), Log: slog.New(slog.NewTextHandler(io.Discard, nil))})
	defer group.Close()
	shell := proc.Shell{Group: group, Environ: []string{"PATH=" + os.Getenv("PATH"), "SHELL=/bin/sh"}}
	large := bytes.Repeat([]byte("x"), 1<<20)
	for _, tt := range []struct {
		line   string
		input  []byte
		want   string
		status int
	}{
		{line: "cat", input: []byte("in"), want: "in"},
		{line: "echo no", input: large, want: "no\n"},
		{line: "head -c 3", input: large, want: "xxx"},
		{line: "cat", input: large, want: string(large[:100])},
		{line: "echo bad >&2; echo good; exit 2", want: "good\n", status: 2},
		{line: "sleep 60 & echo there", want: "there\n"},
	} {
		out, status, err := shell.Filter(t.Context(), t.TempDir(), tt.line, tt.input, 100)
		if err != nil || status != tt.status || string(out) != tt.want {
			t.Errorf("%s: %q, %d, %v", tt.line, out, status, err)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, _, err := shell.Filter(ctx, t.TempDir(), "yes", nil, 100); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a line without end: %v", err)
	}
}
