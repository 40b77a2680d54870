package guard

import (
	"slices"
	"testing"

	"parley/session/permission"
	"parley/session/process/scope"
)

func TestDenied(t *testing.T) {
	g := Guard{Scope: scope.Scope{Dirs: []string{"/project", "/other"}}}
	for text, want := range map[string]string{
		"read secret/**": "Read(//project/secret/**)", "read /etc/**": "Read(//etc/**)", "read ~/.ssh/**": "Read(~/.ssh/**)",
		"edit src/**": "", "command rm *": "", "mcp github": "", "read a)b/**": "",
	} {
		r, err := permission.ParseRule(text)
		if err != nil {
			t.Fatal(text, err)
		}
		var one []string
		if want != "" {
			one = []string{want}
		}
		g.Rules.Rules = []permission.Rule{r}
		if got := g.Denied(); len(got) != 0 {
			t.Errorf("%s allows, but %q", text, got)
		}
		r.Ruling = permission.Deny
		g.Rules.Rules = []permission.Rule{r, r}
		if got := g.Denied(); !slices.Equal(got, one) {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}
