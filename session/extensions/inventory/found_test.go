package inventory

import (
	"fmt"
	"strings"
	"testing"

	"parley/session"
)

// An agent that reads some files has the items of those, of plugins and of administrators, and what it reported itself.
func TestItemsOfAnAgent(t *testing.T) {
	f := Found{
		Servers: []session.Server{{Name: "mine", From: "/home/u/.one.json"}, {Name: "theirs", From: "/home/u/.two/mcp.json"},
			{Name: "project", From: "/repo/.mcp.json", Project: true}, {Name: "brought", From: "/home/u/plug/.mcp.json"},
			{Name: "mine", From: "/home/u/.two/mcp.json", State: session.ServerOff, Why: "replaced by the one in /home/u/.one.json", Over: "/home/u/.one.json"}},
		Hooks: session.HookReport{Hooks: []session.Hook{{Event: "Stop", Scope: "managed", From: "/etc/x.json"}, {Event: "Stop", Scope: "user", From: "/home/u/.two/hooks.json"}}},
		Customs: session.Customs{Problems: []session.CustomProblem{{Path: "/home/u/.two/agents/a.md", Unused: true, Origin: session.CustomUser,
			What: "the name a is taken by /home/u/it is taken by/a.md", Over: "/home/u/it is taken by/a.md"}}},
		Skills:  []session.Skill{{Name: "s", Kind: "skill", Path: "/home/u/.two/skills/s/SKILL.md", Offered: true, Origin: session.CustomUser}},
		Plugins: []Folder{{Name: "plug", Dir: "/home/u/plug"}},
		Reads:   Reads{Servers: map[Scope][]string{User: {"/home/u/.one.json", ""}, Project: {"/.mcp.json"}}},
	}
	lines := func(all []Item) string {
		var out []string
		for _, i := range all {
			out = append(out, strings.TrimSpace(fmt.Sprintf("%s %s %v %s", i.ID(), i.Scope, i.On, i.Over)))
		}
		return strings.Join(out, "\n")
	}
	const want = `agent:a user false /home/u/it is taken by/a.md
skill:s user true
hook:Stop managed true
hook:Stop user false
mcp:mine user true
mcp:theirs user false
mcp:project project true
mcp:brought plugin true
mcp:mine user false /home/u/.one.json
plugin:plug user true`
	if got := lines(f.Items()); got != want {
		t.Errorf("%s", got)
	}
	if got := lines(f.Items(Server, Hook)); got != strings.NewReplacer("mcp:theirs user false", "mcp:theirs user true", "hook:Stop user false", "hook:Stop user true").Replace(want) {
		t.Errorf("reported:\n%s", got)
	}
	f.Reads = Reads{All: true}
	if got := lines(f.Items()); strings.Count(got, "false") != 2 {
		t.Errorf("all:\n%s", got)
	}
}
