package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"parley/config"
	"parley/copilot"
	"parley/copilot/login"
	"parley/internal/cli/command"
	"parley/internal/cli/completion"
	"parley/internal/cli/sessions"
	"parley/internal/crash"
	"parley/session"
	"parley/session/catalog"
	"parley/session/live"
	"parley/session/runtimes"
)

// Main runs parley and returns its exit code; see [ExitCode].
func Main(ctx context.Context, p Process) int {
	if len(p.Args) == 1 && p.Args[0] == "--version" { // before anything is set up: scripts ask this often
		printVersion(p.Out)
		return 0
	}
	defer command.CatchBrokenPipe()()
	a := newApp(p)
	a.settings = a.claudeSettings
	defer a.close()
	if p.Exit != nil {
		crash.Handle(func(v any, stack []byte) { a.crashed(p, &crash.Crash{Value: v, Stack: stack}) })
	}
	root := rootCommand(a)
	if len(p.Args) > 0 && strings.HasPrefix(p.Args[0], cobra.ShellCompRequestCmd) {
		completion.PlainTexts(root)
	}
	root.SetArgs(p.Args)
	root.SetIn(p.In)
	cmd, err := root.ExecuteContextC(ctx)
	return exitCode(a, cmd, err)
}

// crashed reports a panic, after which the process ends.
func (a *app) crashed(p Process, c *crash.Crash) {
	crash.Report{Dir: a.paths.Crashes(), Version: programVersion(), Now: time.Now, Errors: p.Err}.Write(c)
	p.Exit(int(command.ExitFailed))
}

// exitCode prints the error of a command, if there is one, and returns the exit code.
func exitCode(a *app, cmd *cobra.Command, err error) int {
	if err == nil {
		return int(command.ExitOK)
	}
	if silent, ok := errors.AsType[command.ExitError](err); ok {
		return int(silent.Code)
	}
	if command.OutputClosed(err) {
		return int(command.ExitFailed)
	}
	code := command.CodeOf(err)
	what, next := explain(a, cmd, err, code)
	a.complain(what, next...)
	return int(code)
}

// explain returns what the error of a command is and why, and the next steps.
func explain(a *app, cmd *cobra.Command, err error, code command.ExitCode) (what string, next []string) {
	what = err.Error()
	if e, ok := errors.AsType[command.UsageError](err); ok {
		if e.Next == "" {
			e.Next = "See `" + cmd.CommandPath() + " --help`."
		}
		return what, []string{e.Next}
	}
	if e, ok := errors.AsType[command.AdvisedError](err); ok {
		return what, []string{e.Next}
	}
	if e, ok := errors.AsType[*login.TokenError](err); ok {
		return fmt.Sprintf("the token in %s cannot be used: %s", e.Source, e.Reason), []string{step(e.Next)}
	}
	if e, ok := errors.AsType[*login.NotSignedInError](err); ok {
		what = signedOut(e)
	}
	if code == command.ExitSignedOut {
		return what, []string{a.signIn().Advice()}
	}
	if e, ok := errors.AsType[*runtimes.Failure](err); ok && e.Next != "" {
		return e.What, []string{step(e.Next)}
	}
	if e, ok := errors.AsType[*live.MatchError](err); ok {
		return e.Error(), sessions.Candidates(e.Fits)
	}
	if e, ok := errors.AsType[*config.Error](err); ok && strings.HasPrefix(e.Where, "--") {
		return what, []string{"See `" + cmd.CommandPath() + " --help`."}
	} else if ok && !errors.Is(err, fs.ErrNotExist) {
		return what, []string{"`parley config schema` and docs/configuration.md list all keys."}
	}
	if e, ok := errors.AsType[*copilot.Error](err); ok && e.Kind == copilot.KindNetwork {
		return unreachable(e), []string{"Check the network; `parley doctor` shows what works."}
	}
	if session.KindOf(catalog.Error(err)) == session.KindNetwork {
		next = append(next, "Check the network; `parley doctor` shows what works.")
	}
	if e, ok := errors.AsType[interface {
		error
		Words() (what, next string)
	}](err); ok {
		_, step := e.Words()
		next = append(next, step)
	}
	return what, next
}

// unreachable returns what a failed connection means, with the cause where it is known.
func unreachable(e *copilot.Error) string {
	if e.Err == nil {
		return "GitHub cannot be reached"
	}
	return fmt.Sprintf("GitHub cannot be reached (%v)", e.Err)
}

// step returns a next step as a sentence.
func step(text string) string {
	if first, size := utf8.DecodeRuneInString(text); size > 0 {
		text = string(unicode.ToUpper(first)) + text[size:]
	}
	return strings.TrimSuffix(text, ".") + "."
}
