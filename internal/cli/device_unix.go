//go:build unix

package cli

// terminalDevice is the terminal a process belongs to, whatever its standard input is.
const terminalDevice = "/dev/tty"

// console does nothing: a terminal is one, and TERM names it.
func console(environ []string, _ ...any) (named []string, restore func()) { return environ, func() {} }
