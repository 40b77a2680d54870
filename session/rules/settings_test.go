package rules

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"parley/session/permission"
)

// Rules of Claude Code become those of parley where parley can say them, and never allow more.
func TestSettingsAsRules(t *testing.T) {
	for text, want := range map[string]string{
		"Bash(go test:*)":          "command go test *",
		"Bash(npm run build)":      "command npm run build",
		"Bash(git status *)":       "command git status *",
		"Bash":                     "!all that a tool can do",
		"Bash(*)":                  "!all that a tool can do",
		"Bash(git * main)":         "!a star only at the end",
		"Bash(bash:*)":             "!It allows nothing",
		"Edit(src/**)":             "edit src/**",
		"Write(/docs/a.md)":        "edit /repos/x/docs/a.md",
		"Read(//etc/hosts)":        "read /etc/hosts",
		"Read(~/notes/)":           "read ~/notes/**",
		"Edit(./a.txt)":            "edit a.txt",
		"Edit":                     "!all that a tool can do",
		"WebFetch(domain:go.dev)":  "fetch go.dev",
		"WebFetch":                 "!all that a tool can do",
		"mcp__github":              "mcp github",
		"mcp__github__list_issues": "mcp github/list_issues",
		"WebSearch":                "tool WebSearch",
		"Skill(x)":                 "!does not know what Skill is about",
		"":                         "!does not know",
		"deny Edit(.env)":          "edit **/.env; edit **/.env/**",
		"deny Read(./secrets/**)":  "read secrets/**",
		"ask Bash(git push:*)":     "command git push *",
		"deny Edit(!a)":            "!no exceptions",
	} {
		ruling, rest := permission.Allow, text
		if word, after, ok := strings.Cut(text, " "); ok && (word == "deny" || word == "ask") {
			ruling, rest = permission.Ruling(word), after
		}
		got, err := Settings{Root: "/repos/x"}.rules(rest, ruling)
		if wrong, isError := strings.CutPrefix(want, "!"); isError {
			if err == nil || !strings.Contains(err.Error(), wrong) {
				t.Errorf("%s: %v, %v", text, got, err)
			}
			continue
		}
		var said []string
		for _, r := range got {
			said = append(said, r.String())
			if r.Ruling != ruling || r.Origin != permission.FromClaude {
				t.Errorf("%s: %+v", text, r)
			}
		}
		if err != nil || strings.Join(said, "; ") != want {
			t.Errorf("%s: %q, %v", text, said, err)
		}
	}
}

// The user's settings hold, those of a project once it is trusted, and a change of either at once.
func TestSettingsHold(t *testing.T) {
	dir := t.TempDir()
	own, project, agreed := filepath.Join(dir, "own.json"), filepath.Join(dir, "project.json"), false
	s := New(Options{Claude: func(string) []Settings {
		return []Settings{{Path: own, Root: dir}, {Path: project, Root: dir, Holds: func() bool { return agreed }}}
	}})
	write := func(path, text string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	holds := func(want ...string) {
		t.Helper()
		var got []string
		k := s.Kept(dir)
		for _, r := range k.Rules {
			got = append(got, string(r.Ruling)+" "+r.String())
		}
		if !slices.Equal(got, want) || k.Locked != "" {
			t.Errorf("%q (%s), and not %q", got, k.Locked, want)
		}
	}
	holds()
	if files := s.Files(dir); len(files) != 0 {
		t.Errorf("%+v", files)
	}
	write(own, `{"permissions":{"allow":["Bash(make:*)","Bash"],"deny":["Read(.env)"]},"model":"x"}`)
	write(project, `{"permissions":{"allow":["Bash(touch:*)"]}}`)
	holds("deny read **/.env", "deny read **/.env/**", "allow command make *")
	agreed = true
	holds("deny read **/.env", "deny read **/.env/**", "allow command make *", "allow command touch *")
	if files := s.Files(dir); len(files) != 2 || files[0].Path != own || len(files[0].Unsaid) != 1 || !strings.HasPrefix(files[0].Unsaid[0], "allow Bash: ") {
		t.Errorf("%+v", files)
	}
	// What is denied in words that parley lacks may be an exception from what is allowed.
	write(own, `{"permissions":{"allow":["Bash(make:*)"],"deny":["Bash(* --force)"]}}`)
	holds("allow command touch *")
	if files := s.Files(dir); len(files[0].Unsaid) != 2 || !strings.Contains(files[0].Unsaid[1], "may be an exception") {
		t.Errorf("%+v", files)
	}
	// A file that cannot be read has no rules, and locks nothing: Claude Code ignores it too.
	write(own, `{"permissions":`)
	holds("allow command touch *")
	if files := s.Files(dir); files[0].Problem == nil {
		t.Error("no problem")
	}
	agreed = false
	holds()
}
