package clipboard

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"time"
)

// ThisMachine is the System that the program runs on.
func ThisMachine() System {
	return System{GOOS: runtime.GOOS, Getenv: os.Getenv, LookPath: exec.LookPath, Run: run}
}

// run runs a program. Its output about a failure is part of the error.
func run(ctx context.Context, c Command) ([]byte, error) {
	cmd := exec.CommandContext(ctx, c.Name, c.Args...)
	cmd.WaitDelay = time.Second // a child that keeps the pipe open is not waited for
	cmd.Stdin = bytes.NewReader(c.Stdin)
	if !c.Output {
		return nil, cmd.Run()
	}
	out, said := limited{max: MaxImage * 2}, limited{max: 300}
	cmd.Stdout, cmd.Stderr = &out, &said
	if err := cmd.Run(); err != nil {
		if words := strings.TrimSpace(said.String()); words != "" {
			return nil, fmt.Errorf("%w: %s", err, words)
		}
		return nil, err
	}
	return out.Bytes(), nil
}

// limited is a buffer that drops what is too much.
type limited struct {
	bytes.Buffer
	max int
}

// Write takes all, and keeps what there is room for.
func (l *limited) Write(b []byte) (int, error) {
	l.Buffer.Write(b[:min(len(b), max(0, l.max-l.Len()))])
	return len(b), nil
}
