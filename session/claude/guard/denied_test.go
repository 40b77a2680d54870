package guard

import (
	"slices"
	"testing"

	"parley/session/permission"
)

func TestDenied(t *testing.T) {
	g := Guard{Dirs: []string{"/work", "/other"}}
	for text, want := range map[string]string{
		"read secret/**": "Read(//work/secret/**)", "edit /etc/**": "Edit(//etc/**)", "read ~/.ssh/**": "Read(~/.ssh/**)",
		"fetch example.com": "WebFetch(domain:example.com)", "mcp git.hub": "mcp__git_hub", "mcp github/list": "mcp__github__list", "tool WebSearch": "WebSearch",
		"command make lint": "Bash(make lint:*)", "command rm *": "Bash(rm:*)", "command a 'b c' *": "", "read a)b/**": "",
	} {
		r, err := permission.ParseRule(text)
		if err != nil {
			t.Fatal(text, err)
		}
		var want1 []string
		if want != "" {
			want1 = []string{want}
		}
		g.Rules.Rules = []permission.Rule{r}
		if got := g.Denied(); len(got) != 0 {
			t.Errorf("%s allows, but %q", text, got)
		}
		r.Ruling = permission.Deny
		g.Rules.Rules = []permission.Rule{r, r}
		if got := g.Denied(); !slices.Equal(got, want1) {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}
