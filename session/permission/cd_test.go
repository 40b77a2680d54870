package permission

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"parley/session"
	"parley/session/toolview"
)

// In a loop a variable may have the value that the body gives it further down.
func TestVariablesOfLoops(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Log("paths of this table are Unix paths")
		return
	}
	p := testPolicy(session.ModeDefault)
	for line, want := range map[string]Ruling{
		`x=sub; cat "$x/a"`: Allow, `x=sub; for i in 1 2; do cat "$x/a"; done`: Allow, `for d in sub out; do for f in a b; do echo "$d/$f"; done; done`: Allow,
		`for d in sub; do for f in a b; do cat "$d/$f"; done; done`: Allow,
		`x=sub; for i in 1 2; do cat "$x/a"; x=..; done`:            Ask, `x=sub; while cat "$x/a"; do x=..; done`: Ask,
		`x=sub; for i in 1 2; do cat "$x/a"; read -r x; done`: Ask, `x=sub; for i in 1 2; do cat "$x/a"; for x in ..; do ls; done; done`: Ask,
		`x=sub; for i in 1 2; do cat "$x/a"; if true; then x=..; fi; done`: Ask, `x=sub; until { cat "$x/a"; x=..; }; do ls; done`: Ask,
	} {
		if got := rulingOn(p, line); got != want {
			t.Errorf("%q: %s, want %s", line, got, want)
		}
	}
}

// A cd that another command starts is not followed: in a pipe, behind a ! and in a condition it leads elsewhere than it says.
func TestHiddenCd(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Log("paths of this table are Unix paths")
		return
	}
	p := testPolicy(session.ModeDefault)
	for line, want := range map[string]Ruling{
		"cd sub && cat ../a.go": Allow, "cd sub; cat ../a.go": Ask, "cd sub | true && cat ../a.go": Ask, "! cd sub && cat ../a.go": Ask,
		"command cd sub && cat ../a.go": Ask, "command cd sub | true && cat ../a.go": Ask, "! command cd gone && cat ../a.go": Ask,
		"if command cd sub; then cat y; fi": Ask, "command command cd sub && ls": Ask,
	} {
		if got := rulingOn(p, line); got != want {
			t.Errorf("%q: %s, want %s", line, got, want)
		}
	}
	for _, line := range []string{"cd secret && cat key", "command cd secret && cat key", "command cd secret; cat key"} {
		if d := banning(t, "read secret/**").Decide(toolview.Command, session.PermissionAsk{Command: line}); d.Ruling == Allow {
			t.Errorf("%q is allowed", line)
		}
	}
}

// A shell goes back by the names that it went, and not by where a link has led it.
func TestCdBackFromALink(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Log("links of this table are Unix links")
		return
	}
	dir := t.TempDir()
	for _, name := range []string{"a/b", "c"} {
		if err := os.MkdirAll(filepath.Join(dir, filepath.FromSlash(name)), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("a/b", filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	p := Policy{Mode: session.ModeDefault, Dirs: []string{dir}, Base: dir, Shell: "bash"}.OnDisk([]string{"PATH=/usr/bin:/bin"})
	for line, want := range map[string]Ruling{
		"cd a && cd b && cd .. && cat x": Allow, "cd a/b && cat ../../x": Allow, "cd c && cd ../a && ls": Allow, "cd link && cat ../x": Allow,
		"cd link && cd .. && cat ../y": Ask, "cd link/.. && cat ../y": Ask, "cd link && cd ../.. && ls": Ask,
	} {
		if got := rulingOn(p, line); got != want {
			t.Errorf("%q: %s, want %s", line, got, want)
		}
	}
}
