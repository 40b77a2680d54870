package cli

import (
	"os"
	"slices"

	"golang.org/x/sys/windows"

	"parley/session/proc"
)

// terminalDevice is the console a process belongs to, whatever its standard input is.
const terminalDevice = "CONIN$"

// console lets the consoles among some outputs understand the sequences of terminals, until restore is called. It returns the environment
// with a TERM where there is none, as Windows sets none: dumb for a console that understands no sequences.
func console(environ []string, outputs ...any) (named []string, restore func()) {
	term, restore := "", func() {}
	for _, o := range outputs {
		var mode uint32
		f, ok := o.(*os.File)
		if !ok || windows.GetConsoleMode(windows.Handle(f.Fd()), &mode) != nil {
			continue
		}
		if windows.SetConsoleMode(windows.Handle(f.Fd()), mode|windows.ENABLE_VIRTUAL_TERMINAL_PROCESSING) != nil {
			term = "dumb"
			continue
		}
		if term == "" {
			term = "xterm-256color"
		}
		before := restore
		restore = func() { _ = windows.SetConsoleMode(windows.Handle(f.Fd()), mode); before() }
	}
	if term == "" || proc.Lookup(environ, "TERM") != "" {
		return environ, restore
	}
	environ = append(slices.Clip(environ), "TERM="+term)
	if term != "dumb" && proc.Lookup(environ, "COLORTERM") == "" {
		environ = append(environ, "COLORTERM=truecolor")
	}
	return environ, restore
}
