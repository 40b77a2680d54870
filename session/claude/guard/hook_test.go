package guard

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"parley/session"
	"parley/session/permission"
	"parley/session/process/scope"
)

// someGuard is one of a working directory.
func someGuard(t *testing.T) Guard {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	home := filepath.Join(dir, "home")
	return Guard{Scope: scope.Scope{Dirs: []string{filepath.Join(dir, "work")}, Home: home, Environ: []string{"PATH=" + filepath.Join(dir, "bin")}}, Shell: "bash",
		Kept: filepath.Join(home, ".claude")}
}

// before returns the answer to the hook before a tool call: "" for none, else why the user is asked.
func before(t *testing.T, g Guard, mode session.Mode, tool string, input map[string]string) string {
	t.Helper()
	v := g.BeforeTool(callOf(t, tool, input, mode))
	if (v.Ruling == "") != (v.Reason == "") {
		t.Fatalf("%+v", v)
	}
	if v.Ruling == permission.Deny {
		return "denied: " + v.Reason
	}
	return v.Reason
}

// callOf is a call as the hook describes it.
func callOf(t *testing.T, tool string, input any, mode session.Mode) Call {
	t.Helper()
	raw, err := json.Marshal(map[string]any{"subtype": "hook_callback", "callback_id": "before-tool", "input": map[string]any{
		"hook_event_name": "PreToolUse", "tool_use_id": "t1", "tool_name": tool, "tool_input": input, "permission_mode": mode, "cwd": "/project"}})
	if err != nil {
		t.Fatal(err)
	}
	event, c, ok := ReadHook(raw)
	if event != "PreToolUse" || !ok || c.ID != "t1" || c.Tool != tool || c.Mode != mode || c.Dir != "/project" {
		t.Fatalf("%s %+v %v", event, c, ok)
	}
	return c
}

func TestTheReplyToTheHook(t *testing.T) {
	for want, v := range map[string]Verdict{
		`{}`: {},
		`{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"no"}}`: {Ruling: permission.Deny, Reason: "no"},
		`{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask","permissionDecisionReason":"so"}}`:  {Ruling: permission.Ask, Reason: "so"},
		`{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow"}}`:                                {Ruling: permission.Allow},
		`{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow","updatedInput":{"command":"x"}}}`: {Ruling: permission.Allow,
			input: `{"command":"x"}`},
	} {
		if got, err := json.Marshal(v.Reply()); err != nil || string(got) != want {
			t.Errorf("%s, %v", got, err)
		}
	}
}

func TestGuardedEditsAreAskedInEveryMode(t *testing.T) {
	g := someGuard(t)
	in := func(name string) map[string]string {
		return map[string]string{"file_path": filepath.Join(g.Dirs[0], name)}
	}
	for _, tool := range []string{"Edit", "Write", "MultiEdit"} {
		for _, name := range []string{".envrc", "HEAD", ".claude/settings.local.json", ".GitHub/workflows/x.yml", "sub/.mcp.json"} {
			for mode, want := range map[session.Mode]bool{session.ModeDefault: true, session.ModeAcceptEdits: true, "auto": true, "dontAsk": true, "": true,
				session.ModeBypass: false} {
				if got := before(t, g, mode, tool, in(name)); strings.HasPrefix(got, "Always asked: ") != want {
					t.Errorf("%s of %s in %q: %q", tool, name, mode, got)
				}
			}
			if got := before(t, g, session.ModePlan, tool, in(name)); got != "denied: "+permission.PlanModeReason {
				t.Errorf("%s of %s in plan mode: %q", tool, name, got)
			}
		}
		if got := before(t, g, session.ModeAcceptEdits, tool, in("a.go")); got != "" {
			t.Errorf("%s: %q", tool, got)
		}
	}
	if got := before(t, g, session.ModeDefault, "NotebookEdit", map[string]string{"notebook_path": filepath.Join(g.Dirs[0], ".vscode/x.ipynb")}); got == "" {
		t.Error("a notebook is free")
	}
	// What the runtime keeps for itself is its own.
	for name, want := range map[string]bool{"plans/one.md": false, "projects/x/memory/MEMORY.md": false, "settings.json": true, "plans/../settings.json": true,
		"projects/x.json": true, "skills/x.md": true} {
		path := filepath.Join(g.Kept, filepath.FromSlash(name))
		if got := before(t, g, session.ModeDefault, "Write", map[string]string{"file_path": path}); (got != "") != want {
			t.Errorf("%s: %q", name, got)
		}
	}
	if got := before(t, g, session.ModePlan, "Write", map[string]string{"file_path": filepath.Join(g.Kept, "plans", "one.md")}); got != "" {
		t.Errorf("the plan cannot be written: %q", got)
	}
	for _, raw := range []string{"7", `{"input":7}`, `{"input":{"tool_name":7}}`} {
		if _, _, ok := ReadHook([]byte(raw)); ok {
			t.Errorf("%s is understood", raw)
		}
	}
	for _, mode := range []session.Mode{session.ModeDefault, session.ModePlan} {
		if v := g.BeforeTool(callOf(t, "Edit", 7, mode)); v != NotUnderstood {
			t.Errorf("%+v", v)
		}
	}
}

// While the rules cannot be read, everything is asked in every mode but what concerns the agent alone.
func TestLockedRules(t *testing.T) {
	g := someGuard(t)
	g.Rules.Locked = "The rules in x cannot be read."
	for tool, want := range map[string]bool{"Read": true, "Glob": true, "Bash": true, "Edit": true, "WebFetch": true, "mcp__a__b": true, "Agent": true,
		"NotebookEdit": true, "TodoWrite": false, "AskUserQuestion": false, "ExitPlanMode": false} {
		for mode, asks := range map[session.Mode]bool{session.ModeDefault: want, session.ModeAcceptEdits: want, session.ModeBypass: want} {
			got := before(t, g, mode, tool, map[string]string{"command": "ls", "file_path": filepath.Join(g.Dirs[0], "a.go")})
			if (got == g.Rules.Locked) != asks || !asks && got != "" {
				t.Errorf("%s in %s: %q", tool, mode, got)
			}
		}
	}
}
