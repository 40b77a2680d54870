package proc

import (
	"context"
	"io"
	"time"

	"parley/internal/crash"
)

// Filter runs a command line in a directory with an input. It returns the first bytes of the standard output, at most most,
// and the exit status, and discards the standard error. When the context ends, it kills the command with all it has started
// and returns the error of the context.
func (s Shell) Filter(ctx context.Context, dir, line string, input []byte, most int) ([]byte, int, error) {
	child, err := s.Group.Start(ctx, Command{Argv: shellArgv(s.Environ, line), Dir: dir, Env: s.Environ, Label: "filter"})
	if err != nil {
		return nil, -1, err
	}
	stopped := context.AfterFunc(ctx, crash.Guarded(func() { _ = child.Kill() }))
	defer stopped()
	wrote, drained, read := make(chan struct{}), make(chan struct{}), make(chan []byte, 1)
	crash.Go(func() {
		defer close(wrote)
		_, _ = child.Stdin().Write(input) // a command need not read its input
		_ = child.Stdin().Close()
	})
	crash.Go(func() {
		defer close(drained)
		_, _ = io.Copy(io.Discard, child.Stderr())
	})
	crash.Go(func() {
		out, _ := io.ReadAll(io.LimitReader(child.Stdout(), int64(most)))
		_, _ = io.Copy(io.Discard, child.Stdout())
		read <- out
	})
	<-child.Done()
	timer := time.NewTimer(lingering)
	defer timer.Stop()
	var out []byte
	select {
	case out = <-read:
		_ = child.Stdout().Close()
	case <-timer.C: // a background process keeps the output open
		_ = child.Stdout().Close()
		out = <-read
	}
	_ = child.Stderr().Close()
	_ = child.Stdin().Close()
	<-wrote
	<-drained
	return out, child.Exit().Code, ctx.Err()
}
