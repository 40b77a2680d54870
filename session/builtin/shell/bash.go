package shell

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"parley/internal/crash"
	"parley/session"
	"parley/session/builtin/shell/job"
	"parley/session/builtin/tool"
	"parley/session/toolview"
)

// Bash runs a command.
var Bash = bashTool("and are told when it ends. Everything ends with the session.")

// UnattendedBash is [Bash] where nobody answers and the session ends with the agent's last answer.
var UnattendedBash = bashTool("which ends with the run: wait for its end with BashOutput where you need it. The run ends with your last answer.")

// bashTool returns the tool that runs commands. ends is the half sentence about the end of those in the background, and what follows.
func bashTool(ends string) *tool.Tool {
	return &tool.Tool{Name: "Bash", Kind: toolview.Command, Description: bashAbout + ends + bashRest, Schema: bashSchema, Prepare: prepareBash}
}

const (
	bashAbout = "Runs a shell command and returns its output and exit code. The directory (cd), exported variables and functions " +
		"last from one call to the next; shell options, aliases and variables that are not exported do not. The command has no " +
		"input and no terminal: use flags such as --yes, and nothing interactive; with input it has one in the background, for BashInput. A command that is still running after timeout " +
		"milliseconds (two minutes if left out, unless the user set another time; at most 600000) goes on in the background. Set " +
		"run_in_background for servers, watchers and long builds instead of \"&\", which ends with the call: you get a name such " +
		"as sh1 for BashOutput and KillShell, "
	bashRest   = " For reading, finding and changing files use the other tools."
	bashSchema = `{"type":"object","properties":{` +
		`"command":{"type":"string","description":"The command line"},` +
		`"description":{"type":"string","description":"What it does, in a few words"},` +
		`"timeout":{"type":"integer","description":"Milliseconds"},` +
		`"run_in_background":{"type":"boolean","description":"Return at once and let it run in the background"},` +
		`"input":{"type":"boolean","description":"Run it in the background with an open input for BashInput"}},` +
		`"required":["command"],"additionalProperties":false}`
)

const (
	bashTimeout = 2 * time.Minute
	bashLongest = 10 * time.Minute
)

func prepareBash(w *tool.Workspace, input json.RawMessage) (*tool.Job, error) {
	var in struct {
		Command    string  `json:"command"`
		Timeout    float64 `json:"timeout"`
		Background bool    `json:"run_in_background"`
		Input      bool    `json:"input"`
	}
	if err := tool.DecodeInput(input, &in, "command"); err != nil {
		return nil, err
	}
	if strings.TrimSpace(in.Command) == "" || strings.ContainsRune(in.Command, 0) {
		return nil, tool.Errorf("%q is not a command.", in.Command)
	}
	if len(in.Command) > maxCommand {
		return nil, tool.Errorf("The command has %d bytes, and at most %d are possible. Write it to a file and run that.", len(in.Command), maxCommand)
	}
	timeout := cmp.Or(w.BashTimeout, bashTimeout)
	if in.Timeout > 0 {
		timeout = min(time.Duration(in.Timeout*float64(time.Millisecond)), max(bashLongest, w.BashTimeout))
	}
	j := &tool.Job{Ask: session.PermissionAsk{Command: in.Command}}
	j.Run = func(ctx context.Context, id session.CallID, live func(string)) tool.Outcome {
		line := commandLine{shown: in.Command, runs: cmp.Or(j.Instead, in.Command), input: in.Input}
		out := bash(w, ctx, line, timeout, in.Background || in.Input, id, live)
		out.Result.Ran = j.Instead
		return out
	}
	return j, nil
}

// maxCommand bounds a command line in bytes. With its quotes doubled it has to fit into one argument, of 128 KiB.
const maxCommand = 30 << 10

// commandLine is a command as the model wrote it, and the text that runs. With input, its input is open.
type commandLine struct {
	shown, runs string
	input       bool
}

// bash runs a command until it ends, is stopped or goes to the background.
func bash(w *tool.Workspace, ctx context.Context, command commandLine, timeout time.Duration, background bool, id session.CallID, live func(string)) tool.Outcome {
	r, err := start(w, ctx, command, id, live)
	if err != nil {
		if ctx.Err() != nil {
			return tool.Cancelled
		}
		return tool.Failed("The shell could not be started in %s: %v", w.Shell.Dir(), tool.Cause(err))
	}
	crash.Go(r.attend)
	if background {
		switch _, err := r.job.Leave(); {
		case err == nil:
			return r.handOver("")
		case errors.Is(err, job.ErrFull):
			r.stop()
			return tool.Failed("Not run: %v. Stop one with KillShell first: %s.", err, strings.Join(w.Jobs.Running(w.Child), ", "))
		}
	}
	timer := time.NewTimer(timeout)
	defer timer.Stop()
	return r.wait(ctx, timer.C, timeout)
}

// wait returns the outcome of the call: the end of the command, or its way to the background.
func (r *running) wait(ctx context.Context, late <-chan time.Time, timeout time.Duration) tool.Outcome {
	for {
		select {
		case <-ctx.Done():
			r.stop()
			return r.broken(session.ToolCancelled, "", "interrupted by the user; what it has done so far stands")
		case <-r.job.InBackground():
			return r.handOver("the user sent it to the background")
		case <-r.over:
			select {
			case <-r.job.InBackground():
				return r.handOver("the user sent it to the background")
			default:
				return r.ended()
			}
		case <-r.job.Stopping():
			r.stop()
			return r.stopped()
		case <-late:
			switch _, err := r.job.Leave(); {
			case err == nil:
				return r.handOver("still running after " + timeout.String())
			case errors.Is(err, job.ErrFull):
				r.stop()
				return r.broken(session.ToolFailed, "stopped after "+timeout.String(), "stopped: it took longer than "+timeout.String())
			}
		}
	}
}
