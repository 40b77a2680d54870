package textarea

import "strings"

// ShellCommand returns the command of a text for the shell, which begins with one exclamation mark. Two stand for one in
// a text for the agent; ok is false then.
func ShellCommand(text string) (command string, ok bool) {
	rest, ok := strings.CutPrefix(text, "!")
	if !ok || strings.HasPrefix(rest, "!") || strings.TrimSpace(rest) == "" {
		return "", false
	}
	return strings.TrimSpace(rest), true
}
