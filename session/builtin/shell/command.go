package shell

import (
	"context"
	"io"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
	"time"

	"parley/internal/crash"
	"parley/session"
	"parley/session/builtin/shell/job"
	"parley/session/builtin/shell/state"
	"parley/session/builtin/tool"
	"parley/session/proc"
)

// running is one command, from its start to the report of its end. The call waits for it in the foreground; attend follows it
// to its end in any case.
type running struct {
	w     *tool.Workspace
	job   *job.Job
	run   *state.Run
	child *proc.Child
	out   *capture
	began time.Time
	done  func() // the table no longer waits

	killed   chan struct{} // closed when it is to be killed
	over     chan struct{} // closed when it has ended and its output was read
	reported chan struct{} // closed when the call's end in the foreground was emitted

	mu       sync.Mutex
	kills    bool // killed is closed
	detached bool // the call no longer waits: its state is not that of the agent
}

// killTree kills a command with all that it has started, which may take a while. Tests replace it.
var killTree = (*proc.Child).Kill

// start starts a command line where the last one of the agent ended.
func start(w *tool.Workspace, ctx context.Context, command commandLine, id session.CallID, live func(string)) (*running, error) {
	r := &running{w: w, began: w.Now(), killed: make(chan struct{}), over: make(chan struct{}), reported: make(chan struct{})}
	r.run = w.Shell.Begin(Name(w) == "bash", keepsState)
	c := shell(w, r.run.Script(command.runs))
	if !keepsState {
		c = shell(w, command.runs)
	}
	c.Dir, c.Env, c.Label = r.run.Dir(), r.run.Environ(), "command"
	// Both outputs share one pipe, which preserves their order.
	c.Merge, c.NoInput = true, !command.input
	child, err := w.Processes.Start(ctx, c)
	if err != nil {
		r.run.Close()
		return nil, err
	}
	r.child, r.out = child, newCapture(outputFile(w, id), live)
	r.job, r.done = w.Jobs.Add(w.Child, id, command.shown)
	if command.input {
		r.job.Open(child.Stdin())
	}
	return r, nil
}

// keepsState is whether commands leave something for the next one: not on Windows, whose paths bash writes in another way.
const keepsState = runtime.GOOS != "windows"

// attend follows the command to its end.
func (r *running) attend() {
	read := make(chan struct{})
	crash.Go(func() {
		defer close(read)
		_, _ = io.Copy(io.MultiWriter(r.out, r.job), r.child.Stdout()) // ends with the command, or below
	})
	select {
	case <-r.child.Done():
		select {
		case <-r.child.Quiet(read):
		case <-r.killed:
		case <-r.job.Stopping():
			r.stop()
		}
	case <-r.killed:
	case <-r.job.Stopping():
		r.stop()
	}
	r.job.CloseInput()
	_ = r.child.Stdout().Close()
	<-read
	select {
	case <-r.killed: // also what has left its group
		_ = killTree(r.child)
	default:
	}
	r.mu.Lock()
	if !r.detached {
		r.run.Keep()
	}
	r.mu.Unlock()
	r.run.Close()
	background := r.job.Finish()
	close(r.over)
	if background {
		r.finish()
	}
	r.done()
}

// stop kills the command and returns at once. What it leaves is not that of the agent.
func (r *running) stop() {
	r.detach()
	r.mu.Lock()
	first := !r.kills
	r.kills = true
	r.mu.Unlock()
	if first {
		r.child.KillGroup()
		_ = r.child.Stdout().Close() // what was not read yet is lost, and nothing waits for those who hold the pipe
		close(r.killed)
	}
}

// detach makes the command's state count no more.
func (r *running) detach() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.detached = true
}

// exit returns how the shell ended, as killed if that is not known.
func (r *running) exit() proc.Exit {
	select {
	case <-r.child.Done():
		return r.child.Exit()
	default:
		return proc.Exit{Code: -1, Signal: "killed"}
	}
}

// FindBash returns bash, "" if it is not installed. Models write for it. It is looked up once for a conversation, so that
// the shell that runs a command is the one by which the policy has read it.
func FindBash() string {
	bash, err := exec.LookPath("bash")
	if err != nil {
		return ""
	}
	return bash
}

// Name names the shell that runs commands, as the policy has it: "" for one that it cannot judge.
func Name(w *tool.Workspace) string {
	switch filepath.Base(shell(w, "").Argv[0]) {
	case "bash":
		return "bash"
	case "sh":
		return "sh"
	}
	return ""
}

// shell returns a shell for a command.
func shell(w *tool.Workspace, command string) proc.Command {
	if w.BashPath != "" {
		return proc.Command{Argv: []string{w.BashPath, "-c", command}}
	}
	return plainShell(command)
}
