package builtin

import (
	"context"
	"fmt"
	"io"
	"os"
	"time"

	"parley/session"
	"parley/session/proc"
)

// With this variable set the test binary is a process that runs a command until it is killed.
const commandVariable = "PARLEY_BUILTIN_TEST_COMMAND"

// commandForever runs a command that says its pid and that of a process it has left in the background.
func commandForever(dir string) {
	w := newWorkspace(Options{Environ: os.Environ(), Processes: proc.New(proc.Options{}), Now: time.Now},
		session.OpenOptions{Dir: dir, Session: "s"})
	_, err := w.runCommand(context.Background(), "trap '' TERM HUP; sleep 1000 & echo $$ $!; wait", writerOf(os.Stdout))
	fmt.Println(err)
}

// writerOf hides that a file is one.
func writerOf(w io.Writer) io.Writer { return struct{ io.Writer }{w} }
