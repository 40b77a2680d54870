package instruct

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// tree writes files below a temporary directory and returns it, with its links resolved.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		path := filepath.Join(top, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return top
}

// paths lists files relative to top.
func paths(top string, files []File) string {
	var out []string
	for _, f := range files {
		rel, _ := filepath.Rel(top, f.Path)
		out = append(out, filepath.ToSlash(rel))
	}
	return strings.Join(out, " ")
}

func TestFind(t *testing.T) {
	home := tree(t, map[string]string{
		"AGENTS.md": "not taken: it is the home directory", "conf/AGENTS.md": "mine", "src/CLAUDE.md": "above the repository",
		"src/repo/.git/HEAD": "ref: refs/heads/main\n", "src/repo/AGENTS.md": "of the repository", "src/repo/CLAUDE.md": "of the repository\n",
		"src/repo/CLAUDE.local.md": "local", "src/repo/.claude/CLAUDE.md": "hidden", "src/repo/.claude/rules/style.md": "---\ntitle: x\n---\nrule",
		"src/repo/.claude/rules/go.md": "---\npaths:\n  - \"**/*.go\"\n---\nrule of go", "src/repo/.github/copilot-instructions.md": "of copilot",
		"src/repo/.github/instructions/all.instructions.md": "---\napplyTo: '**'\n---\nfor all",
		"src/repo/.github/instructions/ts.instructions.md":  "---\napplyTo: \"**/*.ts,**/*.tsx\"\n---\nfor ts",
		"src/repo/.github/instructions/by.instructions.md":  "attached by hand",
		"src/repo/sub/CLAUDE.md":                            "of the part", "src/repo/sub/deep/AGENTS.md": strings.Repeat("é", MaxText),
	})
	root := "src/repo/AGENTS.md src/repo/.claude/CLAUDE.md src/repo/.claude/rules/style.md src/repo/CLAUDE.local.md " +
		"src/repo/.github/copilot-instructions.md src/repo/.github/instructions/all.instructions.md"
	for dir, want := range map[string]string{
		"src/repo": "conf/AGENTS.md " + root, "src/repo/sub": "conf/AGENTS.md " + root + " src/repo/sub/CLAUDE.md",
		"src/other": "conf/AGENTS.md src/CLAUDE.md", "": "conf/AGENTS.md AGENTS.md",
	} {
		f := Find(t.Context(), Options{ConfigDir: filepath.Join(home, "conf"), Home: home, Dir: filepath.Join(home, dir)})
		if got := paths(home, f.Files); got != want {
			t.Errorf("%s: %s", dir, got)
		}
		if dir == "src/repo" && (paths(home, f.Later) != "src/repo/.claude/rules/go.md src/repo/.github/instructions/ts.instructions.md" || len(f.Left) != 1) {
			t.Errorf("%+v %+v", f.Later, f.Left)
		}
	}
	f := Find(t.Context(), Options{Home: home, Dir: filepath.Join(home, "src/repo/sub/deep")})
	if text := f.Text(); len(text) > MaxText+2000 || !strings.Contains(text, "too many instructions") {
		t.Errorf("%d bytes", len(text))
	}
	if f := Find(t.Context(), Options{ConfigDir: filepath.Join(home, "conf"), Home: home, Dir: filepath.Join(home, "src/repo"), Skip: true}); paths(home, f.Files) != "conf/AGENTS.md" || len(f.Later) > 0 {
		t.Errorf("%+v", f)
	}
}

