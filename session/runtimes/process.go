package runtimes

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"sync"
	"time"

	"parley/session/proc"
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

// run runs a process with no input to its end, with all that it starts: npm may be a shim that has started others. When ctx
// ends, or this program does, however that comes, nothing of it is left.
func run(ctx context.Context, c command) (output, error) {
	group := proc.New(proc.Options{})
	child, err := group.Start(ctx, proc.Command{Argv: c.argv, Env: c.env, Dir: c.dir, NoInput: true, Label: "runtimes"})
	if err != nil {
		return output{}, errors.Join(bareProcessError(err), group.Close())
	}
	stdout, stderr := &limited{left: c.limit}, &limited{left: c.limit}
	read := make(chan struct{})
	go func() {
		defer close(read)
		var both sync.WaitGroup
		// What cannot be read is missing in what the process said, which tells.
		both.Go(func() { _, _ = io.Copy(stdout, child.Stdout()) })
		both.Go(func() { _, _ = io.Copy(stderr, child.Stderr()) })
		both.Wait()
	}()
	select {
	case <-child.Done():
	case <-ctx.Done():
	}
	err = group.Close() // and with it what keeps the pipes open
	timer := time.AfterFunc(pipesOpen, func() { closePipes(child) })
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

// pipesOpen is how long the pipes of a process that is gone may be held open by something that was not found.
const pipesOpen = 2 * time.Second

func closePipes(c *proc.Child) {
	_ = c.Stdout().Close()
	_ = c.Stderr().Close()
}

func exitError(x proc.Exit) error {
	switch {
	case x.Signal != "":
		return errors.New("signal: " + x.Signal)
	case x.Code != 0:
		return fmt.Errorf("exit status %d", x.Code)
	}
	return nil
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
	kept bytes.Buffer // not embedded: its ReadFrom would take everything
	left int
}

// Write never fails: a process must not be stopped for talking too much.
func (l *limited) Write(p []byte) (int, error) {
	keep := p[:min(len(p), l.left)]
	l.left -= len(keep)
	l.kept.Write(keep)
	return len(p), nil
}
