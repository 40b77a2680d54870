package switches

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parley/session"
	"parley/session/extensions/inventory"
)

func TestEdits(t *testing.T) {
	for name, c := range map[string]struct {
		at        place
		off       bool
		from, out string
	}{
		"comments, order and numbers stay": {place{keys: []string{"enabledPlugins"}, name: "a@m", form: flag}, true,
			"// managed\n{\n  \"n\": 1.50, /* x */\n  \"enabledPlugins\": {\n    // mine\n    \"b@m\": true // why\n  },\n  \"url\": \"http://x/*\"\n}\n",
			"// managed\n{\n  \"n\": 1.50, /* x */\n  \"enabledPlugins\": {\n    // mine\n    \"b@m\": true,\n    \"a@m\": false // why\n  },\n  \"url\": \"http://x/*\"\n}\n"},
		"changed in place": {place{keys: []string{"enabledPlugins"}, name: "a@m", form: flag}, false, `{"enabledPlugins": {"a@m":false, "b":1}}`, `{"enabledPlugins": {"a@m":true, "b":1}}`},
		"a new file":       {place{keys: []string{"skillOverrides"}, name: "lint", form: word}, true, "{}\n", "{\n  \"skillOverrides\": {\"lint\": \"off\"}\n}\n"},
		"on again":         {place{keys: []string{"skillOverrides"}, name: "lint", form: word}, false, "{\n  \"skillOverrides\": {\"lint\": \"off\"},\n  \"x\": 1\n}\n", "{\n  \"skillOverrides\": {},\n  \"x\": 1\n}\n"},
		"a list is made": {place{keys: []string{"projects", "/w", "disabledMcpServers"}, name: `a"b`, form: listed}, true, "{\n\t\"projects\": {\n\t\t\"/v\": {}\n\t}\n}\n",
			"{\n\t\"projects\": {\n\t\t\"/v\": {},\n\t\t\"/w\": {\"disabledMcpServers\": [\"a\\\"b\"]}\n\t}\n}\n"},
		"listed once":         {place{keys: []string{"off"}, name: "a", form: listed}, true, `{"off":["b","a"]}`, `{"off":["b","a"]}`},
		"listed too":          {place{keys: []string{"off"}, name: "c", form: listed}, true, `{"off":["b","a"]}`, `{"off":["b","a", "c"]}`},
		"taken out":           {place{keys: []string{"off"}, name: "a", form: listed}, false, `{"off":["b","a",3]}`, `{"off":["b",3]}`},
		"not listed":          {place{keys: []string{"off"}, name: "a", form: listed}, false, `{"x":1}`, `{"x":1}`},
		"the server's entry":  {place{keys: []string{"mcpServers", "a"}, name: "disabled", form: member}, true, `{"mcpServers":{"a":{"command":"x"}}}`, `{"mcpServers":{"a":{"command":"x", "disabled": true}}}`},
		"and on":              {place{keys: []string{"mcpServers", "a"}, name: "disabled", form: member}, false, `{"mcpServers":{"a":{"command":"x", "disabled": true}}}`, `{"mcpServers":{"a":{"command":"x"}}}`},
		"no object":           {place{keys: []string{"enabledPlugins"}, name: "a", form: flag}, true, `{"enabledPlugins":[]}`, "!"},
		"no list":             {place{keys: []string{"off"}, name: "a", form: listed}, true, `{"off":{"a":1}}`, "!"},
		"no JSON":             {place{keys: []string{"off"}, name: "a", form: listed}, true, `{`, "!"},
		"an open comment":     {place{keys: []string{"off"}, name: "a", form: listed}, true, `{} /*`, "!"},
		"nothing in it":       {place{keys: []string{"off"}, name: "a", form: listed}, true, "", "!"},
		"deeper than a stack": {place{keys: []string{"off"}, name: "a", form: listed}, true, strings.Repeat("[", 1<<20), "!"},
	} {
		out, err := c.at.set([]byte(c.from), !c.off)
		if got := string(out); err != nil && c.out != "!" || err == nil && got != c.out {
			t.Errorf("%s: %v\n%s", name, err, got)
		}
	}
}

