package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
	"time"

	"parley/config"
	"parley/copilot"
	"parley/copilot/login"
	"parley/session"
	"parley/session/catalog"
)

// ExitCode is the program's exit status.
type ExitCode int

// The exit codes, as documented for scripts.
const (
	ExitOK        ExitCode = 0   // the turn ended by itself
	ExitFailed    ExitCode = 1   // it failed
	ExitUsage     ExitCode = 2   // flags, configuration or environment make no sense
	ExitSignedOut ExitCode = 3   // no GitHub login, or it was refused
	ExitRefused   ExitCode = 4   // something was refused and no file changed, or the turn could not go on
	ExitQuota     ExitCode = 5   // quota or rate limit, after retries
	ExitInterrupt ExitCode = 130 // SIGINT
	ExitTerminate ExitCode = 143 // SIGTERM
	exitHangup    ExitCode = 129 // SIGHUP
)

// usageError is a mistake in the command line. next is what to do about it; empty refers to the help.
type usageError struct {
	err  error
	next string
}

func (e usageError) Error() string { return e.err.Error() }
func (e usageError) Unwrap() error { return e.err }

func usagef(format string, args ...any) error { return usageError{err: fmt.Errorf(format, args...)} }

// advisedError is an error with what to do about it.
type advisedError struct {
	error
	next string
}

func (e advisedError) Unwrap() error { return e.error }

// exitError ends the program with a code and prints nothing: its maker has reported the error already.
type exitError struct{ code ExitCode }

func (e exitError) Error() string { return fmt.Sprintf("exit %d", e.code) }

// outputClosed reports that the reader of our output has closed it, such as head. That is not an error worth a message.
func outputClosed(err error) bool {
	e, ok := errors.AsType[*fs.PathError](err)
	return ok && e.Path == os.Stdout.Name() && errors.Is(e.Err, syscall.EPIPE)
}

// codeOf returns the exit code of an error.
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
		p = session.ProblemOf(catalog.Error(err), time.Now())
	} else {
		p = &session.Problem{Kind: session.KindOf(err)}
	}
	return codeOfKind(p.Kind)
}

// codeOfKind returns the exit code of a kind of error.
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

// signalled is the cause of a context that a signal ended.
type signalled struct{ sig syscall.Signal }

func (s signalled) Error() string { return s.sig.String() }

func (s signalled) code() ExitCode { return signalCode(s.sig) }

// signalCode returns the exit code of a signal.
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
