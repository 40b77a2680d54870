package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"parley/copilot/login"
)

// Main runs parley and returns its exit code; see [ExitCode].
func Main(ctx context.Context, p Process) int {
	if len(p.Args) == 1 && p.Args[0] == "--version" { // before anything is set up: scripts ask this often
		printVersion(p.Out)
		return 0
	}
	defer catchBrokenPipe()()
	a := newApp(p)
	defer a.close()
	cmd := rootCommand(a)
	cmd.SetArgs(p.Args)
	cmd.SetIn(p.In)
	cmd.SetOut(a.out)
	cmd.SetErr(a.err)
	return exitCode(a, cmd.ExecuteContext(ctx))
}

// exitCode prints an error, if there is one, and returns the exit code.
func exitCode(a *app, err error) int {
	if err == nil {
		return int(ExitOK)
	}
	if silent, ok := errors.AsType[exitError](err); ok {
		return int(silent.code)
	}
	if outputClosed(err) {
		return int(ExitFailed)
	}
	code := codeOf(err)
	switch code {
	case ExitUsage:
		a.complain(err.Error())
		if _, ok := errors.AsType[usageError](err); ok {
			a.err.message("See parley --help.")
		}
	case ExitSignedOut:
		text := err.Error()
		if e, ok := errors.AsType[*login.NotSignedInError](err); ok {
			text = fmt.Sprintf("not signed in to %s (looked at %s)", e.Host, strings.Join(e.Looked, ", "))
		}
		a.complain(text)
		a.err.message(newSignIn(a).advice())
	default:
		a.complain(err.Error())
	}
	return int(code)
}
