//go:build unix

package cli

// terminalDevice is the terminal a process belongs to, whatever its standard input is.
const terminalDevice = "/dev/tty"
