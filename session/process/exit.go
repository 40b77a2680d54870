package process

import (
	"fmt"
	"slices"
	"strings"
)

// maxExitLines bounds the lines of an exit detail. The last ones say why the process ended.
const maxExitLines = 100

// ExitDetail returns how a process ended: one line for the screen, with the signal or else the code, and the cause or else the last
// line that the process printed; then the lines that it printed, without empty ones.
func ExitDetail(code int, signal string, cause error, stderr string) string {
	detail := fmt.Sprintf("exit status %d", code)
	if signal != "" {
		detail = signal
	}
	lines := slices.DeleteFunc(strings.Split(strings.TrimSpace(stderr), "\n"), func(s string) bool { return strings.TrimSpace(s) == "" })
	switch {
	case cause != nil:
		detail += ": " + cause.Error()
	case len(lines) > 0:
		detail += ": " + strings.TrimSpace(lines[len(lines)-1])
		lines = lines[:len(lines)-1]
	}
	if len(lines) > 0 {
		detail += "\n" + strings.Join(lines[max(0, len(lines)-maxExitLines):], "\n")
	}
	return detail
}
