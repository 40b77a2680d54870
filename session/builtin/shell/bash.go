package shell

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"parley/internal/human"
	"parley/session"
	"parley/session/builtin/tool"
	"parley/session/toolview"
)

// Bash runs a command.
var Bash = &tool.Tool{
	Name: "Bash", Kind: toolview.Command,
	Description: "Runs a shell command in the working directory and gives its output and exit code. Each call begins in the " +
		"working directory anew, has no input, and ends after timeout milliseconds (two minutes if left out, unless the user set " +
		"another time; at most 600000). What it leaves running in the background is stopped when it ends, except a daemon that detaches itself with an environment of its own: start neither. For reading, finding and changing files use the other tools.",
	Schema: `{"type":"object","properties":{` +
		`"command":{"type":"string","description":"The command line"},` +
		`"description":{"type":"string","description":"What it does, in a few words"},` +
		`"timeout":{"type":"integer","description":"Milliseconds"}},` +
		`"required":["command"],"additionalProperties":false}`,
	Prepare: prepareBash,
}

const (
	bashTimeout = 2 * time.Minute
	bashLongest = 10 * time.Minute
)

func prepareBash(w *tool.Workspace, input json.RawMessage) (*tool.Job, error) {
	var in struct {
		Command string  `json:"command"`
		Timeout float64 `json:"timeout"`
	}
	if err := tool.DecodeInput(input, &in, "command"); err != nil {
		return nil, err
	}
	if strings.TrimSpace(in.Command) == "" || strings.ContainsRune(in.Command, 0) {
		return nil, tool.Errorf("%q is not a command.", in.Command)
	}
	timeout := cmp.Or(w.BashTimeout, bashTimeout)
	if in.Timeout > 0 {
		timeout = min(time.Duration(in.Timeout*float64(time.Millisecond)), max(bashLongest, w.BashTimeout))
	}
	return &tool.Job{Ask: session.PermissionAsk{Command: in.Command},
		Run: func(ctx context.Context, id session.CallID, live func(string)) tool.Outcome {
			return bash(w, ctx, in.Command, timeout, id, live)
		}}, nil
}

// errTimeout is why a command that took too long was stopped.
var errTimeout = errors.New("the time was over")

func bash(w *tool.Workspace, ctx context.Context, command string, timeout time.Duration, id session.CallID, live func(string)) tool.Outcome {
	ctx, stop := context.WithTimeoutCause(ctx, timeout, errTimeout)
	defer stop()
	out := newCapture(outputFile(w, id), live)
	exit, err := runCommand(w, ctx, command, out)
	if err != nil {
		out.close()
		if ctx.Err() != nil {
			return tool.Cancelled
		}
		return tool.Failed("The shell could not be started: %v", err)
	}
	whole := out.close()
	r := session.ToolResult{Text: whole.text + whole.where(), Truncated: whole.cut, FullPath: whole.path}
	code := exit.Code
	if code >= 0 { // a signal leaves none
		r.ExitCode = &code
	}
	switch {
	case ctx.Err() != nil && errors.Is(context.Cause(ctx), errTimeout):
		r.Summary = "stopped after " + timeout.String()
		return bashEnded(session.ToolFailed, r, "(stopped: it took longer than "+timeout.String()+")")
	case ctx.Err() != nil:
		return bashEnded(session.ToolCancelled, r, "(interrupted by the user; what it has done so far stands)")
	case code != 0:
		r.Summary = human.Count(whole.lines, "line", "lines")
		note := fmt.Sprintf("(exit code %d)", code)
		if code < 0 {
			r.Summary, note = "signal: "+exit.Signal, "(signal: "+exit.Signal+")"
		}
		return bashEnded(session.ToolFailed, r, note)
	}
	if whole.lines > 0 {
		r.Summary = human.Count(whole.lines, "line", "lines")
	}
	return tool.Outcome{How: session.ToolOK, Result: r}
}

// bashEnded adds how the command ended to the model's text, and leaves the user's text unchanged.
func bashEnded(how session.ToolOutcome, r session.ToolResult, note string) tool.Outcome {
	r.Sent = strings.TrimLeft(strings.TrimRight(r.Text, "\n")+"\n"+note, "\n")
	if r.Text == "" {
		r.Text, r.Sent = note, ""
	}
	return tool.Outcome{How: how, Result: r}
}

// where returns a note that names the file with the whole output.
func (c captured) where() string {
	switch {
	case !c.cut || c.path == "":
		return ""
	case c.kept < c.size:
		return fmt.Sprintf("\n(the first %d MiB of the output, of %d bytes, are in %s; the rest was not kept)", c.kept>>20, c.size, c.path)
	}
	return fmt.Sprintf("\n(the whole output, %d bytes, is in %s)", c.size, c.path)
}

// outputFile returns a function that creates the file for the output of a call if it must be cut; nil for none.
func outputFile(w *tool.Workspace, id session.CallID) func() (*os.File, error) {
	if w.OutputDir == "" {
		return nil
	}
	return func() (*os.File, error) {
		// The new output is stored, so room is made before it comes.
		pruneOutputs(w.OutputDir, w.Now().Add(-outputsKept), mostOutputs-mostKept)
		return openOutput(filepath.Join(w.OutputDir, string(w.Session)+"-"+fileName(string(id))+".txt"))
	}
}

// fileName replaces characters with a meaning in paths, because the service makes up the ids of calls.
func fileName(id string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' {
			return r
		}
		return '_'
	}, id)
}

const (
	// outputsKept is how long the output of a command stays on disk.
	outputsKept = 7 * 24 * time.Hour
	// mostOutputs bounds all stored outputs in bytes, including those of other sessions and processes.
	mostOutputs = 1 << 30
)

// pruneOutputs removes outputs older than limit, then the oldest ones until the rest has at most most bytes. A file
// that cannot be removed stays and counts.
func pruneOutputs(dir string, limit time.Time, most int64) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	var all []fs.FileInfo
	var size int64
	for _, e := range entries {
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() {
			all, size = append(all, info), size+info.Size()
		}
	}
	slices.SortFunc(all, func(a, b fs.FileInfo) int {
		return cmp.Or(a.ModTime().Compare(b.ModTime()), strings.Compare(a.Name(), b.Name()))
	})
	for _, info := range all {
		if size <= most && !info.ModTime().Before(limit) {
			return
		}
		if os.Remove(filepath.Join(dir, info.Name())) == nil {
			size -= info.Size()
		}
	}
}

// commandEnv returns the environment of commands, with variables that prevent them from waiting for input. It adds
// nothing else, neither our bearer nor any token.
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

// openOutput creates the file of a whole output, private to the user.
func openOutput(path string) (*os.File, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, err
	}
	return os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
}
