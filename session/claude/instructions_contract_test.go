//go:build contract

package claude

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parley/session/builtin/instruct"
	"parley/session/extensions/skill"
	"parley/session/runtimes/runtimestest"
)

// TestContractInstructionsAndSkills reads in the requests of each version that AGENTS.md is there once, also after a summary, and
// that skills of other agents' folders are offered under their names; in a directory that is not trusted, only the user's are.
func TestContractInstructionsAndSkills(t *testing.T) {
	dir := runtimestest.Installed(t)
	for _, rt := range driven() {
		for _, trusted := range []bool{true, false} {
			t.Run(rt.version+map[bool]string{true: "/trusted", false: "/untrusted"}[trusted], func(t *testing.T) {
				t.Parallel()
				argv := runtimestest.Claude(t, dir, rt.version)
				w := newWhole(t, argv, func(o *Options) {
					temp := t.TempDir()
					o.TempDir, o.Trusted = temp, func(string) bool { return trusted }
					o.Runtime = func(context.Context) (Program, error) { return Program{Argv: argv, Version: rt.version}, nil }
					o.Skills = skill.New(skill.Options{Home: o.Home, ClaudeDir: filepath.Join(o.Home, ".claude"), Trusted: o.Trusted})
					o.Instructions = func(ctx context.Context, dir string) string { return instruct.Unread(ctx, o.Home, dir) }
				})
				for name, text := range map[string]string{"project/.git/HEAD": "ref: refs/heads/main\n", "project/AGENTS.md": "MARK-agents\n",
					"project/.github/skills/fromgithub/SKILL.md": "---\ndescription: MARK-github\n---\nBODY-github $0\n",
					"project/.claude/skills/fromclaude/SKILL.md": "---\ndescription: MARK-claude\n---\nBODY-claude\n",
					".agents/skills/fromagents/SKILL.md":         "---\ndescription: MARK-home\n---\nBODY-home\n"} {
					path := filepath.Join(w.home, name)
					if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
						t.Fatal(err)
					}
					if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
						t.Fatal(err)
					}
				}
				name := map[bool]string{true: "", false: "parley:"}[trusted]
				w.completes("hello first", "hello first")
				newest := func() string {
					all := w.sim.Requests()
					for i := len(all) - 1; i >= 0; i-- {
						if all[i].Messages != nil && len(all[i].Messages.Tools) > 0 {
							return string(all[i].Body)
						}
					}
					return ""
				}
				check := func(when string) {
					t.Helper()
					body := newest()
					for _, c := range []struct {
						text string
						want int
					}{{"MARK-agents", 1}, {"fromgithub: MARK-github", 1}, {"fromclaude: MARK-claude", 1}} {
						if !trusted {
							c.want = 0
						}
						if got := strings.Count(body, c.text); got != c.want {
							t.Errorf("%s: %q is there %d times", when, c.text, got)
						}
					}
					if got := strings.Count(body, name+"fromagents: MARK-home"); got != 1 {
						t.Errorf("%s: the user's skill is there %d times", when, got)
					}
				}
				check("at the start")
				w.completes("/"+name+"fromagents now", "BODY-home")
				w.ends(w.send("/compact"))
				w.ends(w.send("hello again"))
				if body := newest(); strings.Count(body, "MARK-agents") != map[bool]int{true: 1, false: 0}[trusted] {
					t.Errorf("after a summary AGENTS.md is there %d times", strings.Count(body, "MARK-agents"))
				}
			})
		}
	}
}
