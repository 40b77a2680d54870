package builtin

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"parley/session"
)

var bashTool = &tool{
	name: "Bash", kind: session.ToolCommand,
	description: "Runs a shell command in the working directory and gives its output and exit code. Each call begins in the " +
		"working directory anew, has no input, and ends after timeout milliseconds (two minutes if left out, unless the user set " +
		"another time; at most 600000). Processes left in the background are stopped when the command ends. For reading, finding and changing files use the other tools.",
	schema: `{"type":"object","properties":{` +
		`"command":{"type":"string","description":"The command line"},` +
		`"description":{"type":"string","description":"What it does, in a few words"},` +
		`"timeout":{"type":"integer","description":"Milliseconds"}},` +
		`"required":["command"],"additionalProperties":false}`,
	prepare: prepareBash,
}

const (
	bashTimeout = 2 * time.Minute
	bashLongest = 10 * time.Minute
)

func prepareBash(w *workspace, input json.RawMessage) (*job, error) {
	var in struct {
		Command string  `json:"command"`
		Timeout float64 `json:"timeout"`
	}
	if err := decodeInput(input, &in, "command"); err != nil {
		return nil, err
	}
	if strings.TrimSpace(in.Command) == "" || strings.ContainsRune(in.Command, 0) {
		return nil, errTool("%q is not a command.", in.Command)
	}
	timeout := w.bashTimeout
	if in.Timeout > 0 {
		timeout = min(time.Duration(in.Timeout*float64(time.Millisecond)), max(bashLongest, w.bashTimeout))
	}
	return &job{ask: session.PermissionAsk{Command: in.Command},
		run: func(ctx context.Context, id session.CallID, live func(string)) outcome {
			return w.bash(ctx, in.Command, timeout, id, live)
		}}, nil
}

// errTimeout is why a command was stopped that took too long.
var errTimeout = errors.New("the time was over")

func (w *workspace) bash(ctx context.Context, command string, timeout time.Duration, id session.CallID, live func(string)) outcome {
	ctx, stop := context.WithTimeoutCause(ctx, timeout, errTimeout)
	defer stop()
	out := newCapture(w.outputFile(id), live)
	exit, err := w.runCommand(ctx, command, out)
	if err != nil {
		out.close()
		if ctx.Err() != nil {
			return cancelled
		}
		return failed("The shell could not be started: %v", err)
	}
	whole, path := out.close()
	r := session.ToolResult{Text: whole.text, Truncated: whole.cut, FullPath: path}
	if whole.cut && path != "" {
		r.Text += fmt.Sprintf("\n(the whole output, %d bytes, is in %s)", whole.size, path)
	}
	code := exit.Code
	if code >= 0 { // there is none where a signal ended it
		r.ExitCode = &code
	}
	switch {
	case ctx.Err() != nil && errors.Is(context.Cause(ctx), errTimeout):
		r.Summary = "stopped after " + timeout.String()
		return bashEnded(session.ToolFailed, r, "(stopped: it took longer than "+timeout.String()+")")
	case ctx.Err() != nil:
		return bashEnded(session.ToolCancelled, r, "(interrupted by the user; what it has done so far stands)")
	case code != 0:
		r.Summary = lines(whole.lines)
		note := fmt.Sprintf("(exit code %d)", code)
		if code < 0 {
			r.Summary, note = "signal: "+exit.Signal, "(signal: "+exit.Signal+")"
		}
		return bashEnded(session.ToolFailed, r, note)
	}
	r.Summary = lines(whole.lines)
	return outcome{outcome: session.ToolOK, result: r}
}

// bashEnded tells the model how it ended, and leaves the user's text to the output.
func bashEnded(how session.ToolOutcome, r session.ToolResult, note string) outcome {
	r.Sent = strings.TrimLeft(strings.TrimRight(r.Text, "\n")+"\n"+note, "\n")
	if r.Text == "" {
		r.Text, r.Sent = note, ""
	}
	return outcome{outcome: how, result: r}
}

// outputFile is where the whole output of a call goes if it must be cut; "" for nowhere.
func (w *workspace) outputFile(id session.CallID) string {
	if w.outputDir == "" {
		return ""
	}
	w.prune.Do(func() { pruneOutputs(w.outputDir, time.Now().Add(-outputsKept)) })
	return filepath.Join(w.outputDir, string(w.session)+"-"+string(id)+".txt")
}

// outputsKept is how long the whole output of a command is kept.
const outputsKept = 7 * 24 * time.Hour

// pruneOutputs removes what is older than the limit. What cannot be removed stays.
func pruneOutputs(dir string, limit time.Time) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() && info.ModTime().Before(limit) {
			_ = os.Remove(filepath.Join(dir, e.Name()))
		}
	}
}

// commandEnv is the environment that commands may have, with what keeps them from waiting for somebody to answer. Nothing
// else is added: neither our bearer nor any token.
func commandEnv(environ []string, dir string) []string {
	set := []string{"PAGER=cat", "GIT_PAGER=cat", "GIT_TERMINAL_PROMPT=0", "TERM=dumb", "PWD=" + dir}
	var env []string
	for _, kv := range environ {
		name, _, _ := strings.Cut(kv, "=")
		replaced := false
		for _, s := range set {
			replaced = replaced || strings.HasPrefix(s, name+"=")
		}
		if !replaced {
			env = append(env, kv)
		}
	}
	return append(env, set...)
}

// openOutput makes the file of a whole output, private to the user.
func openOutput(path string) (*os.File, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, err
	}
	return os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
}
