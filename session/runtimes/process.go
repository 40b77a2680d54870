package runtimes

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"sync"
	"time"

	"parley/internal/crash"
	"parley/session/proc"
)

// command is a process to run to its end.
type command struct {
	argv  []string
	env   []string
	dir   string // empty: that of this process
	input string // to its standard input, which ends then
	limit int    // bytes kept of each output
}

// output is the text that a process printed, cut at the limit.
type output struct{ stdout, stderr []byte }

// run runs a process, and all it starts, to the end: npm may be a shim. When ctx or this program ends, it ends too.
func run(ctx context.Context, c command) (output, error) {
	group := proc.New(proc.Options{})
	child, err := group.Start(ctx, proc.Command{Argv: c.argv, Env: c.env, Dir: c.dir, NoInput: c.input == "", Label: "runtimes"})
	if err != nil {
		return output{}, errors.Join(bareProcessError(err), group.Close())
	}
	if stdin := child.Stdin(); stdin != nil { // the input is shorter than what a pipe takes at once
		_, _ = io.WriteString(stdin, c.input)
		_ = stdin.Close()
	}
	stdout, stderr := &limited{left: c.limit}, &limited{left: c.limit}
	read := make(chan struct{})
	crash.Go(func() {
		defer close(read)
		var both sync.WaitGroup
		both.Go(crash.Guarded(func() { _, _ = io.Copy(stdout, child.Stdout()) }))
		both.Go(crash.Guarded(func() { _, _ = io.Copy(stderr, child.Stderr()) }))
		both.Wait()
	})
	select {
	case <-child.Done():
	case <-ctx.Done():
	}
	err = group.Close() // ends processes that keep the pipes open
	timer := time.AfterFunc(pipesOpen, crash.Guarded(func() { closePipes(child) }))
	<-read
	timer.Stop()
	closePipes(child)
	if err == nil {
		err = exitError(child.Exit())
	}
	if ctx.Err() != nil {
		err = ctx.Err()
	}
	return output{stdout.kept.Bytes(), stderr.kept.Bytes()}, err
}

// pipesOpen bounds the wait for the pipes of an ended process, which an unknown process may hold open.
const pipesOpen = 2 * time.Second

func closePipes(c *proc.Child) {
	_ = c.Stdout().Close()
	_ = c.Stderr().Close()
}

func exitError(x proc.Exit) error {
	if x == (proc.Exit{}) {
		return nil
	}
	return errors.New(x.String())
}

// bareProcessError removes the path from an error, because the caller names the program.
func bareProcessError(err error) error {
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		return pe.Err
	}
	return err
}

// limited keeps the beginning of what is written and drops the rest.
type limited struct {
	kept bytes.Buffer // not embedded: its ReadFrom would take everything
	left int
}

// Write never fails, so that a process with much output is not stopped.
func (l *limited) Write(p []byte) (int, error) {
	keep := p[:min(len(p), l.left)]
	l.left -= len(keep)
	l.kept.Write(keep)
	return len(p), nil
}
