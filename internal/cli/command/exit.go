package command

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
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
	ExitHangup    ExitCode = 129 // SIGHUP
)

// UsageError is a mistake in the command line. Next is the advice after it; empty refers to the help.
type UsageError struct {
	Err  error
	Next string
}

// Error returns the text of the mistake.
func (e UsageError) Error() string { return e.Err.Error() }

// Unwrap returns the mistake.
func (e UsageError) Unwrap() error { return e.Err }

// Usagef makes a mistake in the command line, for which the help is the next step.
func Usagef(format string, args ...any) error { return UsageError{Err: fmt.Errorf(format, args...)} }

// AdvisedError is an error with what to do about it.
type AdvisedError struct {
	Err  error
	Next string
}

// Error returns the text of the error.
func (e AdvisedError) Error() string { return e.Err.Error() }

// Unwrap returns the error.
func (e AdvisedError) Unwrap() error { return e.Err }

// ExitError ends the program with a code and prints nothing: its maker has reported the error already.
type ExitError struct{ Code ExitCode }

// Error returns the code.
func (e ExitError) Error() string { return fmt.Sprintf("exit %d", e.Code) }

// OutputClosed reports that the reader of our output has closed it, such as head. That is not an error worth a message.
func OutputClosed(err error) bool {
	const broken, closing = syscall.Errno(109), syscall.Errno(232) // of a pipe of Windows
	e, ok := errors.AsType[*fs.PathError](err)
	return ok && e.Path == os.Stdout.Name() && (errors.Is(e.Err, syscall.EPIPE) || runtime.GOOS == "windows" && (errors.Is(e.Err, broken) || errors.Is(e.Err, closing)))
}

// CodeOf returns the exit code of an error.
func CodeOf(err error) ExitCode {
	if _, ok := errors.AsType[UsageError](err); ok {
		return ExitUsage
	}
	if _, ok := errors.AsType[*config.Error](err); ok {
		return ExitUsage
	}
	if errors.Is(err, config.ErrNoHome) {
		return ExitUsage
	}
	if sig, ok := errors.AsType[Signaled](err); ok {
		return sig.Code()
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
	return CodeOfKind(p.Kind)
}

// CodeOfKind returns the exit code of a kind of error.
func CodeOfKind(k session.Kind) ExitCode {
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

// Signaled is the cause of a context that a signal ended.
type Signaled struct{ Signal syscall.Signal }

// Error returns the name of the signal.
func (s Signaled) Error() string { return s.Signal.String() }

// Code returns the exit code of the signal.
func (s Signaled) Code() ExitCode { return SignalCode(s.Signal) }

// SignalCode returns the exit code of a signal.
func SignalCode(sig os.Signal) ExitCode {
	switch sig {
	case syscall.SIGTERM:
		return ExitTerminate
	case syscall.SIGHUP:
		return ExitHangup
	default:
		return ExitInterrupt
	}
}
