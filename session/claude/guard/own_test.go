package guard

import (
	"os"
	"path/filepath"
	"testing"

	"parley/session"
	"parley/session/permission"
)

// What the runtime's own settings allow is asked unless a rule or the mode of parley allows it too.
func TestAllowedByItsSettings(t *testing.T) {
	for text, want := range map[string]permission.Ruling{
		`{"permissions":{"allow":["Edit"]}}`: permission.Ask, `{"permissions":{"allow":["mcp__x"]}}`: permission.Ask, `{`: permission.Ask,
		`{"permissions":{"allow":["Bash(ls:*)","Read(//etc/**)"],"deny":["Edit(x)"]}}`: "", `{}`: "",
	} {
		g := someGuard(t)
		path := filepath.Join(filepath.Dir(g.Dirs[0]), "settings.json")
		g.Settings = []string{filepath.Join(g.Dirs[0], "missing.json"), path}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		write := map[string]any{"file_path": filepath.Join(g.Dirs[0], "a.txt"), "content": "x"}
		for _, tc := range []struct {
			tool  string
			input map[string]any
			mode  session.Mode
			rules []string
			want  permission.Ruling
		}{
			{"Write", write, session.ModeDefault, nil, want},
			{"Write", write, session.ModeAcceptEdits, nil, ""},
			{"Write", write, session.ModeBypass, nil, ""},
			{"Write", write, session.ModeDefault, []string{"edit a.txt"}, ""},
			{"WebFetch", map[string]any{"url": "https://go.dev/x", "prompt": "p"}, session.ModeDefault, nil, want},
			{"WebFetch", map[string]any{"url": "https://go.dev/x", "prompt": "p"}, session.ModeAcceptEdits, []string{"fetch go.dev"}, ""},
			{"mcp__x__y", map[string]any{}, session.ModeDefault, nil, want},
			{"TodoWrite", map[string]any{"todos": []any{}}, session.ModeDefault, nil, ""},
		} {
			g.Rules.Rules = nil
			for _, r := range tc.rules {
				g.Rules.Rules = rule(t, permission.Allow, r)
			}
			call := callOf(t, tc.tool, tc.input, tc.mode)
			call.Dir = g.Dirs[0]
			if v := g.BeforeTool(call); v.Ruling != tc.want {
				t.Errorf("%s: %s in %s: %+v", text, tc.tool, tc.mode, v)
			}
		}
	}
}

// rule reads a rule of a project.
func rule(t *testing.T, ruling permission.Ruling, text string) []permission.Rule {
	t.Helper()
	r, err := permission.ParseRule(text)
	if err != nil {
		t.Fatal(text, err)
	}
	r.Ruling, r.Origin = ruling, permission.FromProject
	return []permission.Rule{r}
}