func TestImports(t *testing.T) {
	files := map[string]string{
		".git/HEAD": "x", "secret": "no", "a/one.md": "one @two.md @two.md", "a/two.md": "two @one.md", "up.md": "above",
		"AGENTS.md": "see @a/one.md, (@./b.md) and not `@c.md` nor me@x.org nor @someone.\n```\n@c.md\n```\n@../out.md @~/home.md @/etc/passwd @.git/HEAD @missing.md @a/",
		"b.md":      "b", "c.md": "c",
	}
	for i := range 8 { // a chain longer than the depth
		files["chain"+string(rune('0'+i))+".md"] = "link @chain" + string(rune('1'+i)) + ".md"
	}
	files["CLAUDE.md"] = "@chain0.md"
	top := tree(t, files)
	f := Find(t.Context(), Options{Home: filepath.Dir(top), Dir: top})
	want := "AGENTS.md a/one.md a/two.md b.md CLAUDE.md chain0.md chain1.md chain2.md chain3.md chain4.md"
	if got := paths(top, f.Files); got != want {
		t.Error(cmp.Diff(want, got))
	}
	if len(f.Left) != 4 {
		t.Errorf("%+v", f.Left)
	}
	for _, file := range f.Files {
		if (file.By == "") != slices.Contains([]string{"AGENTS.md", "CLAUDE.md"}, filepath.Base(file.Path)) {
			t.Errorf("%s is imported by %q", file.Path, file.By)
		}
	}
	// The user's own files may import what is below the home directory.
	home := tree(t, map[string]string{"conf/AGENTS.md": "@~/notes.md @more.md", "notes.md": "notes", "conf/more.md": "more", "work/x": ""})
	f = Find(t.Context(), Options{ConfigDir: filepath.Join(home, "conf"), Home: home, Dir: filepath.Join(home, "work")})
	if got := paths(home, f.Files); got != "conf/AGENTS.md notes.md conf/more.md" {
		t.Error(got)
	}
}

func TestPatterns(t *testing.T) {
	for text, want := range map[string]string{
		"---\napplyTo: '**/*.ts,src/{a,b}/**'\n---\nx":             "**/*.ts src/{a,b}/**",
		"---\napplyTo: [\"*.go\", \"x/*.md\"]\n---":                "*.go x/*.md",
		"---\na: b\napplyTo:\n  - '*.go'\n- \"*.rs\"\nc: d\n---\n": "*.go *.rs",
		"---\napplyTo: '[x'\n---\n":                                "", "applyTo: '*'": "", "---\napplyTo: '*'": "", "": "",
	} {
		if got, _ := patterns(text, "applyTo"); strings.Join(got, " ") != want {
			t.Errorf("%q: %q", text, got)
		}
	}
	f := File{Base: "/r", Globs: []string{"*.go", "/web/**/*.{ts,tsx}"}}
	for path, want := range map[string]bool{"/r/a.go": true, "/r/x/a.go": true, "/r/web/x/a.tsx": true, "/r/a.ts": false, "/other/a.go": false} {
		if f.about(path) != want {
			t.Error(path)
		}
	}
}

func TestTouched(t *testing.T) {
	top := tree(t, map[string]string{".git/HEAD": "x", "AGENTS.md": "root", "work/x": "", "work/part/AGENTS.md": "of the part", "other/CLAUDE.md": "of the other",
		"work/part/deep/a.go": "", ".github/instructions/go.instructions.md": "---\napplyTo: '**/*.go'\n---\nfor go"})
	f := Find(t.Context(), Options{Dir: filepath.Join(top, "work")})
	told := Told{}
	told.Read(f.Text())
	touch := func(path string) string {
		var out []string
		read := Told{}
		read.Read(f.Touched(t.Context(), told, filepath.Join(top, path)))
		for p := range read {
			rel, _ := filepath.Rel(top, p)
			out = append(out, filepath.ToSlash(rel))
		}
		slices.Sort(out)
		return strings.Join(out, " ")
	}
	for _, c := range [][2]string{{"work/x", ""}, {"work/part/deep/a.go", ".github/instructions/go.instructions.md work/part/AGENTS.md"},
		{"work/part/b.go", ""}, {"other/y", "other/CLAUDE.md"}, {"../elsewhere/z", ""}} {
		if got := touch(c[0]); got != c[1] {
			t.Errorf("%s: %s", c[0], got)
		}
	}
}

func TestChanges(t *testing.T) {
	top := tree(t, map[string]string{".git/HEAD": "x", "AGENTS.md": "first", "CLAUDE.md": "stays"})
	find := func() Found { return Find(t.Context(), Options{Dir: top}) }
	start, told := Told{}, Told{}
	start.Read(find().Text())
	told.Read(find().Text())
	if got := find().Changes(told, start); got != "" {
		t.Error(got)
	}
	if err := os.WriteFile(filepath.Join(top, "AGENTS.md"), []byte("second"), 0o644); err != nil {
		t.Fatal(err)
	}
	if got := find().Changes(told, start); !strings.Contains(got, "second") || strings.Contains(got, "stays") {
		t.Error(got)
	}
	if err := os.Remove(filepath.Join(top, "CLAUDE.md")); err != nil {
		t.Fatal(err)
	}
	got := find().Changes(told, start)
	if !strings.Contains(got, "CLAUDE.md no longer hold") || strings.Contains(got, "second") {
		t.Error(got)
	}
	// Another process reads the same from the texts.
	again := Told{}
	again.Read(got)
	if len(again) != 1 || again[filepath.Join(top, "CLAUDE.md")] != "" {
		t.Errorf("%v", again)
	}
	if got := find().Changes(told, start); got != "" {
		t.Error(got)
	}
}

