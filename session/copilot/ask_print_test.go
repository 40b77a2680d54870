package copilot

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"parley/session"
	"parley/session/copilot/copilottest"
	"parley/session/copilot/dispatch"
	"parley/session/permission"
)

const (
	pattern     = `{"command":"cat *.md && ls","mode":"sync"}`
	patternSeen = `{"command":"cat *.md \u0026\u0026 ls","mode":"sync"}` // as a hook spells it
)

// newPrintDesk returns a desk whose directory has files that patterns stand for.
func newPrintDesk(t *testing.T) *desk {
	t.Helper()
	d := newDesk(t)
	for _, name := range []string{"a.md", "a.txt"} {
		if err := os.WriteFile(filepath.Join(d.dir, name), []byte("one\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return d
}

// allowTouch adds a rule that covers touch.
func (d *desk) allowTouch() {
	d.t.Helper()
	rule, err := permission.ParseRule("command touch *")
	if err != nil {
		d.t.Fatal(err)
	}
	rule.Ruling = permission.Allow
	d.mu.Lock()
	defer d.mu.Unlock()
	d.rules.Rules = append(d.rules.Rules, rule)
}

// print returns the arguments with which the hook lets a call go on, and the permission request that follows.
func (d *desk) print(call, args string, more string) (modified, request string) {
	d.t.Helper()
	var out struct {
		Args json.RawMessage `json:"modifiedArgs"`
	}
	var in struct {
		Command string `json:"command"`
	}
	reply := d.hooked("preToolUse", "bash", args)
	if json.Unmarshal([]byte(reply), &out) != nil || json.Unmarshal(out.Args, &in) != nil || strings.Contains(reply, "permissionDecision") {
		d.t.Fatalf("the hook says %s", reply)
	}
	line, _ := json.Marshal(in.Command)
	return string(out.Args), `{"kind":"shell","toolCallId":"` + call + `","fullCommandText":` + string(line) + more + `}`
}

func TestAnAllowedLineRunsAsItsPrint(t *testing.T) {
	d := newPrintDesk(t)
	d.setMode(session.ModePlan)
	d.start("c1", "bash", pattern)
	_, request := d.print("c1", patternSeen, "")
	if got := d.request("c1", request); got.Kind != dispatch.ApproveOnce || !strings.Contains(request, `'cat'`) {
		t.Errorf("%s: %+v", request, got)
	}
	if n := len(of[session.Asked](d)); n != 0 {
		t.Errorf("asked %d times", n)
	}
	// Where the hook changed nothing, the model's own text is asked about, and no rule is offered that would not help.
	d.setMode(session.ModeDefault)
	d.user = func(session.Asked) (session.Answer, bool) { return session.Answer{Decision: session.Deny}, true }
	d.start("c2", "bash", pattern)
	if got := d.request("c2", `{"kind":"shell","toolCallId":"c2","fullCommandText":"cat *.md && ls"}`); got.Kind != dispatch.Reject {
		t.Errorf("%+v", got)
	}
	if asked := of[session.Asked](d); len(asked) != 1 || asked[0].Permission.Reason == "" || len(asked[0].Permission.Rules) != 0 {
		t.Errorf("%+v", asked)
	}
}

// A request may come before the start of its call is known: its text is judged by itself.
func TestAPrintOfAnUnknownCallIsJudged(t *testing.T) {
	d := newPrintDesk(t)
	_, request := d.print("c1", pattern, "")
	if got := d.request("c1", request); got.Kind != dispatch.ApproveOnce {
		t.Errorf("%+v", got)
	}
}

func TestImagesAndWordsOfALineThatRunsAsItsPrint(t *testing.T) {
	d := newPrintDesk(t)
	d.user = func(session.Asked) (session.Answer, bool) {
		return session.Answer{Decision: session.Allow, Message: "but quickly"}, true
	}
	d.allowTouch()
	const args = `{"command":"touch a.txt >/dev/null \\\n && ls *.txt"}`
	d.start("c1", "bash", args)
	// What the organization wants asked is asked with what will run.
	modified, request := d.print("c1", strings.ReplaceAll(args, "&", `\u0026`), `,"managedApprovalRequired":true`)
	if got := d.request("c1", request); got.Kind != dispatch.ApproveOnce {
		t.Errorf("%+v", got)
	}
	asked := of[session.Asked](d)
	if last := asked[len(asked)-1]; len(asked) != 1 || !strings.Contains(last.Permission.Command, `'touch'`) {
		t.Errorf("asked %+v", asked)
	}
	if got := d.hooked("postToolUse", "bash", modified); !strings.Contains(got, "but quickly") {
		t.Errorf("the model reads %q", got)
	}
	if want := []string{"before c1", "before c1"}; !slices.Equal(d.images, want) { // once more after the question
		t.Errorf("%q, want %q", d.images, want)
	}
}

// The answer to a permission request cannot change the command any more.
func TestANewRuleSettlesOnlyWhatRunsAsItStands(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(t)
		results := make(chan string, 2)
		for call, line := range map[string]string{"plain": "touch x", "pattern": `touch \"x\" \\\n y`} {
			go func() {
				d.start(call, "bash", `{"command":"`+line+`"}`)
				results <- call + " " + d.request(call, `{"kind":"shell","toolCallId":"`+call+`","fullCommandText":"`+line+`"}`).Kind
			}()
		}
		synctest.Wait()
		if n := len(of[session.Asked](d)); n != 2 {
			t.Fatalf("%d asks", n)
		}
		d.allowTouch()
		d.reconsider()
		synctest.Wait()
		if got := <-results; got != "plain approve-once" || len(of[session.Settled](d)) != 1 || !d.book.Any() {
			t.Errorf("%s; %+v", got, of[session.Settled](d))
		}
		d.setMode(session.ModeBypass)
		if got := <-results; got != "pattern approve-once" {
			t.Error(got)
		}
	})
}

// The screen has what the model wrote and what ran in its place, at the top and in children. A runtime whose commands share a
// shell runs nothing unasked.
func TestTheTranscriptHasWhatRan(t *testing.T) {
	const written = "touch \"x\" \\\n y"
	rule, err := permission.ParseRule("command touch *")
	if err != nil {
		t.Fatal(err)
	}
	rule.Ruling = permission.Allow
	kept := func(string) permission.Kept { return permission.Kept{Rules: []permission.Rule{rule}} }
	for name, test := range map[string]struct {
		runtime *copilottest.Runtime
		asks    int
		ran     string
	}{
		"protocol 3":            {&copilottest.Runtime{}, 0, "'touch'"},
		"calls announced twice": {&copilottest.Runtime{Form: copilottest.Doubled, Version: "1.0.85"}, 0, "'touch'"},
		"protocol 2":            {&copilottest.Runtime{Protocol: 2, PingOnly: true}, 2, ""},
	} {
		t.Run(name, func(t *testing.T) {
			run := func(a *copilottest.Actor) {
				a.Run(copilottest.Call{Name: "bash", Input: map[string]any{"command": written},
					Permission: map[string]any{"kind": "shell", "fullCommandText": written}},
					func() copilottest.Result { return copilottest.Result{Text: "done", Type: "success"} })
			}
			test.runtime.Turn = func(a *copilottest.Actor, prompt string) {
				run(a)
				a.Child("helper", "help", run)
			}
			w := newRoom(t, test.runtime, session.ModeDefault, kept)
			w.user = allow
			if end := w.send("go"); end.Outcome != session.TurnCompleted {
				t.Fatalf("%+v", end)
			}
			asks, ends, commands := 0, 0, map[session.CallID]bool{}
			for _, e := range w.all() {
				switch e := e.(type) {
				case session.Asked:
					asks++
				case session.ToolReady:
					var in struct{ Command string }
					if json.Unmarshal(e.Input, &in) == nil && in.Command != "" {
						commands[e.Call] = in.Command == written
					}
				case session.ToolEnded:
					if commands[e.Call] {
						ends++
						if !strings.HasPrefix(e.Result.Ran, test.ran) || (e.Result.Ran == "") != (test.ran == "") {
							t.Errorf("ran %q", e.Result.Ran)
						}
					}
				}
			}
			if asks != test.asks || ends != 2 {
				t.Errorf("%d asks, %d ends", asks, ends)
			}
		})
	}
}
