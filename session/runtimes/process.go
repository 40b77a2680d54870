package runtimes

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os/exec"
	"time"
)

// command is a process that is run to its end.
type command struct {
	argv []string
	env  []string
	dir  string // empty: this process's own
	// limit is how much of each output is kept, in bytes.
	limit int
}

// output is what a process said. Both are cut at the limit.
type output struct{ stdout, stderr []byte }

// run runs a process with no input, in a group of its own, which is killed as a whole when ctx ends: npm may be a shim
// that has started others.
func run(ctx context.Context, c command) (output, error) {
	cmd := exec.CommandContext(ctx, c.argv[0], c.argv[1:]...)
	cmd.Env, cmd.Dir = c.env, c.dir
	stdout, stderr := &limited{left: c.limit}, &limited{left: c.limit}
	cmd.Stdout, cmd.Stderr = stdout, stderr
	cmd.WaitDelay = 2 * time.Second // for grandchildren that keep the pipes open
	ownGroup(cmd)
	err := cmd.Run()
	if ctx.Err() != nil {
		err = ctx.Err()
	}
	return output{stdout.Bytes(), stderr.Bytes()}, bareProcessError(err)
}

// bareProcessError leaves the path out of an error whose caller names the program.
func bareProcessError(err error) error {
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		return pe.Err
	}
	return err
}

// limited keeps the beginning of what is written to it and swallows the rest.
type limited struct {
	bytes.Buffer
	left int
}

// Write never fails: a process must not be stopped for talking too much.
func (l *limited) Write(p []byte) (int, error) {
	keep := p[:min(len(p), l.left)]
	l.left -= len(keep)
	l.Buffer.Write(keep)
	return len(p), nil
}
