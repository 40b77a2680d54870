//go:build unix

package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parley/internal/cli/command"
	"parley/internal/cli/doctor"
	"parley/internal/cli/headless"
	"parley/session/rules"
)

// untested runs the project's tests; there are none, so the command fails at once.
const untested = `
rules:
  - when: {prompt: test it, round: 0}
    reply:
      - tool: Bash
        input: {command: "go test ./nothing"}
  - when: {result: true}
    reply: "It came to: {{tool_result}}"
  - reply: "You said {{last_user}}"
`

// A rule that is made for the project in one session allows the same command in the next one, and nowhere else.
func TestProjectRulesHoldInTheNextSession(t *testing.T) {
	t.Parallel()
	w := newWorldApart(t).signIn(untested)
	tm := w.start(100, 30)
	tm.shows("parley")
	tm.send("test it\r")
	tm.until("the keyboard at the question", func(s string) bool { return strings.Contains(s, "❯ y  Yes") })
	tm.send("\x1b[C") // right
	tm.shows("‹ this project ›")
	tm.press("\r", "It came to:")
	tm.send("/permissions\r")
	s := tm.shows("command go test *")
	if !strings.Contains(s, "this project") {
		t.Errorf("the rule is not listed:\n%s", s)
	}
	tm.send("\x1b")
	tm.shows("It came to:")
	tm.send("/quit\r")
	if code := tm.exit(); code != 0 {
		t.Fatalf("exit %d", code)
	}
	files, err := filepath.Glob(filepath.Join(w.home, ".local", "share", "parley", "projects", "*", "permissions.yaml"))
	if err != nil || len(files) != 1 {
		t.Fatalf("%q %v", files, err)
	}
	if text, _ := os.ReadFile(files[0]); !strings.Contains(string(text), "- allow: command go test *\n") {
		t.Errorf("%s", text)
	}
	refused := func() int {
		var r headless.Result
		if err := json.Unmarshal([]byte(w.run("-p", "--output-format", "json", "test it").out), &r); err != nil {
			t.Fatal(err)
		}
		return len(r.Refusals)
	}
	if n := refused(); n != 0 {
		t.Errorf("the next session was asked about the same command %d times", n)
	}
	w.dir = t.TempDir()
	if n := refused(); n != 1 {
		t.Errorf("another project was asked %d times", n)
	}
}

// policed runs parley under a policy.
func (w *world) policed(text string, args ...string) outcome {
	w.t.Helper()
	path := filepath.Join(w.home, "policy.yaml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		w.t.Fatal(err)
	}
	var out, errs bytes.Buffer
	code := Main(w.t.Context(), Process{Args: args, Environ: w.env, In: strings.NewReader(""), Out: &out, Err: &errs,
		Policy: &rules.PolicyFile{Path: path, Guard: func(string) (string, error) { return "", nil }}})
	return outcome{code, out.String(), errs.String()}
}

// The policy decides about modes over the flag, the environment and the session.
func TestPolicyDecidesAboutModes(t *testing.T) {
	for name, c := range map[string]struct {
		policy string
		env    string
		args   []string
		code   command.ExitCode
		says   string
	}{
		"flag":        {"bypass: forbid\n", "", []string{"-p", "--permission-mode", "bypassPermissions", "hello"}, command.ExitUsage, "your administrator forbids bypassPermissions mode"},
		"other flag":  {"bypass: forbid\n", "", []string{"-p", "--permission-mode", "acceptEdits", "hello"}, command.ExitOK, ""},
		"pinned":      {"mode: plan\n", "", []string{"-p", "--permission-mode", "default", "hello"}, command.ExitUsage, "your administrator set plan mode"},
		"environment": {"modes: [default, plan]\n", "PARLEY_PERMISSION_MODE=acceptEdits", []string{"-p", "hello"}, command.ExitOK, "starting in default mode"},
		"default":     {"mode: plan\n", "", []string{"-p", "hello"}, command.ExitOK, ""},
		"broken":      {"mode: nonsense\n", "", []string{"-p", "--permission-mode", "bypassPermissions", "hello"}, command.ExitUsage, "can't be used, so nothing bypasses permissions"},
	} {
		w := newWorld(t).signIn(untested)
		if c.env != "" {
			w.env = append(w.env, c.env)
		}
		o := w.policed(c.policy, c.args...)
		if o.code != int(c.code) || !strings.Contains(o.err, c.says) || c.says == "" && o.err != "" {
			t.Errorf("%s: exit %d, %q", name, o.code, o.err)
		}
		if c.says != "" && !strings.Contains(o.err, "policy.yaml") {
			t.Errorf("%s: the file is not named: %q", name, o.err)
		}
	}
}

// doctor describes the policy and the files of rules, and fails if one cannot be used.
func TestDoctorChecksRules(t *testing.T) {
	w := newWorld(t)
	found := func(policy string) map[string]doctor.Result {
		var all []doctor.Result
		if err := json.Unmarshal([]byte(w.policed(policy, "doctor", "--json").out), &all); err != nil {
			t.Fatal(err)
		}
		by := map[string]doctor.Result{}
		for _, r := range all {
			by[r.Check] = r
		}
		return by
	}
	if got := found("mode: plan\nrules: [{deny: tool X}]\n"); !got["policy"].OK || !strings.Contains(got["policy"].Found, "policy.yaml (1 rule; mode plan)") ||
		!strings.Contains(got["global rules"].Found, "not there") {
		t.Errorf("%+v", got)
	}
	path := filepath.Join(w.home, ".config", "parley", "permissions.yaml")
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte("rules:\n- alow: x\n"), 0o600)); err != nil {
		t.Fatal(err)
	}
	if got := found("mods: [plan]\n"); got["policy"].OK || !strings.Contains(got["policy"].Problem, "policy.yaml:1: unknown key") ||
		got["global rules"].OK || !strings.Contains(got["global rules"].Problem, "permissions.yaml:2: unknown key") {
		t.Errorf("%+v", got)
	}
}
