package tooltest

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"parley/session/builtin/shell/job"
	"parley/session/builtin/shell/state"
	"parley/session/builtin/tool"
	"parley/session/proc"
)

// Obj is the input of a call.
type Obj = map[string]any

// Bench is a directory with a workspace on it. Only the goroutine of its test uses it.
type Bench struct {
	t *testing.T
	// W is the workspace. Its processes end with the test.
	W *tool.Workspace
}

// New returns a bench whose directory has the files, by their paths with slashes.
func New(t *testing.T, files map[string]string) *Bench {
	t.Helper()
	b := &Bench{t: t, W: Workspace(t)}
	for name, content := range files {
		b.Write(name, content)
	}
	return b
}

// Workspace returns a workspace on an empty directory. Its processes end with the test.
func Workspace(t testing.TB) *tool.Workspace {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	processes := proc.New(proc.Options{})
	jobs := job.NewTable()
	bash, err := exec.LookPath("bash")
	if err != nil {
		bash = "" // another shell runs commands
	}
	t.Cleanup(func() {
		jobs.Close()
		if err := processes.Close(); err != nil {
			t.Error(err)
		}
	})
	return &tool.Workspace{Dir: dir, OutputDir: filepath.Join(t.TempDir(), "out"), Environ: os.Environ(), BashPath: bash,
		Processes: processes, Shell: state.New(dir, os.Environ()), Jobs: jobs, Session: "s", Now: time.Now, Files: tool.NewFileLog()}
}

// Write writes a file with its directories.
func (b *Bench) Write(name, content string) {
	b.t.Helper()
	path := filepath.Join(b.W.Dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		b.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		b.t.Fatal(err)
	}
}

// Content returns the content of a file or, in parentheses, why there is none.
func (b *Bench) Content(name string) string {
	c, err := os.ReadFile(filepath.Join(b.W.Dir, name))
	if err != nil {
		return "(" + tool.Cause(err).Error() + ")"
	}
	return string(c)
}

// Run prepares and runs a call without asking. What cannot be prepared is a failed outcome.
func (b *Bench) Run(t *tool.Tool, input any) tool.Outcome {
	b.t.Helper()
	raw, err := json.Marshal(input)
	if err != nil {
		b.t.Fatal(err)
	}
	return b.RunRaw(context.Background(), t, raw)
}

// RunRaw is Run with the input as the model sent it.
func (b *Bench) RunRaw(ctx context.Context, t *tool.Tool, input json.RawMessage) tool.Outcome {
	j, err := t.Prepare(b.W, input)
	if err == nil && j.Look != nil {
		err = j.Look(ctx)
	}
	if err != nil {
		return tool.Failed("%s", err)
	}
	return Reported(j.Run(ctx, "c1", func(string) {}))
}

// Reported returns an outcome as the agent leaves it once the end of the call was emitted.
func Reported(out tool.Outcome) tool.Outcome {
	if out.Reported != nil {
		out.Reported()
		out.Reported = nil
	}
	return out
}
