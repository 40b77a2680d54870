package claude

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parley/session/claude/driver"
	"parley/session/extensions/skill"
)

func TestAgentsFiles(t *testing.T) {
	home := t.TempDir()
	a := New(Options{Runtime: func(context.Context) (Program, error) { return Program{}, nil }, Home: home,
		Instructions: func(_ context.Context, dir string) string { return "AGENTS of " + dir }})
	for _, c := range []struct {
		version, settings string
		trusted           bool
		handed            bool
		option            string
	}{
		{"2.1.112", "", true, true, ""}, {"2.1.276", "", true, true, ""}, {"2.1.276", "", false, false, ""},
		{"2.1.277", "", true, false, "claude-md-or-agents-md"}, {"3.0.0", "", true, false, "claude-md-or-agents-md"}, {"", "", true, false, "claude-md-or-agents-md"},
		{"2.1.330", `{"pluginConfigs":{"agents-md@builtin":{"options":{"instructionFiles":"claude-md"}}}}`, true, false, ""},
		{"2.1.330", `{"pluginConfigs":`, true, false, "claude-md-or-agents-md"},
	} {
		path := filepath.Join(home, ".claude", "settings.json")
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(c.settings), 0o644); err != nil {
			t.Fatal(err)
		}
		l := driver.Launch{Version: c.version, Trusted: c.trusted, Dir: "/w"}
		a.instruct(t.Context(), &l)
		args := strings.Join(driver.Args(l), " ")
		if (l.AppendSystem == "AGENTS of /w") != c.handed || l.InstructionFiles != c.option || strings.Contains(args, `"agents-md@builtin":{"options":{"instructionFiles":"`) != (c.option != "") {
			t.Errorf("%+v: %+v %s", c, l, args)
		}
	}
}

// The runtime gets the skills that it does not read itself, and only those, in a directory that equal sessions share.
func TestSkillsAreHandedOver(t *testing.T) {
	home, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(home, "w")
	for _, name := range []string{"w/.git/x", "w/.claude/skills/a/SKILL.md", "w/.github/skills/b/SKILL.md", ".claude/skills/c/SKILL.md", ".agents/skills/d/SKILL.md", "config/commands/e.md"} {
		path := filepath.Join(home, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("---\ndescription: d\n---\ntext of "+name), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for trusted, want := range map[bool]string{true: "skills/b skills/d commands/e.md", false: "skills/d commands/e.md"} {
		temp := t.TempDir()
		a := New(Options{Runtime: func(context.Context) (Program, error) { return Program{}, nil }, Home: home, TempDir: temp, Skills: skill.New(skill.Options{
			Home: home, ClaudeDir: filepath.Join(home, ".claude"), ConfigDir: filepath.Join(home, "config"), Trusted: func(string) bool { return trusted }})})
		var l, again driver.Launch
		l.Dir, l.Trusted, again.Dir, again.Trusted = dir, trusted, dir, trusted
		a.skills(t.Context(), &l, nil)
		a.skills(t.Context(), &again, nil)
		handed := append(l.AddDirs, l.PluginDirs...)
		if len(handed) != 1 || len(append(again.AddDirs, again.PluginDirs...)) != 1 || (len(l.AddDirs) == 1) != trusted {
			t.Fatalf("%+v, %+v", l, again)
		}
		var got []string
		for _, name := range strings.Fields("skills/a skills/b skills/c skills/d commands/e.md") {
			in := filepath.Join(handed[0], map[bool]string{true: ".claude", false: ""}[trusted], name)
			if strings.HasPrefix(name, "skills") {
				in = filepath.Join(in, "SKILL.md")
			}
			if _, err := os.ReadFile(in); err == nil {
				got = append(got, name)
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("trusted %v: %q", trusted, got)
		}
		if all, err := os.ReadDir(temp); err != nil || len(all) != 1 {
			t.Errorf("left: %v, %v", all, err)
		}
	}
}
