package cli

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"parley/copilot/sim/cloud"
	"parley/internal/cli/command"
	"parley/internal/cli/headless"
	"parley/session"
)

// quick is the usual plan of a task of the cloud agent, a hundred times as fast.
func quick(problem string) cloud.Plan {
	p := cloud.PlanOf(problem)
	for _, d := range []*time.Duration{&p.Queued, &p.Pull, &p.Every, &p.Checks} {
		*d /= 100
	}
	return p
}

// inRepository makes the project directory a repository of GitHub.
func (w *world) inRepository(name string) {
	w.t.Helper()
	git := filepath.Join(w.dir, ".git")
	for file, text := range map[string]string{"HEAD": "ref: refs/heads/main\n", "config": "[remote \"origin\"]\n\turl = git@github.com:" + name + ".git\n"} {
		if err := os.MkdirAll(git, 0o700); err != nil {
			w.t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(git, file), []byte(text), 0o600); err != nil {
			w.t.Fatal(err)
		}
	}
}

func TestCloudAgentWithoutAScreen(t *testing.T) {
	t.Parallel()
	w := newWorldApart(t).signIn(talkative)
	w.inRepository("octo/greet")
	first := w.run("-p", "--agent", "cloud", "Greet by name")
	if first.code != 0 || !strings.Contains(first.out, "greet_test.go") || !strings.Contains(first.err, "Pull request #1: https://github.com/octo/greet/pull/1") {
		t.Fatalf("exit %d\n%s\n%s", first.code, first.out, first.err)
	}
	second := w.run("-p", "-c", "--output-format", "json", "In German")
	var result struct {
		Agent   string
		Outcome session.TurnOutcome
	}
	if err := json.Unmarshal([]byte(second.out), &result); err != nil || result.Agent != "cloud" || result.Outcome != session.TurnCompleted {
		t.Errorf("%v, exit %d\n%s\n%s", err, second.code, second.out, second.err)
	}
	var posted []string
	for _, r := range w.sim.Requests() {
		if r.Method == "POST" && r.Path != "/graphql" {
			posted = append(posted, r.Path+" "+string(r.Body))
		}
	}
	if len(posted) != 2 || !strings.Contains(posted[0], `"problem_statement":"Greet by name"`) || posted[1] != `/repos/octo/greet/issues/1/comments {"body":"@copilot In German"}` {
		t.Errorf("posted %q", posted)
	}
	failed := w.run("-p", "--agent", "cloud", "simulate failed")
	if failed.code != int(command.ExitFailed) || !strings.Contains(failed.err, "The cloud agent failed: The agent stopped because the tests could not be built.") {
		t.Errorf("exit %d\n%s\n%s", failed.code, failed.out, failed.err)
	}
	list := w.mustRun("sessions", "list")
	if strings.Count(list, "\n") != 2 || !strings.Contains(list, "Greet by name") || !strings.Contains(list, "simulate failed") {
		t.Errorf("the list is\n%s", list)
	}
	w.withoutToken()
}

// The result has the state of the task and its pull request, and text says that it waits.
func TestCloudStateInTheResult(t *testing.T) {
	t.Parallel()
	w := newWorldApart(t).signIn(talkative)
	w.inRepository("octo/greet")
	var r headless.Result
	waiting := w.run("-p", "--agent", "cloud", "--output-format", "json", "simulate waiting")
	if err := json.Unmarshal([]byte(waiting.out), &r); err != nil || r.Remote == nil || r.Remote.State != session.RemoteWaiting ||
		r.Remote.URL == "" || r.Remote.Pull == nil || r.Remote.Pull.URL == "" {
		t.Errorf("%v, exit %d\n%s\n%s", err, waiting.code, waiting.out, waiting.err)
	}
	if waiting = w.run("-p", "--agent", "cloud", "simulate waiting again"); !strings.Contains(waiting.err, "the task waits for your answer") {
		t.Errorf("exit %d\n%s\n%s", waiting.code, waiting.out, waiting.err)
	}
}

// withoutToken checks that no file that parley made contains the token.
func (w *world) withoutToken() {
	w.t.Helper()
	err := filepath.WalkDir(w.home, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		if strings.Contains(string(text), w.sim.Token()) {
			w.t.Errorf("%s has the token", path)
		}
		return err
	})
	if err != nil {
		w.t.Error(err)
	}
}

func TestCloudAgentIsRefused(t *testing.T) {
	w := newWorld(t).signIn(talkative)
	for what, c := range map[string]struct {
		repository string
		args       []string
		says       string
	}{
		"without a repository": {"", []string{"-p", "--agent", "cloud", "x"}, "git remote add origin"},
		"a mode":               {"octo/greet", []string{"-p", "--agent", "cloud", "--permission-mode", "plan", "x"}, "plan mode does not hold"},
		"where it is off":      {"octo/no-agent", []string{"-p", "--agent", "cloud", "x"}, "Copilot coding agent is not enabled for this repository"},
	} {
		if c.repository != "" {
			w.inRepository(c.repository)
		}
		if got := w.run(c.args...); got.code == 0 || !strings.Contains(got.err, c.says) {
			t.Errorf("%s: exit %d\n%s", what, got.code, got.err)
		}
		if err := os.RemoveAll(filepath.Join(w.dir, ".git")); err != nil {
			t.Fatal(err)
		}
	}
	w.inRepository("octo/greet")
	w.env = append(w.env, "COPILOT_GITHUB_TOKEN=github_pat_x")
	if got := w.run("-p", "--agent", "cloud", "x"); got.code == 0 || !strings.Contains(got.err, "not to the token from COPILOT_GITHUB_TOKEN; run `gh auth login`") {
		t.Errorf("with a token of its own: exit %d\n%s", got.code, got.err)
	}
	if list := w.mustRun("sessions", "list"); list != "" {
		t.Errorf("sessions are left:\n%s", list)
	}
}
