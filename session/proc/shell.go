package proc

import (
	"cmp"
	"context"
	"runtime"
	"strings"

	"parley/internal/crash"
)

// Shell runs command lines in the user's shell, with the user's whole environment. They end with the program. It is safe for
// concurrent use.
type Shell struct {
	Group   *Group
	Environ []string
}

// Run runs a command line in a directory and passes on its output, in order, from one goroutine. It returns the exit status,
// or an error if the line cannot be started or the context ends first.
func (s Shell) Run(ctx context.Context, dir, line string, wrote func([]byte)) (int, error) {
	child, err := s.Group.Start(ctx, Command{Argv: shellArgv(s.Environ, line), Dir: dir, Env: s.Environ, Merge: true,
		NoInput: true, Label: "shell"})
	if err != nil {
		return -1, err
	}
	stopped := context.AfterFunc(ctx, crash.Guarded(func() { _ = child.Kill() }))
	defer stopped()
	read := make(chan struct{})
	crash.Go(func() {
		defer close(read)
		buf := make([]byte, 32<<10)
		for {
			n, err := child.Stdout().Read(buf)
			wrote(buf[:n])
			if err != nil {
				return
			}
		}
	})
	<-child.Done()
	select {
	case <-child.Quiet(read):
	case <-ctx.Done():
	}
	_ = child.Stdout().Close()
	<-read
	return child.Exit().Code, ctx.Err()
}

// shellArgv returns the arguments with which the user's shell runs a line.
func shellArgv(environ []string, line string) []string {
	env := func(name string) string {
		for i := len(environ) - 1; i >= 0; i-- {
			if v, ok := strings.CutPrefix(environ[i], name+"="); ok {
				return v
			}
		}
		return ""
	}
	if runtime.GOOS == "windows" {
		return []string{cmp.Or(env("COMSPEC"), "cmd.exe"), "/d", "/c", line}
	}
	return []string{cmp.Or(env("SHELL"), "/bin/sh"), "-c", line}
}
