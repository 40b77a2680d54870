//go:build unix

package claude

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"

	"parley/session"
	"parley/session/claude/driver"
	"parley/session/proc"
)

// inProject lets commands begin in a directory with a file, with a shell and some programs.
func inProject(t *testing.T) (dir string, o option) {
	t.Helper()
	home, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	dir, bin := filepath.Join(home, "project"), filepath.Join(home, "bin")
	for _, name := range []string{"project/a.md", "bin/bash", "bin/cat", "bin/go"} {
		path := filepath.Join(home, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	return dir, func(o *Options, open *session.OpenOptions) {
		o.Environ, open.Dir = []string{"PATH=" + bin, "SHELL=" + filepath.Join(bin, "bash")}, dir
	}
}

// before asks what parley's hook says of a command, and returns the answer.
func (ch *chat) before(call, dir, command string) string {
	id := "hook-" + call
	ch.rt().tool(call, "Bash", fmt.Sprintf(`{"command":%q}`, command))
	ch.rt().ask(id, fmt.Sprintf(`{"subtype":"hook_callback","callback_id":"before-tool","input":{"hook_event_name":"PreToolUse",`+
		`"tool_name":"Bash",`+
		`"tool_use_id":%q,"cwd":%q,"permission_mode":"default","tool_input":{"command":%q,"timeout":7}}}`, call, dir, command))
	synctest.Wait()
	return string(ch.rt().raw[id])
}

// ran ends a call, and returns what ran in place of its command.
func (ch *chat) ran(call string) string {
	ch.rt().line(`{"type":"user","message":{"role":"user","content":[`+
		`{"type":"tool_result","tool_use_id":%q,"content":"x"}]}}`, call)
	synctest.Wait()
	for _, e := range eventsOf[session.ToolEnded](ch) {
		if string(e.Call) == call {
			return e.Result.Ran
		}
	}
	ch.t.Errorf("%s has not ended", call)
	return ""
}

const quietPrint = "'cat' '--' *'.md'"

// What parley allows by itself runs as it is printed, and the end of the call says so.
func TestWhatRanIsReported(t *testing.T) {
	dir, project := inProject(t)
	inTurn(t, func(t *testing.T, ch *chat) {
		const allowed = `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow"`
		if got := ch.before("t1", dir, "cat *.md"); got != allowed+`,"updatedInput":{"command":"`+quietPrint+`","timeout":7}}}` {
			t.Error(got)
		}
		if got := ch.ran("t1"); got != quietPrint {
			t.Errorf("%q", got)
		}
		if got := ch.before("t2", dir, "cat a.md"); got != allowed+`}}` {
			t.Error(got)
		}
		if got := ch.ran("t2"); got != "" {
			t.Errorf("%q", got)
		}
		ch.before("t3", dir, "cat *.md")
		ch.rt().die(driver.Exit{Exit: proc.Exit{Code: 1}})
		synctest.Wait()
		ends := eventsOf[session.ToolEnded](ch)
		if end := ends[len(ends)-1]; end.Call != "t3" || end.Result.Ran != quietPrint {
			t.Errorf("%+v", end)
		}
	}, project)
}

// What the user allows runs in the model's words. What a rule allows runs as printed, also if the rule comes with the answer to
// another ask.
func TestWhoAllowsSaysWhatRuns(t *testing.T) {
	dir, project := inProject(t)
	inTurn(t, func(t *testing.T, ch *chat) {
		const command = "go test; echo $x"
		ask := func(call string) string {
			if got := ch.before(call, dir, command); !strings.Contains(got, `"ask"`) {
				return got
			}
			const reason = `,"decision_reason":"Asked: no rule allows this command.","decision_reason_type":"hook"`
			ch.rt().ask("ask-"+call, bashAsk(call, command, reason))
			synctest.Wait()
			return string(ch.rt().raw["ask-"+call])
		}
		for _, call := range []string{"t1", "t2", "t3"} {
			if got := ask(call); got != "" {
				t.Errorf("%s: %s", call, got)
			}
		}
		asked := eventsOf[session.Asked](ch)
		if len(asked) != 3 || len(asked[0].Permission.Rules) == 0 ||
			asked[0].Permission.Rules[0].Text != "command go test *" || asked[0].Permission.Reason != "" {
			t.Fatalf("%+v", asked)
		}
		if err := ch.answers("ask-t1", session.Answer{Decision: session.Allow, Scope: session.ScopeOnce}); err != nil {
			t.Fatal(err)
		}
		lasting := session.Answer{Decision: session.Allow, Scope: session.ScopeSession, Rule: &session.Rule{Text: "command go test *"}}
		if err := ch.answers("ask-t2", lasting); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		const run = "'go' 'test'\n'echo' ${x}"
		for call, want := range map[string]string{"t1": command, "t2": command, "t3": run} {
			answer := `{"behavior":"allow","updatedInput":{"command":"` + strings.ReplaceAll(want, "\n", `\n`) + `"}}`
			if got := string(ch.rt().raw["ask-"+call]); got != answer {
				t.Errorf("%s: %s", call, got)
			}
			if got := ch.ran(call); got != strings.TrimPrefix(want, command) {
				t.Errorf("%s: %q", call, got)
			}
		}
	}, project)
}

// With rules of the user that the runtime keeps, the runtime sees the model's words, and parley's answer has the print.
func TestOwnRulesSeeTheModelsWords(t *testing.T) {
	dir, project := inProject(t)
	inTurn(t, func(t *testing.T, ch *chat) {
		ch.rt().ask("odd", bashAsk("t0", "x", ""))
		for call, reason := range map[string]string{"t1": "Asked: parley answers with the form in which this command was judged.", "t2": ""} {
			if got := ch.before(call, dir, "cat *.md"); !strings.Contains(got, `"ask"`) {
				t.Errorf("%s: %s", call, got)
			}
			ch.rt().ask("ask-"+call, bashAsk(call, "cat *.md", fmt.Sprintf(`,"decision_reason":%q`, reason)))
			synctest.Wait()
		}
		if got := string(ch.rt().raw["ask-t1"]); got != `{"behavior":"allow","updatedInput":{"command":"`+quietPrint+`"}}` {
			t.Error(got)
		}
		if got := string(ch.rt().raw["ask-t2"]); got != "" { // the runtime has a reason of its own
			t.Error(got)
		}
		if got := ch.ran("t1"); got != quietPrint {
			t.Errorf("%q", got)
		}
	}, project, func(o *Options, _ *session.OpenOptions) { o.ManagedSettings = func() bool { return true } })
}

// A call in the background ends twice, and a denied one runs nothing.
func TestEndsSayWhatRan(t *testing.T) {
	c := newCalls()
	c.replace("a", quietPrint)
	c.replace("b", quietPrint)
	for i, step := range []struct {
		end  session.ToolEnded
		want string
	}{
		{session.ToolEnded{Call: "a", Outcome: session.ToolOK, Result: session.ToolResult{Background: true}}, quietPrint},
		{session.ToolEnded{Call: "a", Outcome: session.ToolOK}, quietPrint},
		{session.ToolEnded{Call: "a", Outcome: session.ToolOK}, ""},
		{session.ToolEnded{Call: "b", Outcome: session.ToolDenied}, ""},
	} {
		if got := c.ended(step.end).Result.Ran; got != step.want {
			t.Errorf("step %d: %q", i, got)
		}
	}
	if len(c.ran) > 0 {
		t.Errorf("left %v", c.ran)
	}
}
