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

// equipped is a guard whose commands find some programs, and whose directory has files.
func equipped(t *testing.T) Guard {
	t.Helper()
	g := someGuard(t)
	bin := strings.TrimPrefix(g.Environ[0], "PATH=")
	for _, dir := range []string{bin, filepath.Join(g.Dirs[0], "sub")} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	files := []string{filepath.Join(g.Dirs[0], "a.md")}
	for _, name := range []string{"ls", "cat", "head", "touch", "test", "env", "sed", "git", "rm", "lint", "pwd"} {
		files = append(files, filepath.Join(bin, name))
	}
	for _, file := range files {
		if err := os.WriteFile(file, nil, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	return g
}

// bash is a call of the tool Bash in the guard's directory.
func bash(t *testing.T, g Guard, mode session.Mode, input string) Call {
	t.Helper()
	c := callOf(t, "Bash", json.RawMessage(input), mode)
	c.Dir = g.Dirs[0]
	return c
}

// TestCommandsThatRun gives the hook commands, and checks what runs in place of them, "" for the command itself, or why the user is asked.
func TestCommandsThatRun(t *testing.T) {
	g := equipped(t)
	all := []session.Mode{session.ModeDefault, session.ModeAcceptEdits, session.ModePlan}
	for command, want := range map[string]string{
		"ls": "", "ls -la sub": "", "cat 'a.md'": "", "  ls": "",
		"cat *.md | head -3":        "'cat' '--' *'.md' | 'head' '-3'",
		`cd sub \u0026\u0026 ls`:    "'cd' './sub' && 'ls'",
		`cat \u003c\u003cE\nx\nE\n`: "'printf' '%s' 'x\n' | 'cat'",
		"cat a.md; ls":              "",
		"touch x":                   uncovered, "ls; touch x": uncovered, "make": uncovered, "rm -rf sub": uncovered,
		"ls > x": uncovered, "cat /etc/hostname": uncovered,
		`ls \u003e\u003e/dev/nullx`: "Always asked: ",
	} {
		for _, mode := range all {
			c := bash(t, g, mode, `{"command":"`+command+`","description":"d","timeout":5000,"run_in_background":true}`)
			v := g.BeforeTool(c)
			if mode == session.ModePlan && !strings.HasPrefix(want, "A") {
				if v != (Verdict{Ruling: permission.Ask, Reason: answered}) {
					t.Errorf("%q in plan mode: %+v", command, v)
				}
				q := request(t, `"tool_name":"Bash","decision_reason":"`+answered+`","input":`+string(c.Input), `{}`)
				q.Mode, q.Dir, q.Asked = mode, g.Dirs[0], answered
				if j := g.Judge(q); !j.Ruled || j.Run != want {
					t.Errorf("%q in plan mode: %+v", command, j)
				}
				continue
			}
			switch {
			case strings.HasPrefix(want, "A"):
				if v.Ruling != permission.Ask || v.Run != "" || v.input != "" || !strings.HasPrefix(v.Reason, want) {
					t.Errorf("%q in %s: %+v", command, mode, v)
				}
			case v.Ruling != permission.Allow || v.Run != want:
				t.Errorf("%q in %s: %+v", command, mode, v)
			case want == "" && v.input != "":
				t.Errorf("%q in %s: %s", command, mode, v.input)
			case want != "":
				quoted, err := json.Marshal(v.Run)
				if err != nil || v.input != strings.Replace(string(c.Input), `"`+command+`"`, string(quoted), 1) {
					t.Errorf("%q in %s: %s", command, mode, v.input)
				}
			}
		}
		v := g.BeforeTool(bash(t, g, session.ModeBypass, `{"command":"`+command+`"}`))
		if v != (Verdict{}) {
			t.Errorf("%q in bypassPermissions: %+v", command, v)
		}
	}
}

// A rule lets a command run everywhere but in plan mode, which has its own reason.
func TestRuledCommandsInPlanMode(t *testing.T) {
	g := equipped(t)
	g.Rules.Rules = rule(t, permission.Allow, "command lint *")
	for mode, want := range map[session.Mode]Verdict{
		session.ModeDefault:     {Ruling: permission.Allow},
		session.ModeAcceptEdits: {Ruling: permission.Allow},
		session.ModePlan:        {Ruling: permission.Ask, Reason: onlyReads},
		session.ModeBypass:      {},
	} {
		if v := g.BeforeTool(bash(t, g, mode, `{"command":"lint sub"}`)); v != want {
			t.Errorf("%s: %+v", mode, v)
		}
	}
}

// Where a rule denies, what runs in bypassPermissions is what was compared with the rule.
func TestComparedCommandsRunAsCompared(t *testing.T) {
	g := equipped(t)
	g.Rules.Rules = rule(t, permission.Deny, "command rm *")
	for command, want := range map[string]string{"ls": "", "make x": "", "ls *.md; make x": "'ls' *'.md'\n'make' 'x'"} {
		for _, more := range []string{"", `,"dangerouslyDisableSandbox":true`} {
			v := g.BeforeTool(bash(t, g, session.ModeBypass, `{"command":"`+command+`"`+more+`}`))
			if v.Run != want || (want != "") != (v.Ruling == permission.Allow) || strings.HasSuffix(v.input, more+"}") != (want != "") {
				t.Errorf("%q: %+v", command, v)
			}
		}
	}
	if v := g.BeforeTool(bash(t, g, session.ModeBypass, `{"command":"ls; rm x"}`)); v.Ruling != permission.Deny {
		t.Errorf("%+v", v)
	}
}

// What the call says beside its command may let it run elsewhere, and what the runtime changes is not what was judged.
func TestInputsThatAreAsked(t *testing.T) {
	g := equipped(t)
	for input, want := range map[string]permission.Ruling{
		`{"command":"ls","dangerouslyDisableSandbox":false,"timeout":1}`: permission.Allow,
		`{"command":"ls","dangerouslyDisableSandbox":null}`:              permission.Allow,
		`{"command":"ls","dangerouslyDisableSandbox":true}`:              permission.Ask,
		`{"command":"ls; ls","dangerouslyDisableSandbox":true}`:          permission.Ask,
		`{"command":"ls","Command":"rm x"}`:                              permission.Ask,
		`{"command":"rm x","Command":"ls"}`:                              permission.Ask,
		`{"command":"rm x","command":"ls"}`:                              permission.Ask,
		`{"Command":"ls"}`:                                               permission.Ask,
		`{"command":"ls","_simulatedSedEdit":{"filePath":"x"}}`:          permission.Ask,
		`{"command":"cat 'a>nul'"}`:                                      permission.Ask,
		`{"command":"cat '> NUL '; ls"}`:                                 permission.Ask,
		`{"command":7}`:                                                  permission.Ask,
	} {
		if v := g.BeforeTool(bash(t, g, session.ModeDefault, input)); v.Ruling != want {
			t.Errorf("%s: %+v", input, v)
		}
	}
	for tool, input := range map[string]string{"Monitor": `{"command":"ls"}`, "PowerShell": `{"command":"ls"}`, "REPL": `{"code":"x"}`} {
		if v := g.BeforeTool(callOf(t, tool, json.RawMessage(input), session.ModePlan)); v.Ruling != permission.Ask || v.Reason == "" {
			t.Errorf("%s: %+v", tool, v)
		}
	}
	if v := g.BeforeTool(callOf(t, "KillShell", json.RawMessage(`{"shell_id":"x"}`), session.ModeDefault)); v != (Verdict{}) {
		t.Errorf("%+v", v)
	}
}

// While the runtime has rules of the user it sees the model's own text, and parley answers its question with the print, in every mode.
func TestOwnRules(t *testing.T) {
	for text, want := range map[string]bool{
		`{"permissions":{"deny":["Bash(git push:*)"]}}`: true, `{"permissions":{"ask":["Bash"]}}`: true,
		`{"permissions":{"deny":["Read(x)"]}}`: true,
		`{"permissions":{"deny":["*"]}}`:       true, `{`: true, `{"permissions":{"deny":[7]}}`: true, `{"permissions":{"ask":"Bash"}}`: true,
		`{"permissions":{"allow":["Bash(ls:*)"],"deny":["WebFetch","mcp__a__b"]}}`: false, `{}`: false,
	} {
		g := equipped(t)
		path := filepath.Join(g.Dirs[0], "settings.json")
		g.Settings = []string{filepath.Join(g.Dirs[0], "missing.json"), path}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if v := g.BeforeTool(bash(t, g, session.ModeDefault, `{"command":"cat *.md"}`)); (v.Ruling == permission.Ask) != want {
			t.Errorf("%s: %+v", text, v)
		}
	}
	g := equipped(t)
	g.OwnRules = true
	for _, mode := range []session.Mode{session.ModeDefault, session.ModePlan, session.ModeAcceptEdits, session.ModeBypass} {
		if mode == session.ModeBypass {
			g.Rules.Rules = rule(t, permission.Deny, "command rm *")
		} else if v := g.BeforeTool(bash(t, g, mode, `{"command":"ls"}`)); mode != session.ModePlan && v != (Verdict{Ruling: permission.Allow}) {
			t.Errorf("%s: %+v", mode, v)
		}
		const input = `{"command":"cat *.md","timeout":7}`
		v := g.BeforeTool(bash(t, g, mode, input))
		if v != (Verdict{Ruling: permission.Ask, Reason: answered}) {
			t.Fatalf("%s: %+v", mode, v)
		}
		run := "'cat' '--' *'.md'"
		if mode == session.ModeBypass { // nothing says that it only reads
			run = "'cat' *'.md'"
		}
		for reason, ruled := range map[string]bool{v.Reason: true, "": false, "another": false} {
			q := request(t, `"tool_name":"Bash","decision_reason":"`+reason+`","input":`+input, `{}`)
			q.Mode, q.Dir, q.Asked = mode, g.Dirs[0], v.Reason
			j := g.Judge(q)
			if j.Ruled != ruled || ruled && (j.Run != run || string(j.Input) != `{"command":"`+run+`","timeout":7}`) || j.Reason != "" {
				t.Errorf("%s, %q: %+v", mode, reason, j)
			}
		}
	}
}

// What rules cover runs as printed, where parley answers a request of the runtime.
func TestRuledRequests(t *testing.T) {
	g := equipped(t)
	for _, asked := range []string{"", uncovered} {
		q := request(t, `"tool_name":"Bash","decision_reason":"`+asked+`","input":{"command":"lint a; ls *.md","description":"Check"}`,
			`{"type":"setMode","mode":"acceptEdits","destination":"session"}`)
		q.Mode, q.Dir, q.Asked = session.ModeDefault, g.Dirs[0], asked
		g.Rules.Rules = nil
		if j := g.Judge(q); j.Ruled || j.Reason != "" || j.Purpose != "Check" || len(j.Rules) == 0 {
			t.Errorf("%q: %+v", asked, j)
		}
		g.Rules.Rules = rule(t, permission.Allow, "command lint *")
		j := g.Judge(q)
		if !j.Ruled || j.Run != "'lint' 'a'\n'ls' '--' *'.md'" ||
			string(j.Input) != `{"command":"'lint' 'a'\n'ls' '--' *'.md'","description":"Check"}` {
			t.Errorf("%q: %+v, %s", asked, j, j.Input)
		}
	}
}

// A call that only reads makes no image, in whatever words it runs.
func TestReadingMakesNoImage(t *testing.T) {
	g := equipped(t)
	for command, want := range map[string]bool{"ls": false, "cat *.md | head -3": false, "cd sub \u0026\u0026 ls": false, "touch x": true,
		"ls > x": true} {
		if _, ok := g.File(bash(t, g, session.ModeDefault, `{"command":"`+command+`"}`)); ok != want {
			t.Errorf("%q: %v", command, ok)
		}
	}
}
