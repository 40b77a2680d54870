//go:build unix

package guard

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parley/session"
	"parley/session/permission"
)

// Rules that deny and ask reach every tool, in every mode.
func TestRulesOfEveryTool(t *testing.T) {
	g := someGuard(t)
	for _, c := range []struct {
		rule, tool string
		input      map[string]string
	}{
		{"command ls *", "Bash", map[string]string{"command": "ls -la"}},
		{"command rm *", "Bash", map[string]string{"command": "true && /bin/rm -rf x"}},
		{"command rm *", "Monitor", map[string]string{"command": "rm x"}},
		{"read secret/**", "Read", map[string]string{"file_path": "$/secret/x"}},
		{"read secret/**", "Grep", map[string]string{"path": "$/secret", "pattern": "x"}},
		{"read secret/**", "Bash", map[string]string{"command": "cat secret/x"}},
		{"read /etc/**", "Glob", map[string]string{"path": "/etc/ssl", "pattern": "*"}},
		{"edit *.lock", "Write", map[string]string{"file_path": "$/x.lock"}},
		{"edit *.lock", "NotebookEdit", map[string]string{"notebook_path": "$/x.lock"}},
		{"edit *.lock", "MultiEdit", map[string]string{"file_path": "$/x.lock"}},
		{"fetch example.com", "WebFetch", map[string]string{"url": "https://example.com/x"}},
		{"mcp github", "mcp__github__list_issues", nil},
		{"mcp github/list_issues", "mcp__github__list_issues", nil},
		{"tool Agent", "Agent", map[string]string{"prompt": "x"}},
		{"tool TodoWrite", "TodoWrite", nil},
		{"tool CronCreate", "CronCreate", nil},
		{"tool AskUserQuestion", "AskUserQuestion", nil},
	} {
		input := map[string]string{}
		for name, value := range c.input {
			input[name] = strings.Replace(value, "$", g.Dirs[0], 1)
		}
		for _, mode := range []session.Mode{session.ModeDefault, session.ModeAcceptEdits, session.ModePlan, session.ModeBypass, "auto", "dontAsk"} {
			call := callOf(t, c.tool, input, mode)
			call.Dir = g.Dirs[0]
			g.Rules.Rules = rule(t, permission.Deny, c.rule)
			if v := g.BeforeTool(call); v.Ruling != permission.Deny || !strings.HasPrefix(v.Reason, "Refused: the rule "+c.rule) {
				t.Errorf("deny %s, %s %v in %s: %+v", c.rule, c.tool, input, mode, v)
			}
			if j := g.Judge(call); (j.Denied == "") != (c.tool == "AskUserQuestion") || j.Ruled {
				t.Errorf("deny %s, %s in %s: %+v", c.rule, c.tool, mode, j)
			}
			g.Rules.Rules = rule(t, permission.Ask, c.rule)
			want := permission.Ask
			if mode == session.ModeBypass || c.tool == "TodoWrite" || c.tool == "AskUserQuestion" {
				want = ""
			}
			if mode == session.ModePlan && strings.HasPrefix(c.rule, "edit") {
				want = permission.Deny
			}
			if v := g.BeforeTool(call); v.Ruling != want {
				t.Errorf("ask %s, %s in %s: %+v", c.rule, c.tool, mode, v)
			}
			g.Rules.Rules = nil
			want = ""
			switch {
			case mode == session.ModePlan && strings.HasPrefix(c.rule, "edit"):
				want = permission.Deny
			case input["command"] != "" && mode != session.ModeBypass: // no program is known here
				want = permission.Ask
			}
			if v := g.BeforeTool(call); v.Ruling != want {
				t.Errorf("no rule, %s in %s: %+v", c.tool, mode, v)
			}
		}
	}
}

// A rule that denies asks where it may be about the call, also in the mode that asks nothing.
func TestWhatARuleMayBeAbout(t *testing.T) {
	g := someGuard(t)
	g.Rules.Rules = rule(t, permission.Deny, "command rm *")
	for _, mode := range []session.Mode{session.ModeDefault, session.ModeBypass} {
		if v := g.BeforeTool(callOf(t, "Bash", map[string]string{"command": "$X y"}, mode)); v.Ruling != permission.Ask || !strings.Contains(v.Reason, "command rm *") {
			t.Errorf("%s: %+v", mode, v)
		}
	}
}

// A rule covers a command only where it is known to begin, and in a known shell.
func TestRuledCommands(t *testing.T) {
	g := someGuard(t)
	for _, dir := range []string{g.Dirs[0], filepath.Join(g.Dirs[0], "sub"), filepath.Dir(g.Environ[0][len("PATH="):]), g.Environ[0][len("PATH="):]} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(g.Environ[0][len("PATH="):], "lint"), nil, 0o700); err != nil {
		t.Fatal(err)
	}
	g.Rules.Rules = rule(t, permission.Allow, "command lint *")
	const suggestion = `{"type":"setMode","mode":"acceptEdits","destination":"session"}`
	for _, c := range []struct {
		command, dir, shell, reason string
		mode                        session.Mode
		ruled                       bool
	}{
		{"lint sub/x", g.Dirs[0], "bash", "", session.ModeDefault, true},
		{"lint sub/x", g.Dirs[0], "zsh", "", session.ModeAcceptEdits, true},
		{"lint sub/x && lint", g.Dirs[0], "bash", "", session.ModeDefault, true},
		{"lint sub/x", g.Dirs[0], "", "", session.ModeDefault, false},
		{"lint sub/x", g.Dirs[0], "bash", `,"decision_reason_type":"safetyCheck"`, session.ModeDefault, false},
		{"lint sub/x", g.Dirs[0], "bash", `,"decision_reason_type":"rule"`, session.ModeDefault, false},
		{"lint sub/x", g.Dirs[0], "bash", `,"decision_reason_type":"hook"`, session.ModeDefault, false},
		{"lint sub/x", g.Dirs[0], "bash", "", session.ModePlan, false},
		{"lint sub/x; other", g.Dirs[0], "bash", "", session.ModeDefault, false},
	} {
		g.Shell = c.shell
		q := request(t, `"tool_name":"Bash","input":{"command":"`+c.command+`","description":"Check"}`+c.reason, suggestion)
		q.Dir, q.Mode = c.dir, c.mode
		j := g.Judge(q)
		if j.Ruled != c.ruled || j.Purpose != "Check" {
			t.Errorf("%+v: %+v", c, j)
		}
		if c.shell != "" && len(j.Parts) == 0 {
			t.Errorf("%+v: no parts", c)
		}
	}
}

func TestMoves(t *testing.T) {
	g := someGuard(t)
	for command, want := range map[string]bool{"ls": false, "cat x | head": false, "cd sub": true, "make": true, "ls; cd ..": true, "pushd x": true, "z x": true} {
		c := callOf(t, "Bash", map[string]string{"command": command}, session.ModeDefault)
		c.Dir = g.Dirs[0]
		bin := g.Environ[0][len("PATH="):]
		for _, name := range []string{"ls", "cat", "head"} {
			_ = os.MkdirAll(bin, 0o700)
			_ = os.WriteFile(filepath.Join(bin, name), nil, 0o700)
		}
		if got := g.Moves(c); got != want {
			t.Errorf("%q: %v", command, got)
		}
	}
	if g.Moves(callOf(t, "Read", map[string]string{"file_path": "/x"}, "")) || !g.Moves(callOf(t, "EnterWorktree", map[string]string{"name": "x"}, "")) {
		t.Error("tools move otherwise")
	}
}
