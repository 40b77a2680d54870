package cli

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"parley/internal/cli/command"
	"parley/internal/eval"
	"parley/internal/repeat"
)

// cached makes the world's Go use the cache of builds of this machine: an empty one takes a minute to fill.
func (w *world) cached() *world {
	out, err := exec.Command("go", "env", "GOCACHE").Output()
	if err != nil {
		w.t.Fatal(err)
	}
	w.env = append(w.env, "GOCACHE="+strings.TrimSpace(string(out)))
	return w
}

// evaluates runs parley eval and returns its report.
func (w *world) evaluates(args ...string) (eval.Report, outcome) {
	w.t.Helper()
	o := w.run(append([]string{"eval", "--json"}, args...)...)
	var r eval.Report
	if err := json.Unmarshal([]byte(o.out), &r); err != nil {
		w.t.Fatalf("%v: %+v", err, o)
	}
	return r, o
}

// Every task passes with its solution. All but one of those that build Go programs do so in .ci/full only.
func TestTasksPassWithTheirSolutions(t *testing.T) {
	w := newWorld(t).cached()
	globs, least := []string{"[^cfglmrt]*-*", "lo*", "compaction*", "m[aio]*", "c[rs]*", "feature-python*", "test-fails-go"}, 35
	if repeat.Times(0, 0, 1) == 1 {
		globs, least = []string{"*"}, 40
	}
	runs, skipped := 0, 0
	for _, glob := range globs {
		r, o := w.evaluates("--scripted", "--jobs", "3", "--task", glob)
		if runs += len(r.Runs); o.code != 0 || len(r.Totals) != 1 {
			t.Errorf("%s: exit %d, totals %+v", glob, o.code, r.Totals)
		}
		skipped += passes(t, r)
	}
	if runs < least || skipped*2 > runs {
		t.Errorf("%d runs, %d skipped", runs, skipped)
	}
	for _, dir := range []string{".local", ".config/parley", ".cache/parley"} {
		if _, err := os.Stat(filepath.Join(w.home, dir)); err == nil {
			t.Errorf("the home directory has %s", dir)
		}
	}
}

// passes wants every run to pass and to have figures, and returns how many were skipped.
func passes(t *testing.T, r eval.Report) (skipped int) {
	t.Helper()
	for _, run := range r.Runs {
		switch {
		case run.Skipped != "":
			t.Logf("%s: %s", run.Task, run.Skipped)
			skipped++
		case !run.Passed:
			t.Errorf("%s: %q", run.Task, run.Wrong)
		case run.FailedCalls > 0 && run.Category != "failing test":
			t.Errorf("%s: %d calls of the solution fail", run.Task, run.FailedCalls)
		case run.Requests == 0 || run.Usage.Output == 0:
			t.Errorf("%s has no figures: %+v", run.Task, run)
		}
	}
	return skipped
}

// No task passes with an agent that does nothing: no check is empty.
func TestTasksFailWithoutWork(t *testing.T) {
	w := newWorld(t).cached().signIn("rules:\n  - reply: Done.\n")
	out := t.TempDir()
	r, o := w.evaluates("--yes", "--jobs", "3", "--out", out)
	for _, run := range r.Runs {
		if run.Passed {
			t.Errorf("%s passes without work", run.Task)
		}
	}
	kept, _ := filepath.Glob(filepath.Join(out, "*.md"))
	if o.code != int(command.ExitFailed) || len(r.Runs) < 40 || len(kept)+8 < len(r.Runs) {
		t.Errorf("exit %d, %d runs, %d transcripts", o.code, len(r.Runs), len(kept))
	}
	if _, err := os.Stat(filepath.Join(out, "report.json")); err != nil {
		t.Error(err)
	}
	if left, _ := filepath.Glob(filepath.Join(w.home, ".local", "share", "parley", "sessions", "*")); len(left) > 0 {
		t.Errorf("sessions are left: %v", left)
	}
}

func TestEvalFlags(t *testing.T) {
	w := newWorld(t).signIn("rules:\n  - reply: Done.\n")
	for _, tc := range []struct {
		args []string
		code command.ExitCode
		says string
	}{
		{[]string{"eval"}, command.ExitUsage, "Add --yes"},
		{[]string{"eval", "--task", "nothing*"}, command.ExitUsage, "no task matches"},
		{[]string{"eval", "--jobs", "0", "--yes"}, command.ExitUsage, "at least 1"},
		{[]string{"eval", "--scripted", "--agents", "claude"}, command.ExitUsage, "builtin agent only"},
		{[]string{"eval", "--yes", "-m", "no-such-model"}, command.ExitUsage, "no-such-model"},
		{[]string{"eval", "--list", "--task", "fix-*"}, command.ExitOK, "fix-off-by-one"},
		{[]string{"eval", "--demo", "--task", "json-setting"}, command.ExitOK, "1/1"},
		{[]string{"eval", "--yes", "--task", "json-setting", "--runs", "3", "--jobs", "1", "--max-credits", "0.000001"}, command.ExitFailed, "credits are used up"},
	} {
		if o := w.run(tc.args...); o.code != int(tc.code) || !strings.Contains(o.out+o.err, tc.says) {
			t.Errorf("%q: %+v", tc.args, o)
		}
	}
}
