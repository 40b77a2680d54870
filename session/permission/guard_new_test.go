package permission

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"parley/session"
	"parley/session/toolview"
)

// What an edit of a path is asked about with.
const (
	newDotFile   = "does not know this new file"
	newDotFolder = "does not know this new folder"
	byEditor     = "an editor"
	byCI         = "the service that builds this project"
)

// newDotCase is a path below a session's directory, and the text with which an edit is asked about, "" if it is free.
type newDotCase struct{ path, why string }

// A name that parley does not know and that begins with a dot is asked about until it is there.
func TestNewDotNamesAreAsked(t *testing.T) {
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	work, other := filepath.Join(root, "work"), filepath.Join(root, "other")
	for _, dir := range []string{"work/.there", "work/sub", "work/.inner", "other"} {
		if err := os.MkdirAll(filepath.Join(root, filepath.FromSlash(dir)), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{".oldrc", ".there/x"} {
		if err := os.WriteFile(filepath.Join(work, filepath.FromSlash(name)), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var cases []newDotCase
	for why, paths := range map[string]string{
		newDotFile: "work/.newrc work/.NewRC other/.newrc work/.golangci.yml work/.eslintrc.js work/.prettierrc.js work/.inner/.newrc " +
			"work/.\u200cnewrc work/\u200c.newrc work/.x work/.ts,.newrc",
		newDotFolder: "work/.new/x work/.new/deep/x work/.storybook/main.ts work/.gitignore/x work/.env/bin/activate work/.nvmrc/x",
		byEditor:     "work/.vscode/x work/.there/.vscode/x",
		"": "work/.oldrc work/.there/x work/.there/new work/.there/.new work/sub/.newrc work/newrc work/.gitignore work/.EditorConfig " +
			"work/.prettierrc.json work/.dockerignore work/.env.example work/.nvmrc work/.github/ISSUE_TEMPLATE/bug.yml " +
			"work/.changeset/x.md work/.ts work/.js,.ts work/..main work/..main/x",
	} {
		for _, path := range strings.Fields(paths) {
			cases = append(cases, newDotCase{path, why})
		}
	}
	dirs := [][]string{{work, other, filepath.Join(work, ".inner")}}
	if os.Symlink(work, filepath.Join(root, "link")) == nil && os.Symlink(".", filepath.Join(work, "here")) == nil {
		dirs = append(dirs, []string{filepath.Join(root, "link"), other, filepath.Join(work, ".inner")})
		cases = append(cases, newDotCase{"link/.newrc", newDotFile}, newDotCase{"work/here/.newrc", newDotFile},
			newDotCase{"work/here/.new/x", newDotFolder}, newDotCase{"link/.oldrc", ""}, newDotCase{"work/here/.oldrc", ""},
			newDotCase{"work/here/sub/.newrc", ""})
	}
	for _, dirs := range dirs {
		p := Policy{Mode: session.ModeAcceptEdits, Dirs: dirs, Rules: readRules([]session.Rule{{Tool: "Edit"}})}.OnDisk(os.Environ())
		for _, c := range cases {
			ask := session.PermissionAsk{Tool: "Write", Path: filepath.Join(root, filepath.FromSlash(c.path))}
			d, why, rules := p.Decide(toolview.Edit, ask), p.Guarded(ask.Path), p.SuggestRules(toolview.Edit, ask)
			want := Allow
			if c.why != "" {
				want = Ask
			}
			if d.Ruling != want || !strings.Contains(d.Reason, c.why) || !strings.Contains(why, c.why) ||
				(why == "") != (c.why == "") || (len(rules) == 0) != (c.why != "") {
				t.Errorf("%q in %q: %s %q, %q, %d rules", c.path, dirs, d.Ruling, d.Reason, why, len(rules))
			}
		}
		p.Disk.Exists = nil // what is there is not known
		if why := p.Guarded(filepath.Join(work, ".oldrc")); !strings.Contains(why, newDotFile) {
			t.Errorf("not known: %q", why)
		}
	}
}

// Command lines make such files no more than edits do; what is not a file in an argument stays free.
func TestCommandsMakeNoNewDotNames(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Log("no command is covered there")
		return
	}
	p := testPolicy(session.ModeAcceptEdits)
	var rules []Rule
	for _, text := range []string{"command mytool *", "command touch *", "command mkdir *", "command cp *", "command echo *"} {
		r, err := ParseRule(text)
		if err != nil {
			t.Fatal(err)
		}
		rules = append(rules, r)
	}
	p.Rules = slices.Concat(p.Rules, rules)
	for line, want := range map[string]Ruling{
		"touch .newrc": Ask, "mkdir .new": Ask, "cp a.go .newrc": Ask, "echo x > .newrc": Ask, "echo x > .new/x": Ask,
		"mytool --out .newrc": Ask, "mytool -o.newrc": Ask, "mytool --only .js,.newrc": Allow, // arguments may be anything
		"touch .gitignore": Allow, "echo x > .editorconfig": Allow, "echo x > new": Allow, "mytool --only .ts": Allow,
		"mytool --only .js,.ts": Allow, "mytool main ..other": Allow, "mytool .gitignore": Allow, "mytool ./...": Allow, "mytool .": Allow,
	} {
		if got := p.Decide(toolview.Command, session.PermissionAsk{Tool: "Bash", Command: line}); got.Ruling != want {
			t.Errorf("%s: %s %q", line, got.Ruling, got.Reason)
		}
	}
}

// TestFoldersToWorkIn takes edits in a scratch folder and a worktree of parley's like those in any other directory, although both are below
// a directory of the user's settings; the rest of that stays asked about, and so does a directory of the session that is not parley's.
func TestFoldersToWorkIn(t *testing.T) {
	home, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	data := filepath.Join(home, ".local", "share", "parley")
	scratch, tree := filepath.Join(data, "scratch", "20260304-abcdef"), filepath.Join(data, "worktrees", "acme-1", "work-1")
	settings := filepath.Join(home, ".config", "acme")
	for _, dir := range []string{scratch, tree, settings} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		dir, path string
		want      Ruling
	}{
		{scratch, filepath.Join(scratch, "a.go"), Allow},
		{scratch, filepath.Join(scratch, "lib", "a.go"), Allow},
		{scratch, filepath.Join(scratch, ".git", "config"), Ask},
		{scratch, filepath.Join(scratch, ".claude", "settings.json"), Ask},
		{scratch, filepath.Join(filepath.Dir(scratch), "20260304-bbbbbb", "a.go"), Ask},
		{scratch, filepath.Join(data, "sessions", "a"), Ask},
		{tree, filepath.Join(tree, "a.go"), Allow},
		{data, filepath.Join(data, "sessions", "a"), Ask},
		{data, filepath.Join(scratch, "a.go"), Ask},
		{settings, filepath.Join(settings, "a"), Ask},
	} {
		p := Policy{Mode: session.ModeAcceptEdits, Dirs: []string{c.dir}, Home: home}.OnDisk(os.Environ())
		if got := p.editDecision(c.path); got.Ruling != c.want {
			t.Errorf("%s in %s: %s %q", c.path, c.dir, got.Ruling, got.Reason)
		}
	}
}
