package gitrun

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"parley/internal/crash"
	"parley/internal/lazyregexp"
	"parley/session/proc"
)

// Git runs git. It is safe for concurrent use.
type Git struct {
	// Group owns the processes. Environ is the user's environment.
	Group   *proc.Group
	Environ []string
}

// maxOutput bounds what is read of an output, in bytes.
const maxOutput = 8 << 20

// gitError is a command of git that failed.
type gitError struct{ command, said string }

// Error returns the last line that git printed.
func (e *gitError) Error() string { return "git " + e.command + ": " + e.said }

// credentials are those in the address of a remote.
var credentials = lazyregexp.New(`://[^/@\s]*@`)

// Call is a command of git in a directory: its arguments, variables besides the user's, and its input.
type Call struct {
	Dir   string
	Args  []string
	Env   []string
	Input string
}

// name returns the command without the options before it.
func (c Call) name() string {
	for i, a := range c.Args {
		if !strings.HasPrefix(a, "-") && (i == 0 || c.Args[i-1] != "-c") {
			return a
		}
	}
	return ""
}

// Run runs git and returns its output without the line break at its end, at most 8 MB of it. [Failed] finds a failure of git itself.
func (g Git) Run(ctx context.Context, c Call) (string, error) {
	// A monitor that the repository configures would be another program; locks would disturb the user's own git.
	argv := append([]string{"git", "--no-optional-locks", "-c", "core.fsmonitor=false", "-c", "advice.addEmbeddedRepo=false"}, c.Args...)
	env := append(append(append([]string{}, g.Environ...), "GIT_TERMINAL_PROMPT=0"), c.Env...)
	child, err := g.Group.Start(ctx, proc.Command{Argv: argv, Dir: c.Dir, Env: env, Label: "git"})
	if err != nil {
		return "", fmt.Errorf("git cannot be started: %w", err)
	}
	stop := context.AfterFunc(ctx, crash.Guarded(func() { _ = child.Kill() }))
	defer stop()
	out, said, wrote := gather(child.Stdout()), gather(child.Stderr()), make(chan struct{})
	crash.Go(func() {
		defer close(wrote)
		_, _ = io.WriteString(child.Stdin(), c.Input)
		_ = child.Stdin().Close()
	})
	<-child.Done()
	text, full := out.await(child)
	words, _ := said.await(child)
	_ = child.Stdin().Close()
	<-wrote
	switch {
	case ctx.Err() != nil:
		return "", ctx.Err()
	case child.Exit().Code != 0:
		return "", &gitError{c.name(), credentials.ReplaceAllString(lastLine(words), "://")}
	case !full:
		return "", &gitError{c.name(), "the output is too long"}
	}
	return strings.TrimSuffix(text, "\n"), nil
}

// gathered is output that a goroutine reads until its end.
type gathered struct {
	pipe io.ReadCloser
	done chan struct{}
	text bytes.Buffer
	full bool // all of it was read
}

// gather reads a pipe in the background.
func gather(pipe io.ReadCloser) *gathered {
	g := &gathered{pipe: pipe, done: make(chan struct{})}
	crash.Go(func() {
		defer close(g.done)
		n, _ := io.Copy(&g.text, io.LimitReader(pipe, maxOutput))
		_, _ = io.Copy(io.Discard, pipe)
		g.full = n < maxOutput
	})
	return g
}

// await returns what was read once the process has ended.
func (g *gathered) await(child *proc.Child) (text string, full bool) {
	<-child.Quiet(g.done)
	_ = g.pipe.Close()
	<-g.done
	return g.text.String(), g.full
}

// lastLine returns the last line of a text that has words, with those of git's errors first.
func lastLine(text string) string {
	last := ""
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if rest, ok := strings.CutPrefix(line, "fatal: "); ok {
			return rest
		}
		if line != "" && !strings.HasPrefix(line, "hint: ") {
			last = line
		}
	}
	if last == "" {
		return "it failed without a message"
	}
	return strings.TrimPrefix(last, "error: ")
}

// Failed reports whether an error is that of a command of git, not one of starting it or of the context.
func Failed(err error) bool {
	_, ok := errors.AsType[*gitError](err)
	return ok
}
