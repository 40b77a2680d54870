package ui

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"

	"parley/ui/md/cells"
)

// backgroundPanic carries a panic of a command into the loop, which ends by it.
type backgroundPanic struct{ crashMsg }

// newCrash notes what a panic was about. It must be called by the deferred function that recovered it.
func newCrash(v any) *crashMsg {
	if b, ok := v.(*backgroundPanic); ok {
		return &b.crashMsg
	}
	return &crashMsg{value: v, stack: debug.Stack()}
}

// writeCrash writes the panic and the stack into a file, reports its name on standard error and returns it. Nothing of the
// conversation is written, unless the panic quotes it.
func writeCrash(o Options, c *crashMsg) string {
	name := filepath.Join(o.CrashDir, "crash-"+o.Now().UTC().Format("20060102-150405")+".txt")
	text := fmt.Sprintf("parley %s, %s, %s/%s\n\npanic: %v\n\n%s\n", o.Version, runtime.Version(), runtime.GOOS, runtime.GOARCH,
		c.value, c.stack)
	err := os.MkdirAll(o.CrashDir, 0o700)
	if err == nil {
		err = os.WriteFile(name, []byte(text), 0o600)
	}
	if err != nil {
		text := fmt.Sprintf("parley: a fault of parley ended it: %v\n(the details could not be written: %v)\n", c.value, err)
		io.WriteString(o.errors(), cells.Visible(text))
		return ""
	}
	fmt.Fprintf(o.errors(), "parley: a fault of parley ended it. The details are in %s\n", cells.OneLine(name))
	return name
}
