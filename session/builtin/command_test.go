package builtin

import (
	"context"
	"fmt"
	"os"
	"time"

	"parley/session"
	"parley/session/builtin/shell"
	"parley/session/builtin/shell/job"
	"parley/session/proc"
)

// With this variable set the test binary is a process that runs a command until it is killed.
const commandVariable = "PARLEY_BUILTIN_TEST_COMMAND"

// commandForever runs a command that says its pid and that of a process it has left in the background.
func commandForever(dir string) {
	w := newWorkspace(Options{Environ: os.Environ(), Processes: proc.New(proc.Options{}), Now: time.Now},
		session.OpenOptions{Dir: dir, Session: "s"}, &conversation{})
	w.Jobs = job.NewTable()
	call, err := shell.Bash.Prepare(w, []byte(`{"command":"trap '' TERM HUP; sleep 1000 & echo $$ $!; wait","timeout":600000}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	call.Run(context.Background(), "c", func(text string) { fmt.Print(text) })
}
