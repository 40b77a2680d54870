package cli

import (
	"context"
	"io"
)

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
