package cli

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"parley/copilot/sim"
	"parley/copilot/sim/script"
	"parley/internal/cli/command"
)

// asked reports whether a prompt went to the service.
func (w *world) asked() bool {
	return slices.ContainsFunc(w.sim.Requests(), func(r sim.Request) bool { return r.Method == "POST" })
}

func TestChoicesThatCannotBeAreRefused(t *testing.T) {
	for name, tc := range map[string]struct {
		args []string
		says []string
	}{
		"model":            {[]string{"--model", "nonsense"}, []string{"--model: ", `"nonsense"`, "claude-sonnet-4.6", "parley models"}},
		"effort":           {[]string{"--effort", "silly"}, []string{"--effort: ", `"silly"`, "low, medium, high"}},
		"effort of model":  {[]string{"-m", "gpt-5-mini", "--effort", "max"}, []string{"--effort: ", "gpt-5-mini", `"max"`}},
		"model and effort": {[]string{"-m", "nonsense", "--effort", "silly"}, []string{"--model: "}},
	} {
		for _, known := range []bool{false, true} {
			w := newWorld(t).signIn(talkative)
			if known { // what is on disk is enough where the service does not answer
				w.mustRun("models")
				w.sim.Inject(script.Fault{Kind: script.FaultStatus, Status: 503, Route: "/models", Times: -1})
			}
			o := w.run(append([]string{"-p", "hello"}, tc.args...)...)
			if o.code != int(command.ExitUsage) || w.asked() {
				t.Errorf("%s, known %v: exit %d, asked %v: %s", name, known, o.code, w.asked(), o.err)
			}
			for _, want := range tc.says {
				if !strings.Contains(o.err, want) {
					t.Errorf("%s, known %v: no %q in %s", name, known, want, o.err)
				}
			}
		}
	}
}

// What is known is not all there is: the service is asked before something is refused, and a service that does not answer
// refuses nothing by that.
func TestChoicesOfTodayCount(t *testing.T) {
	w := newWorld(t).signIn(talkative)
	w.mustRun("models")
	path := filepath.Join(w.home, ".cache", "parley", "models.json")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	before := strings.ReplaceAll(string(text), "claude-sonnet-4.6", "claude-sonnet-4.1")
	if before == string(text) {
		t.Fatalf("nothing is known of the model: %s", text)
	}
	if err := os.WriteFile(path, []byte(before), 0o600); err != nil {
		t.Fatal(err)
	}
	w.mustRun("-p", "-m", "claude-sonnet-4.6", "hello")
	if now, err := os.ReadFile(path); err != nil || !strings.Contains(string(now), `"claude-sonnet-4.6"`) {
		t.Errorf("what the service said is not kept: %v %s", err, now)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	w.sim.Inject(script.Fault{Kind: script.FaultStatus, Status: 503, Route: "/models", Times: -1})
	if o := w.run("-p", "-m", "claude-sonnet-4.6", "hello"); o.code != 0 {
		t.Errorf("%+v", o)
	}
}

// An effort from the configuration is for any model: one that does not take it goes without, as ever.
func TestEffortOfTheConfigurationIsForAnyModel(t *testing.T) {
	w := newWorld(t).signIn(talkative)
	w.env = append(w.env, "PARLEY_EFFORT=max")
	w.mustRun("-p", "-m", "gpt-5-mini", "hello")
	w.env = append(w.env, "PARLEY_EFFORT=silly")
	if o := w.run("-p", "hello"); o.code != int(command.ExitUsage) || !strings.Contains(o.err, "PARLEY_EFFORT: ") {
		t.Errorf("%+v", o)
	}
}

// A session that is gone on with keeps what was chosen for it when something else cannot be.
func TestAWrongChoiceChangesNoSession(t *testing.T) {
	w := newWorld(t).signIn(talkative)
	w.mustRun("-p", "-m", "claude-haiku-4.5", "one")
	for _, args := range [][]string{{"-p", "-c", "-m", "nonsense", "two"}, {"-p", "-c", "--effort", "silly", "two"}} {
		if o := w.run(args...); o.code != int(command.ExitUsage) {
			t.Errorf("%q: %+v", args, o)
		}
	}
	if out := w.mustRun("-p", "-c", "--output-format", "json", "two"); !strings.Contains(out, `"model": "claude-haiku-4.5"`) {
		t.Errorf("went on with %s", out)
	}
}

// A model whose terms are open is refused before anything is sent, with the command that shows them; a yes is sent once and counts for
// every run after it.
func TestTermsOfAModelNeedAYes(t *testing.T) {
	w := newWorld(t).signIn(talkative)
	for range 2 { // asked, and stored
		o := w.run("-p", "--agent", "builtin", "-m", "claude-opus-4.7", "hi")
		if o.code != 2 || !strings.Contains(o.err, "claude-opus-4.7 needs your yes to its terms") || !strings.Contains(o.err, "`parley models accept claude-opus-4.7` shows them.") {
			t.Fatalf("%d %s", o.code, o.err)
		}
	}
	if o := w.run("models", "accept", "claude-opus-4.7"); o.code != 2 || !strings.Contains(o.out, "https://docs.github.com/copilot/models") || !strings.Contains(o.err, "accept --yes claude-opus-4.7") {
		t.Errorf("%d %s %s", o.code, o.out, o.err)
	}
	if o := w.run("models", "accept", "--yes", "nonsense"); o.code != 2 {
		t.Errorf("%d %s", o.code, o.err)
	}
	if o := w.run("models", "accept", "--yes", "claude-opus-4-7"); o.code != 0 || !strings.Contains(o.out, "claude-opus-4.7 can be used now.") {
		t.Errorf("%d %s %s", o.code, o.out, o.err)
	}
	if o := w.run("models", "accept", "claude-opus-4.7"); o.code != 0 || !strings.Contains(o.out, "needs no yes") {
		t.Errorf("%d %s %s", o.code, o.out, o.err)
	}
	if o := w.run("-p", "--agent", "builtin", "-m", "claude-opus-4.7", "hi"); o.code != 0 {
		t.Errorf("%d %s", o.code, o.err)
	}
}
