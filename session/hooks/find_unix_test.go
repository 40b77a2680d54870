//go:build unix

package hooks

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// tree is a home directory with a repository in it.
type tree struct {
	t          *testing.T
	home, repo string
	Places
}

func newTree(t *testing.T) *tree {
	t.Helper()
	home, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	x := &tree{t: t, home: home, repo: filepath.Join(home, "repo"), Places: Places{Home: home, Claude: filepath.Join(home, ".claude"),
		Copilot: filepath.Join(home, ".copilot"), Managed: []string{filepath.Join(home, "etc/managed.json"), filepath.Join(home, "etc/managed.d")}}}
	x.write("repo/.git/HEAD", "x")
	return x
}

func (x *tree) write(name, content string) {
	x.t.Helper()
	path := filepath.Join(x.home, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		x.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		x.t.Fatal(err)
	}
}

// lines describes what is found in a directory: event, matcher, what runs, file, and why it is off.
func (x *tree) lines(dir string, trusted bool) (lines []string, set Set) {
	set = x.Find(x.t.Context(), dir, func() bool { return trusted })
	for _, h := range set.Hooks {
		rel, _ := filepath.Rel(x.home, h.From)
		line := strings.TrimSpace(fmt.Sprintf("%s %s %s %s", h.Scope, h.Event, h.Matcher, h.runs())) + " | " + filepath.ToSlash(rel)
		if h.Why != "" {
			line += " | " + strings.ReplaceAll(h.Why, x.home+string(filepath.Separator), "")
		}
		lines = append(lines, line)
	}
	return lines, set
}

