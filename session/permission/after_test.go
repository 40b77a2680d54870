package permission

import (
	"strings"
	"testing"

	"parley/session"
	"parley/session/toolview"
)

// What an earlier command left in the shell counts: nothing passes because a line looks harmless.
func TestAfterCommands(t *testing.T) {
	dir := t.TempDir()
	plain := Policy{Mode: session.ModeDefault, Dirs: []string{dir}, Shell: "bash", Home: "/home/x",
		Rules: []Rule{{Ruling: Allow, Subject: OnCommand, Pattern: "go test *"}}}
	tests := map[string]struct {
		base               string
		changed, functions []string
		line               string
		want               Ruling
		why                string
	}{
		"nothing":             {dir, nil, nil, "ls", Allow, ""},
		"harmless variables":  {dir, []string{"PATH", "VIRTUAL_ENV", "FOO"}, nil, "ls", Allow, ""},
		"a variable":          {dir, []string{"GOFLAGS"}, nil, "ls", Ask, "GOFLAGS"},
		"a rule and variable": {dir, []string{"LD_PRELOAD"}, nil, "go test ./...", Ask, "LD_PRELOAD"},
		"a function":          {dir, nil, []string{"ls"}, "ls", Ask, "ls is a function"},
		"a builtin":           {dir, nil, []string{"cd"}, "cd x && ls", Ask, "cd is a function"},
		"a printed one":       {dir, nil, []string{"printf"}, "cat <<'E'\nx\nE", Ask, "printf is a function"},
		"another printed one": {dir, nil, []string{"read"}, "ls | while read -r f; do echo \"$f\"; done", Ask, "read is a function"},
		"another function":    {dir, nil, []string{"deactivate"}, "ls", Allow, ""},
		"behind a launcher":   {dir, nil, []string{"ls"}, "true && time ls", Ask, ""},
		"below":               {dir + "/sub", nil, nil, "ls", Allow, ""},
		"elsewhere":           {"/", nil, nil, "ls", Ask, "outside"},
		"a rule elsewhere":    {"/", nil, nil, "go test ./...", Ask, "outside"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			p := plain.AfterCommands(test.base, test.changed, test.functions).OnDisk([]string{"PATH=/usr/bin:/bin"})
			d := p.Decide(toolview.Command, session.PermissionAsk{Tool: "Bash", Command: test.line})
			why := d.Reason
			for _, part := range d.Parts {
				why += part.Why
			}
			if d.Ruling != test.want || !strings.Contains(why, test.why) {
				t.Errorf("%s %q", d.Ruling, why)
			}
		})
	}
}

// A rule that denies is not evaded with a function or a variable.
func TestBansAfterCommands(t *testing.T) {
	dir := t.TempDir()
	p := Policy{Mode: session.ModeBypass, Dirs: []string{dir}, Shell: "bash", Rules: []Rule{{Ruling: Deny, Subject: OnCommand, Pattern: "git push *"}}}
	ask := func(p Policy, line string) Ruling {
		return p.Decide(toolview.Command, session.PermissionAsk{Tool: "Bash", Command: line}).Ruling
	}
	if got := ask(p.AfterCommands(dir, nil, []string{"p"}), "p origin"); got != Ask {
		t.Error("a function:", got)
	}
	if got := ask(p.AfterCommands(dir, []string{"BASH_ENV"}, nil), "ls"); got != Ask {
		t.Error("a variable:", got)
	}
	if got := ask(p.AfterCommands(dir, nil, []string{"p"}), "ls"); got != Allow {
		t.Error("neither:", got)
	}
}
