package extensions

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"parley/session"
)

// The servers of a custom agent are trusted by where its file is, not by what it says.
func TestServersOfAgents(t *testing.T) {
	const one = `{"depot":{"command":"run","args":["${KEY}","${GITHUB_TOKEN:-none}"],"sampling":true}}`
	const missing = "you have not agreed to what this project brings: /trust shows it and asks"
	for name, c := range map[string]struct {
		servers string
		origin  session.CustomOrigin
		path    string // below the home
		trusted bool
		want    string
	}{
		"the user's":         {one, session.CustomUser, ".claude/agents/a.md", false, "depot|run value ghp|.||sampling"},
		"the user's, agreed": {one, session.CustomUser, ".claude/agents/a.md", true, "depot|run value ghp|src/acme||sampling"},
		"a file":             {one, session.CustomGiven, "a.md", true, "depot|run value ghp|src/acme||sampling"},
		"a file inside":      {one, session.CustomGiven, "src/acme/a.md", true, "depot|run value none|src/acme|" + inside + "|"},
		"a file that is not": {one, session.CustomGiven, "gone.md", true, "depot|run value none|src/acme|" + inside + "|"},
		"a project's":        {one, session.CustomRepository, "src/acme/a.md", true, "depot|run value none|src/acme||"},
		"not agreed":         {one, session.CustomRepository, "src/acme/a.md", false, "depot|run value none|.|" + missing + "|"},
		"a plugin's":         {one, session.CustomPlugin, "a.md", true, "depot|run value none|src/acme|" + inPlugin + "|"},
		"switched off":       {`{"off":{"command":"x"}}`, session.CustomUser, "a.md", true, "off|x|src/acme|switched off for this directory in ~/.claude.json|"},
		"bad name":           {`{"a b":{"command":"x"}}`, session.CustomUser, "a.md", true, "a b|x|src/acme|its name has more than letters, digits, dots, dashes and single underscores, or more than 32 of them|"},
		"bad entry":          {`{"a":{"command":["x"]}}`, session.CustomUser, "a.md", true, "a||src/acme|its entry cannot be read: command must not be a list|"},
		"no object":          {`["a"]`, session.CustomUser, "a.md", true, ""},
		"nothing":            {``, session.CustomUser, "a.md", true, ""},
	} {
		t.Run(name, func(t *testing.T) {
			x := newTree(t)
			x.write(".claude.json", `{"projects":{"`+x.repo+`":{"disabledMcpServers":["off"]}}}`)
			if path := filepath.Join(x.home, c.path); !strings.HasPrefix(c.path, "gone") {
				x.write(c.path, "x")
				c.path = path
			}
			p := Places{Home: x.home, Claude: func() string { return x.claude }, Environ: []string{"KEY=value", "GITHUB_TOKEN=ghp"}}
			var lines []string
			for _, s := range p.OfAgent(x.repo, session.CustomAgent{Name: "lender", Path: c.path, Origin: c.origin, Servers: json.RawMessage(c.servers)}, c.trusted) {
				run, _ := filepath.Rel(x.home, s.Dir)
				sampling := ""
				if s.Sampling {
					sampling = "sampling"
				}
				lines = append(lines, strings.ReplaceAll(fmt.Sprintf("%s|%s|%s|%s|%s", s.Name, strings.Join(s.Command, " "), run, s.Why, sampling), x.home, "~"))
				if strings.Join(s.Agents, " ") != "lender" || s.Project != (c.origin == session.CustomRepository || s.Why == inside) {
					t.Errorf("%+v", s)
				}
			}
			if got := strings.Join(lines, "\n"); got != c.want {
				t.Errorf("%s", got)
			}
		})
	}
}
