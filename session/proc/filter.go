package proc

import (
	"context"
	"io"

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
	var out []byte
	wrote, drained, read := make(chan struct{}), make(chan struct{}), make(chan struct{})
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
		defer close(read)
		out, _ = io.ReadAll(io.LimitReader(child.Stdout(), int64(most)))
		_, _ = io.Copy(io.Discard, child.Stdout())
	})
	<-child.Done()
	select {
	case <-child.Quiet(read):
	case <-ctx.Done():
	}
	_ = child.Stdout().Close()
	<-read
	_ = child.Stderr().Close()
	_ = child.Stdin().Close()
	<-wrote
	<-drained
	return out, child.Exit().Code, ctx.Err()
}
