package crash

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"time"

	"parley/ui/md/cells"
)

// Crash is a panic with its stack.
type Crash struct {
	Value any
	Stack []byte
}

// New returns the crash of a panic. Only the deferred function that recovered it calls it.
func New(v any) *Crash { return &Crash{v, debug.Stack()} }

// Report is where and how a crash is reported.
type Report struct {
	// Dir is the directory of crash files, Version parley's own.
	Dir, Version string
	Now          func() time.Time
	Errors       io.Writer
}

// Write writes the panic and the stack into a file, reports its name on Errors and returns it; "" if it cannot be written.
func (r Report) Write(c *Crash) string {
	name := filepath.Join(r.Dir, "crash-"+r.Now().UTC().Format("20060102-150405")+".txt")
	text := fmt.Sprintf("parley %s, %s, %s/%s\n\npanic: %v\n\n%s\n", r.Version, runtime.Version(), runtime.GOOS, runtime.GOARCH, c.Value, c.Stack)
	err := os.MkdirAll(r.Dir, 0o700)
	if err == nil {
		err = os.WriteFile(name, []byte(text), 0o600)
	}
	if err != nil {
		text := fmt.Sprintf("parley crashed: %v\n(couldn't write the details: %v)\n", c.Value, err)
		io.WriteString(r.Errors, cells.Visible(text))
		return ""
	}
	fmt.Fprintf(r.Errors, "parley crashed. Details: %s\n", cells.OneLine(name))
	return name
}