func TestEnvironment(t *testing.T) {
	log := "0 1 A <a@b> 1 +0000\tclone: from x\n1 2 A <a@b> 2 +0000\tcommit: First\n2 3 A <a@b> 3 +0000\tcommit (amend): Second\n3 3 A <a@b> 4 +0000\tcheckout: moving\n"
	top := tree(t, map[string]string{".git/HEAD": "ref: refs/heads/fix/it\n", ".git/logs/HEAD": log, "bin/rg": "", "bin/go": ""})
	if err := os.Chmod(filepath.Join(top, "bin/rg"), 0o755); err != nil {
		t.Fatal(err)
	}
	e := Environment{Dir: top, Date: "2026-03-01", Shell: "bash", Environ: []string{"PATH=" + filepath.Join(top, "bin") + string(os.PathListSeparator) + "rel"}}
	text := e.Text(t.Context())
	for _, want := range []string{"Date: 2026-03-01\n", "Git branch: fix/it\n", "Newest commits here:\n- Second\n- First\n", "Shell: bash\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in %s", want, text)
		}
	}
	if got := Moved(e.Moving(t.Context()), text); len(got) != 0 {
		t.Error(got)
	}
	e.Dirs = []string{"/repos/a", "/repos/b"}
	further := "Further directories: /repos/a, /repos/b"
	if got := Moved(e.Moving(t.Context()), text); !slices.Equal(got, []string{further}) {
		t.Errorf("added directories: %q", got)
	}
	for read, want := range map[string][]string{further: nil, further + "\nFurther directories: /repos/a": {further}} {
		if got := Moved(e.Moving(t.Context()), text, read); !slices.Equal(got, want) {
			t.Errorf("after %q: %q", read, got)
		}
	}
	e.Dirs = nil
	for read, want := range map[string][]string{further: {"Further directories: none any more"}, further + "\nFurther directories: none any more": nil} {
		if got := Moved(e.Moving(t.Context()), text, read); !slices.Equal(got, want) {
			t.Errorf("removed after %q: %q", read, got)
		}
	}
	if got := Moved([]string{"Date: 2026-03-02", "Git branch: fix/it"}, text, "Date: 2026-03-01\nGit branch: main\n"); len(got) != 2 {
		t.Error(got)
	}
}

func FuzzReferences(f *testing.F) {
	f.Add("see @a/b.md and `@c` ```\n@d.md\n```")
	f.Fuzz(func(t *testing.T, text string) {
		for _, ref := range references(text) {
			if ref == "" || strings.ContainsAny(ref, "` \n") {
				t.Errorf("%q", ref)
			}
		}
		patterns(text, "applyTo")
	})
}

// What an agent that reads only CLAUDE.md does not read are the AGENTS.md of directories without one.
func TestUnread(t *testing.T) {
	home := t.TempDir()
	for name, text := range map[string]string{"w/.git/HEAD": "x", "w/AGENTS.md": "top", "w/a/AGENTS.md": "both", "w/a/CLAUDE.md": "x", "w/a/b/AGENTS.md": "below"} {
		path := filepath.Join(home, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got := Unread(t.Context(), home, filepath.Join(home, "w", "a", "b"))
	if !strings.Contains(got, "\ntop\n") || strings.Contains(got, "both") || !strings.Contains(got, "\nbelow\n") {
		t.Error(got)
	}
	if got := Unread(t.Context(), home, filepath.Join(home, "w", "a")); strings.Count(got, "<instructions") != 1 {
		t.Error(got)
	}
	if got := Unread(t.Context(), home, home); got != "" {
		t.Error(got)
	}
}