func (x *tree) want(dir string, trusted bool, want ...string) {
	x.t.Helper()
	if got, _ := x.lines(dir, trusted); !slices.Equal(got, want) {
		x.t.Errorf("found\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func one(event, matcher, command string) string {
	return fmt.Sprintf(`{"hooks":{%q:[{"matcher":%q,"hooks":[{"type":"command","command":%q}]}]}}`, event, matcher, command)
}

func TestFindsHooksOfAllScopes(t *testing.T) {
	x := newTree(t)
	x.write("etc/managed.json", one("PreToolUse", "", "managed"))
	x.write("etc/managed.d/b.json", one("Stop", "", "managed b"))
	x.write(".claude/settings.json", one("PreToolUse", "Bash", "mine"))
	x.write(".copilot/hooks/a.json", `{"version":1,"hooks":{"agentStop":[{"type":"command","bash":"mine too","timeoutSec":5}]}}`)
	x.write("repo/.claude/settings.json", one("PreToolUse", "Bash", "theirs"))
	x.write("repo/.github/hooks/x.json", `{"version":1,"hooks":{"preToolUse":[{"type":"command","bash":"./x.sh","matcher":"bash|edit"}],"PostToolUse":[{"type":"command","command":"./y.sh"}]}}`)
	x.write("repo/sub/.claude/settings.local.json", one("SessionStart", "startup", "local"))
	mine := []string{"managed PreToolUse  managed | etc/managed.json", "managed Stop  managed b | etc/managed.d/b.json",
		"user PreToolUse Bash mine | .claude/settings.json", "user Stop  mine too | .copilot/hooks/a.json"}
	theirs := []string{"project SessionStart startup local | repo/sub/.claude/settings.local.json", "project PreToolUse Bash theirs | repo/.claude/settings.json",
		"project PostToolUse  ./y.sh | repo/.github/hooks/x.json", "project PreToolUse bash|edit ./x.sh | repo/.github/hooks/x.json"}
	x.want(filepath.Join(x.repo, "sub"), true, append(slices.Clone(mine), theirs...)...)
	off := slices.Clone(mine)
	for _, line := range theirs {
		off = append(off, line+" | "+disagreed)
	}
	x.want(filepath.Join(x.repo, "sub"), false, off...)
	if _, set := x.lines(x.repo, false); set.Hooks[0].Dir != x.home || set.Hooks[2].Dir != x.home {
		t.Errorf("in a directory that is not trusted hooks run in %q", set.Hooks[2].Dir)
	}
	x.want(x.home, true, mine...) // the home directory has no project, and its files count once
	_, set := x.lines(x.repo, true)
	for _, h := range set.Hooks {
		if h.runs() == "./x.sh" && (!h.Copilot || h.Root != x.repo) || h.runs() == "./y.sh" && h.Copilot || h.runs() == "mine too" && h.limit().Seconds() != 5 {
			t.Errorf("%+v", h)
		}
	}
}

func TestWhoMaySwitchHooksOff(t *testing.T) {
	x := newTree(t)
	x.write("etc/managed.json", one("Stop", "", "m"))
	x.write(".claude/settings.json", one("Stop", "", "u"))
	x.write("repo/.claude/settings.json", one("Stop", "", "p"))
	x.write("repo/.claude/settings.local.json", `{"disableAllHooks":true}`)
	x.want(x.repo, true, "managed Stop  m | etc/managed.json", "user Stop  u | .claude/settings.json",
		"project Stop  p | repo/.claude/settings.json | hooks are switched off in repo/.claude/settings.local.json")
	x.write(".claude/settings.json", strings.Replace(one("Stop", "", "u"), "{", `{"disableAllHooks":true,`, 1))
	x.want(x.repo, false, "managed Stop  m | etc/managed.json", "user Stop  u | .claude/settings.json | hooks are switched off in .claude/settings.json",
		"project Stop  p | repo/.claude/settings.json | "+disagreed)
	x.write(".claude/settings.json", one("Stop", "", "u"))
	x.write("etc/managed.json", strings.Replace(one("Stop", "", "m"), "{", `{"allowManagedHooksOnly":true,`, 1))
	x.want(x.repo, true, "managed Stop  m | etc/managed.json", "user Stop  u | .claude/settings.json | only managed hooks run, by etc/managed.json",
		"project Stop  p | repo/.claude/settings.json | only managed hooks run, by etc/managed.json")
}

// A hostile or broken file is named, and hides nothing of the others.
func TestHostileFiles(t *testing.T) {
	x := newTree(t)
	x.write("outside.json", one("Stop", "", "outside"))
	x.write("repo/.claude/settings.json", `{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"shown"}]}]},
		"HOOKS":{"Stop":[{"hooks":[{"type":"command","command":"hidden"}]}]},"Hooks":{"Stop":[{"hooks":[{"type":"command","command":"hidden"}]}]}}`)
	x.write("repo/.claude/settings.local.json", `{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"shown","Command":"hidden","COMMAND":"hidden"}]}]}}`)
	x.write("repo/.github/hooks/a.json", `{"hooks":`)
	x.write("repo/.github/hooks/b.json", strings.Repeat(" ", 2<<20))
	x.write("repo/.github/hooks/c.json", `{"hooks":{"Stop":{"a":1},"PreToolUse":[1,{"matcher":"[","hooks":[{"type":"command","command":"x"}]},{"hooks":3},
		{"hooks":[1,{"type":"agent","prompt":"x"},{"type":"command"},{"type":"http","url":"file:///etc/passwd"},{"type":"command","command":"x","timeout":"soon"},
		{"type":"command","command":"x","args":[1]}]}],"Nonsense":[{"hooks":[{"type":"command","command":"x"}]}],"WorktreeCreate":[{"hooks":[{"type":"command","command":"x"}]}]}}`)
	x.write("repo/.github/hooks/d.json", `{"hooks":{"Stop":[{"hooks":[`+strings.Repeat(`{"type":"command","command":"x"},`, 300)+`{"type":"command","command":"x"}]}]}}`)
	if err := os.Symlink(filepath.Join(x.home, "outside.json"), filepath.Join(x.repo, ".github/hooks/e.json")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("/dev/zero", filepath.Join(x.repo, ".github/hooks/f.json")); err != nil {
		t.Fatal(err)
	}
	lines, set := x.lines(x.repo, true)
	many := 0
	lines = slices.DeleteFunc(lines, func(line string) bool {
		is := line == "project Stop  x | repo/.github/hooks/d.json"
		if is {
			many++
		}
		return is
	})
	at := " | repo/.github/hooks/c.json | "
	want := []string{"project Stop  shown | repo/.claude/settings.json", "project Stop  shown | repo/.claude/settings.local.json",
		"project Nonsense  x" + at + "parley knows no such event",
		"project PreToolUse [ x" + at + "its matcher [ is not a regular expression",
		"project PreToolUse" + at + "parley runs no hooks of the type agent", "project PreToolUse" + at + "it has no command for this system",
		"project PreToolUse  file:///etc/passwd" + at + "its url is not one of http or https",
		"project PreToolUse  x" + at + "its timeout is not a number of seconds", "project PreToolUse  x" + at + "args, env, headers or allowedEnvVars are not texts",
		"project WorktreeCreate  x" + at + "parley's own agent has no such event"}
	if !slices.Equal(lines, want) || many != maxHooks {
		t.Errorf("%d of many, and\n%s\nwant\n%s", many, strings.Join(lines, "\n"), strings.Join(want, "\n"))
	}
	faults := strings.Join(set.Faults, "\n")
	for _, name := range []string{"a.json: it cannot be read as JSON", "b.json: is too large", "c.json: Stop is not a list", "c.json: PreToolUse has an entry that is not an object",
		"c.json: the hooks of PreToolUse are not a list", "c.json: PreToolUse has a hook that is not an object", "e.json: ", "f.json: "} {
		if !strings.Contains(faults, name) {
			t.Errorf("no fault %q in\n%s", name, faults)
		}
	}
	if strings.Contains(strings.Join(lines, ""), "outside") || strings.Contains(fmt.Sprintf("%+v", set.Hooks), "hidden") {
		t.Error("what was not shown would run")
	}
}

func TestTheSameHookRunsOnce(t *testing.T) {
	x := newTree(t)
	x.write(".claude/settings.json", one("PreToolUse", "Bash", "same"))
	x.write("repo/.claude/settings.json", one("PreToolUse", "*", "same"))
	x.write("repo/.claude/settings.local.json", one("PreToolUse", "", "other"))
	_, set := x.lines(x.repo, true)
	if got := set.selected(call); len(got) != 2 || got[0].Scope != User || got[1].Command != "other" {
		t.Errorf("%+v", got)
	}
	_, set = x.lines(x.repo, false)
	if got := set.selected(call); len(got) != 1 || got[0].Scope != User {
		t.Errorf("%+v", got)
	}
}
