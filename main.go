// Command parley is a terminal chat with coding agents for people with a GitHub Copilot plan.
//
// This package knows every room and nothing else does: it reads flags, loads the configuration, makes the parts and wires
// them together. What the parts do is theirs.
package main

import (
	"context"
	"io"
	"os"
)

func main() {
	os.Exit(Main(context.Background(), Process{
		Args:    os.Args[1:],
		Environ: os.Environ(),
		In:      os.Stdin,
		Out:     os.Stdout,
		Err:     os.Stderr,
	}))
}

// Process is what the outside world gives the program. Tests give their own.
type Process struct {
	Args    []string // without the program's name
	Environ []string
	In      io.Reader
	Out     io.Writer
	Err     io.Writer
}

// Main runs parley and returns its exit code; see [ExitCode].
func Main(ctx context.Context, p Process) int {
	if len(p.Args) == 1 && p.Args[0] == "--version" { // before anything is set up: scripts ask this often
		printVersion(p.Out)
		return 0
	}
	defer catchBrokenPipe()()
	a := newApp(p)
	defer a.close()
	cmd := a.rootCommand()
	cmd.SetArgs(p.Args)
	cmd.SetIn(p.In)
	cmd.SetOut(a.out)
	cmd.SetErr(a.err)
	return a.exit(cmd.ExecuteContext(ctx))
}