// Each owner has its switch, where it looks for it, and what has none says what to do.
func TestPlaces(t *testing.T) {
	home, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	at := func(name string) string { return filepath.Join(home, filepath.FromSlash(name)) }
	p := Places{Claude: at(".claude"), Copilot: at(".copilot"), Config: at("config"), ClaudeFile: at(".claude.json")}
	dir := at("repo")
	user, project := inventory.User, inventory.Project
	for _, c := range []struct {
		item  inventory.Item
		scope inventory.Scope
		want  string // the file and what it has, or why not
	}{
		{inventory.Item{Kind: inventory.Plugin, Name: "p", Scope: user, Switch: at(".claude/settings.json"), Key: "p@m"}, user, `.claude/settings.json {"enabledPlugins": {"p@m": false}}`},
		{inventory.Item{Kind: inventory.Plugin, Name: "p", Scope: user, Switch: at(".claude/settings.json"), Key: "p@m"}, project, perUser},
		{inventory.Item{Kind: inventory.Plugin, Name: "q", Scope: project, Switch: at("repo/.claude/settings.json"), Key: "q@m"}, user, perPlace},
		{inventory.Item{Kind: inventory.Plugin, Name: "q", Scope: project, Switch: at("repo/.claude/settings.json"), Key: "q@m"}, project, `repo/.claude/settings.json {"enabledPlugins": {"q@m": false}}`},
		{inventory.Item{Kind: inventory.Server, Name: "s", From: at("repo/.mcp.json"), Scope: project}, project, `.claude.json {"projects": {"` + dir + `": {"disabledMcpServers": ["s"]}}}`},
		{inventory.Item{Kind: inventory.Server, Name: "s", From: at("repo/.mcp.json"), Scope: project}, user, perPlace},
		{inventory.Item{Kind: inventory.Server, Name: "c", From: at(".copilot/mcp-config.json")}, user, `.copilot/settings.json {"disabledMcpServers": ["c"]}`},
		{inventory.Item{Kind: inventory.Server, Name: "o", From: at("config/mcp.json")}, user, `config/mcp.json {"mcpServers": {"o": {"disabled": true}}}`},
		{inventory.Item{Kind: inventory.Skill, Name: "k", From: at(".claude/skills/k/SKILL.md"), Scope: user}, user, `.claude/settings.json {"enabledPlugins": {"p@m": false},"skillOverrides": {"k": "off"}}`},
		{inventory.Item{Kind: inventory.Skill, Name: "k", From: at(".claude/skills/k/SKILL.md"), Scope: user}, project, `repo/.claude/settings.local.json {"skillOverrides": {"k": "off"}}`},
		{inventory.Item{Kind: inventory.Skill, Name: "l", From: at(".copilot/skills/l/SKILL.md"), Scope: user}, user, `.copilot/settings.json {"disabledMcpServers": ["c"],"disabledSkills": ["l"]}`},
		{inventory.Item{Kind: inventory.Skill, Name: "m", From: at(".agents/skills/m/SKILL.md"), Scope: user}, user, byEdit},
		{inventory.Item{Kind: inventory.Hook, Name: "Stop", From: at(".claude/settings.json"), Scope: user}, user, byEdit},
		{inventory.Item{Kind: inventory.Skill, Name: "x", From: "/etc/x", Scope: inventory.Managed}, user, managed},
	} {
		file, err := p.Set(t.Context(), dir, c.item, c.scope, false)
		got := ""
		if err == nil {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			rel, _ := filepath.Rel(home, file)
			got = filepath.ToSlash(rel) + " " + strings.NewReplacer("\n  ", "", "\n", "").Replace(string(data))
		} else if session.KindOf(err) == session.KindUnsupported {
			_, got, _ = strings.Cut(err.Error(), c.item.Name+": ")
		}
		if got != c.want {
			t.Errorf("%s for %s: %q, %v", c.item.ID(), c.scope, got, err)
		}
	}
}

// A repository's link leads no switch out of it.
func TestLinksOfARepository(t *testing.T) {
	home := t.TempDir()
	secret := filepath.Join(home, "secret.json")
	if err := os.WriteFile(secret, []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	p := Places{Claude: filepath.Join(home, ".claude")}
	item := inventory.Item{Kind: inventory.Skill, Name: "k", From: filepath.Join(home, ".claude", "skills", "k", "SKILL.md")}
	for name, link := range map[string][2]string{"file": {"a/.claude/settings.local.json", secret}, "folder": {"b/.claude", home}, "nowhere": {"c/.claude", "/nowhere/at/all"}} {
		dir := filepath.Join(home, link[0][:1])
		at := filepath.Join(home, link[0])
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(link[1], at); err != nil {
			t.Fatal(err)
		}
		if _, err := p.Set(t.Context(), dir, item, inventory.Project, false); session.KindOf(err) != session.KindInvalid {
			t.Errorf("%s: %v", name, err)
		}
	}
	if data, _ := os.ReadFile(secret); string(data) != "{}" {
		t.Errorf("changed: %s", data)
	}
	if _, err := os.Stat(filepath.Join(home, "settings.local.json")); err == nil {
		t.Error("written out of the repository")
	}
}
