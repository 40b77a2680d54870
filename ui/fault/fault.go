package fault

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/ui/md/cells"
)

// Crash is a panic with its stack. As a message it carries the panic of a command to the loop, which panics with [Crash.Raise].
type Crash struct {
	value any
	stack []byte
}

// raised carries a panic of a command through the loop.
type raised struct{ Crash }

// Raise panics. [New] returns the same crash again.
func (c Crash) Raise() { panic(&raised{c}) }

// New returns the crash of a panic. Only the deferred function that recovered it calls it.
func New(v any) *Crash {
	if r, ok := v.(*raised); ok {
		return &r.Crash
	}
	return &Crash{value: v, stack: debug.Stack()}
}

// Of returns the crash of a panic that was recovered with its stack.
func Of(v any, stack []byte) *Crash { return &Crash{v, stack} }

// Guarded returns a command that runs cmd, or each command of a batch, and returns a [Crash] if it panics. Bubble Tea runs
// commands in goroutines, where a panic would leave the terminal as it is.
func Guarded(cmd tea.Cmd) tea.Cmd {
	if cmd == nil {
		return nil
	}
	return func() (msg tea.Msg) {
		defer func() {
			if r := recover(); r != nil {
				msg = Crash{r, debug.Stack()}
			}
		}()
		msg = cmd()
		if batch, ok := msg.(tea.BatchMsg); ok {
			for i, c := range batch {
				batch[i] = Guarded(c)
			}
		}
		return msg
	}
}

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
	text := fmt.Sprintf("parley %s, %s, %s/%s\n\npanic: %v\n\n%s\n", r.Version, runtime.Version(), runtime.GOOS, runtime.GOARCH, c.value, c.stack)
	err := os.MkdirAll(r.Dir, 0o700)
	if err == nil {
		err = os.WriteFile(name, []byte(text), 0o600)
	}
	if err != nil {
		text := fmt.Sprintf("parley crashed: %v\n(couldn't write the details: %v)\n", c.value, err)
		io.WriteString(r.Errors, cells.Visible(text))
		return ""
	}
	fmt.Fprintf(r.Errors, "parley crashed. Details: %s\n", cells.OneLine(name))
	return name
}
