package git

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestRulesOfGit(t *testing.T) {
	for _, c := range []struct{ rules, ignored, kept string }{
		{"*.log", "a.log d/b.log .log", "a.log.txt log"},
		{"/a", "a a/", "d/a"},
		{"a", "a d/a a/ d/e/a/", "ab"},
		{"a/", "a/ d/a/", "a d/a"},
		{"d/a", "d/a", "a e/d/a"},
		{"/d/*.go", "d/x.go", "d/e/x.go x.go"},
		{"**/a", "a d/a d/e/a", "ab"},
		{"a/**", "a/b a/b/c", "a d/a/b"},
		{"a/**/b", "a/b a/c/b a/c/d/b", "a/bc b"},
		{"**/a/b", "a/b d/a/b", "a/c/b"},
		{"a**b", "ab axxb", "a/b"},
		{"*.log\n!keep.log", "a.log", "keep.log d/keep.log"},
		{"!keep.log\n*.log", "keep.log", "keep"},
		{"# a\n\n\\#b\n\\!c", "#b !c", "a b c"},
		{"a  \r\nb\n", "a b", "c"},
		{"[ab]?.[!0-9]", "ax.z by.q", "cx.z ax.1 a.z"},
		{"[[:digit:]]*[^]]", "1x 1]x", "x1 1] 1"},
		{"a[", "", "a[ a"},
		{"ä?", "äx", "ä äö"},
		{"*.min.*", "a.min.js d/b.min.css", "min.js"},
		{"build\n!src/build", "build d/build", "src/build"},
		{"\\*", "*", "a"},
		{"a\\", "", "a a\\"},
		{"/*\n!/src", "a b/", "src"},
		{strings.Repeat("*a", 30) + "b", "", strings.Repeat("a", 200)},
	} {
		s := Ignores{}.With("", c.rules)
		for _, want := range []bool{true, false} {
			for name := range strings.FieldsSeq(map[bool]string{true: c.ignored, false: c.kept}[want]) {
				bare, dir := strings.CutSuffix(name, "/")
				if got := s.Ignored(bare, dir); got != want {
					t.Errorf("rules %q, %s: ignored %v", c.rules, name, got)
				}
			}
		}
	}
}

func TestTheInnermostFileDecides(t *testing.T) {
	above := parse("", "*.out\nx/\n")
	above.above = "proj/sub"
	anchored := parse("", "/proj/sub/secret\n/other\n")
	anchored.above = "proj/sub"
	all := Ignores{[]rules{above, anchored, parse("", "*.log\n"), parse("d", "!keep.log\n/only\n")}}
	for name, want := range map[string]bool{
		"a.log": true, "d/a.log": true, "d/keep.log": false, "keep.log": true, "d/only": true, "only": false, "d/e/only": false, "a.out": true,
		"secret": true, "d/secret": false, "other": false,
	} {
		if got := all.Ignored(name, false); got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
	if !all.Ignored("d/x", true) || all.Ignored("d/x", false) {
		t.Error("a rule for directories")
	}
}

func FuzzGlob(f *testing.F) {
	for _, s := range []string{"a/**/b", "[a-", "[[:x:]]", "**", "*\\", "a**/b", "[]a]", "[!]"} {
		f.Add(s, "a/x/b")
	}
	f.Fuzz(func(_ *testing.T, pattern, name string) {
		if r, ok := parseRule(pattern); ok {
			r.matches(name, true)
		}
		glob(pattern, name)
	})
}

// Only its own ignore files apply in a repository below the root of a walk; files of other names apply from all folders above.
func TestNestedAndParents(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"user": "*.u\n", "in/.git/HEAD": "ref: x\n", "in/.git/info/exclude": "/x\n", ".ignore": "in/deep/a\nb\n", "in/.ignore": "!b\n"} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	nested := NestedIgnores(t.Context(), filepath.Join(dir, "in"), "in", filepath.Join(dir, "user"))
	for name, want := range map[string]bool{"in/x": true, "in/d/x": false, "in/d/a.u": true, "in/y": false} {
		if got := nested.Ignored(name, false); got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
	parents := ParentIgnores(t.Context(), filepath.Join(dir, "in", "deep"), ".ignore")
	for name, want := range map[string]Verdict{"a": Ignored, "d/a": Undecided, "b": Kept, "c": Undecided} {
		if got := parents.Match(name, false); got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
	for _, c := range []struct{ config, want string }{{"", "home/.config/git/ignore"}, {"[core]\nexcludesFile = ~/mine\n", "home/mine"}} {
		home := filepath.Join(dir, "home")
		if err := errors.Join(os.MkdirAll(home, 0o700), os.WriteFile(filepath.Join(home, ".gitconfig"), []byte(c.config), 0o600)); err != nil {
			t.Fatal(err)
		}
		if got := UserIgnoreFile(t.Context(), home, ""); got != filepath.Join(dir, filepath.FromSlash(c.want)) {
			t.Errorf("%q: %s", c.config, got)
		}
	}
	if got := UserIgnoreFile(t.Context(), "", ""); got != "" {
		t.Error(got)
	}
}
