package driver

import (
	"errors"
	"fmt"

	"parley/session/proc"
	"parley/session/proc/pipe"
)

// ErrEnded is the cause of the error of a call on a process that has ended.
var ErrEnded = errors.New("the Copilot runtime has ended")

// ExitError means that the runtime ended without being asked to.
type ExitError struct {
	proc.Exit
	Stderr string // the end of its standard error, with secrets masked
	Cause  error  // what was wrong with its messages, nil for nothing
}

// Error returns the reason, and the last lines that the runtime printed.
func (e *ExitError) Error() string {
	how := e.Exit.String()
	if e.Cause != nil {
		how = e.Cause.Error()
	}
	text := fmt.Sprintf("the Copilot runtime ended (%s)", how)
	if e.Stderr != "" {
		text += ": " + pipe.LastLines(e.Stderr, 5)
	}
	return text
}

// Unwrap returns [ErrEnded] and the cause.
func (e *ExitError) Unwrap() []error {
	if e.Cause == nil {
		return []error{ErrEnded}
	}
	return []error{ErrEnded, e.Cause}
}

// ProtocolError means that a runtime speaks a protocol that parley does not know.
type ProtocolError struct {
	Got     int    // 0 if it named none
	Version string // of the runtime, empty if unknown
}

// Error names the version and the next step.
func (e *ProtocolError) Error() string {
	return fmt.Sprintf("the Copilot runtime%s speaks protocol %d, but parley knows 2 and 3; install a tested one with: parley runtimes install copilot",
		spaced(e.Version), e.Got)
}

func spaced(version string) string {
	if version == "" {
		return ""
	}
	return " " + version
}

// errOldToken means that a runtime takes a token only in its environment.
func errOldToken(version string) error {
	return fmt.Errorf("the Copilot runtime%s is too old: it would give your GitHub token to every command it runs; install a newer one with: parley runtimes install copilot",
		spaced(version))
}
