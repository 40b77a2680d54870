package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"syscall"
	"time"

	"parley/config"
	"parley/copilot"
	"parley/copilot/login"
	"parley/session"
)

// ExitCode is the program's exit status.
type ExitCode int

// The exit codes, as documented for scripts.
const (
	ExitOK        ExitCode = 0   // the turn ended by itself, refusals included
	ExitFailed    ExitCode = 1   // it failed
	ExitUsage     ExitCode = 2   // flags, configuration or environment make no sense
	ExitSignedOut ExitCode = 3   // no GitHub login, or it was refused
	ExitRefused   ExitCode = 4   // the turn could not go on because an ask was refused or a hook blocked the prompt
	ExitQuota     ExitCode = 5   // quota or rate limit, after retries
	ExitInterrupt ExitCode = 130 // SIGINT
	ExitTerminate ExitCode = 143 // SIGTERM
	exitHangup    ExitCode = 129 // SIGHUP
)

// usageError is a mistake in how the program was called.
type usageError struct{ err error }

func (e usageError) Error() string { return e.err.Error() }
func (e usageError) Unwrap() error { return e.err }

func usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// exitError ends the program with a code, silently: whoever made it has said what there is to say.
type exitError struct{ code ExitCode }

func (e exitError) Error() string { return fmt.Sprintf("exit %d", e.code) }

// nobodyReads reports that whoever read our output has had enough, such as head. That is nothing to complain about.
func nobodyReads(err error) bool {
	e, ok := errors.AsType[*fs.PathError](err)
	return ok && e.Path == os.Stdout.Name() && errors.Is(e.Err, syscall.EPIPE)
}

// exit reports err on stderr, if there is one, and turns it into an exit code.
func (a *app) exit(err error) int {
	if err == nil {
		return int(ExitOK)
	}
	if silent, ok := errors.AsType[exitError](err); ok {
		return int(silent.code)
	}
	if nobodyReads(err) {
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
		a.err.message(a.signInAdvice())
	default:
		a.complain(err.Error())
	}
	return int(code)
}

// complain says what went wrong.
func (a *app) complain(text string) { a.err.message("parley: " + text) }

// complainAll prints several such lines.
func (a *app) complainAll(texts []string) {
	for _, text := range texts {
		a.complain(text)
	}
}

// signInAdvice names a command that is there.
func (a *app) signInAdvice() string {
	how := "Install gh (https://cli.github.com) and run `gh auth login --web`"
	switch {
	case haveProgram("gh"):
		how = "Sign in with `gh auth login --web`"
	case a.cfg.GitHub.ClientID != "":
		how = "Sign in with `parley auth login`"
	}
	return how + ", set GH_TOKEN, or try `parley --demo`, which needs no login."
}

func codeOf(err error) ExitCode {
	if _, ok := errors.AsType[usageError](err); ok {
		return ExitUsage
	}
	if _, ok := errors.AsType[*config.Error](err); ok {
		return ExitUsage
	}
	if errors.Is(err, config.ErrNoHome) {
		return ExitUsage
	}
	if sig, ok := errors.AsType[signalled](err); ok {
		return sig.code()
	}
	if _, ok := errors.AsType[*login.TokenError](err); ok || errors.Is(err, login.ErrNoToken) {
		return ExitSignedOut
	}
	if errors.Is(err, context.Canceled) {
		return ExitInterrupt
	}
	var p *session.Problem
	if _, ok := errors.AsType[*copilot.Error](err); ok {
		p = session.ProblemOf(domainError(err), time.Now())
	} else {
		p = &session.Problem{Kind: session.KindOf(err)}
	}
	return codeOfKind(p.Kind)
}

func codeOfKind(k session.Kind) ExitCode {
	switch k {
	case session.KindAuth:
		return ExitSignedOut
	case session.KindQuota, session.KindRateLimit:
		return ExitQuota
	case session.KindRefused:
		return ExitRefused
	case session.KindInvalid:
		return ExitUsage
	default:
		return ExitFailed
	}
}

// signalled says that a signal ended the program.
type signalled struct{ sig syscall.Signal }

func (s signalled) Error() string { return s.sig.String() }

func (s signalled) code() ExitCode { return signalCode(s.sig) }

func signalCode(sig os.Signal) ExitCode {
	switch sig {
	case syscall.SIGTERM:
		return ExitTerminate
	case syscall.SIGHUP:
		return exitHangup
	default:
		return ExitInterrupt
	}
}
