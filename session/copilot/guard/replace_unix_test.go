//go:build unix

package guard

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parley/session"
	"parley/session/permission"
)

func TestWithCommandChangesNothingElse(t *testing.T) {
	const run = "'cat' \"'\"\n<&>"
	const more = `,"initial_wait":1.50, "z":[1e2,{"command":"y"}]}`
	for args, want := range map[string]string{
		`{"command":"x"}`: `{"command":RUN}`,
		`{ "mode" : "async", "command"  :  "a\u0020\"b" ` + more: `{ "mode" : "async", "command"  :  RUN ` + more,
		`{"command":"a","Command":"b","command":"c"}`:            `{"command":RUN,"Command":"b","command":RUN}`,
		`{"comm\u0061nd":"x"}`:                                   `{"comm\u0061nd":RUN}`,
		`{"Command":"x"}`:                                        "",
		`{"command":["x"]}`:                                      "",
		`{"command":null}`:                                       "",
		`{"command":"x"`:                                         "",
		`{"command":"x"} 1`:                                      "",
		`"command"`:                                              "",
		`[]`:                                                     "",
		`{}`:                                                     "",
		``:                                                       "",
	} {
		quoted, _ := json.Marshal(run)
		want = strings.ReplaceAll(want, "RUN", string(quoted))
		got, ok := WithCommand(json.RawMessage(args), run)
		if string(got) != want || ok != (want != "") {
			t.Errorf("%s: %s, %v; want %s", args, got, ok, want)
		}
	}
}

// before returns the verdict on a command before it runs, and the command with which it goes on.
func (g Guard) before(line string) (Verdict, string) {
	args, _ := json.Marshal(map[string]any{"command": line, "mode": "sync"})
	v := g.BeforeTool(Describe("bash", args, nil, nil))
	var in struct{ Command string }
	_ = json.Unmarshal(v.Args, &in)
	return v, in.Command
}

// TestWhatRunsUnaskedIsThePrint follows commands from the hook to the permission request.
func TestWhatRunsUnaskedIsThePrint(t *testing.T) {
	for _, test := range []struct {
		name, line string
		mode       session.Mode
		rules      []string
		ran        string // a part of what runs in place of the line, "" for nothing
		want       permission.Ruling
	}{
		{"a plain line", "ls", session.ModeDefault, nil, "", permission.Allow},
		{"a pattern", "cat *.txt | head -3", session.ModeDefault, nil, "*'.txt'", permission.Allow},
		{"a pattern in plan", "cat *.txt | head -3", session.ModePlan, nil, "*'.txt'", permission.Allow},
		{"a pattern in acceptEdits", "cat *.txt | head -3", session.ModeAcceptEdits, nil, "*'.txt'", permission.Allow},
		{"a rule", "touch \"x\" \\\n y", session.ModeDefault, []string{"command touch *"}, "'touch'", permission.Allow},
		{"a rule for the whole line", "cd sub && touch x", session.ModeDefault, []string{"command cd sub && touch x"}, "'./sub'",
			permission.Allow},
		{"no rule", "touch *.txt", session.ModeDefault, nil, "", permission.Ask},
		{"no rule in plan", "touch *.txt", session.ModePlan, nil, "", permission.Deny},
		{"outside of the language", `echo "${x:-'$(touch PWNED)'}"`, session.ModeDefault, []string{"command echo *", "command touch *"}, "",
			permission.Ask},
		{"bypass", "touch *.txt", session.ModeBypass, nil, "", permission.Allow},
		{"bypass with a rule that denies", "touch *.txt", session.ModeBypass, []string{"deny command rm *"}, "*'.txt'", permission.Allow},
		{"what a rule denies", "rm *.txt", session.ModeBypass, []string{"deny command rm *"}, "", permission.Deny},
	} {
		g := testGuard(t, test.mode, test.rules...)
		if err := os.Mkdir(filepath.Join(g.Dirs[0], "sub"), 0o755); err != nil {
			t.Fatal(err)
		}
		v, run := g.before(test.line)
		if (run != "") != (test.ran != "") || !strings.Contains(run, test.ran) || v.Ruling == permission.Allow ||
			(v.Ruling == permission.Deny) != (test.want == permission.Deny) {
			t.Errorf("%s: the hook says %+v", test.name, v)
		}
		reply, err := json.Marshal(v.Reply())
		if err != nil || run != "" && string(reply) != `{"modifiedArgs":{"command":`+quoted(run)+`,"mode":"sync"}}` {
			t.Errorf("%s: reply %s %v", test.name, reply, err)
		}
		started := Describe("bash", json.RawMessage(`{"command":`+quoted(test.line)+`}`), nil, nil)
		ruling := func(line string) permission.Ruling {
			c, _ := ReadRequest(shellRequest(line), started, nil, nil)
			return g.Judge(c).Ruling
		}
		if run == "" {
			if got := ruling(test.line); got != test.want {
				t.Errorf("%s: %s, want %s", test.name, got, test.want)
			}
			continue
		}
		if got := ruling(run); got != permission.Allow {
			t.Errorf("%s: the print is not allowed: %s", test.name, got)
		}
		if got := ruling(test.line); got != permission.Ask {
			t.Errorf("%s: the model's own text is not asked about: %s", test.name, got)
		}
		if got := ruling(run + "; make"); got == permission.Allow && test.mode != session.ModeBypass {
			t.Errorf("%s: something else is allowed", test.name)
		}
		g.Mode, g.Rules = session.ModeDefault, permission.Kept{Locked: "The file of rules cannot be read."}
		if got := ruling(run); got != permission.Ask {
			t.Errorf("%s: the print is allowed by rules that do not hold any more: %s", test.name, got)
		}
	}
}

func quoted(line string) string {
	b, _ := json.Marshal(line)
	return string(b)
}

// A hook of the user's may have written a line of its own: it is judged by itself.
func TestALineOfAnotherHookIsJudged(t *testing.T) {
	g := testGuard(t, session.ModeDefault, "command touch x")
	started := Describe("bash", json.RawMessage(`{"command":"ls"}`), nil, nil)
	allow, ask := permission.Allow, permission.Ask
	for line, want := range map[string]permission.Ruling{"touch x": allow, "touch y": ask, "ls; touch y": ask} {
		asked := `{"kind":"hook","toolName":"bash","toolArgs":{"command":` + quoted(line) + `}}`
		for _, request := range []string{string(shellRequest(line)), asked} {
			c, _ := ReadRequest(json.RawMessage(request), started, nil, nil)
			if j := g.Judge(c); j.Ruling != want || c.Written != "ls" || g.Ask(c, j).Command != line {
				t.Errorf("%s: %+v of %+v, want %s", request, j, c, want)
			}
		}
	}
}
