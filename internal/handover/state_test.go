package handover

import (
	"strings"
	"testing"
)

func TestRepositoryOf(t *testing.T) {
	for address, want := range map[string]string{
		"https://github.com/octo/app.git":     "octo/app",
		"https://x@github.com/octo/app/":      "octo/app",
		"git@github.com:octo/app.git":         "octo/app",
		"git@work:octo/app":                   "octo/app",
		"ssh://git@github.com:22/octo/ap.p":   "octo/ap.p",
		"/srv/git/app.git":                    "",
		"../octo/app":                         "",
		"https://gitlab.com/group/sub/app":    "",
		"https://github.com":                  "",
		"git@github.com:app":                  "",
		"https://github.com/octo/a\x1b[2Jp":   "",
		"https://github.com/../app":           "",
		"file:///srv/git/app.git":             "",
		"https://github.com/octo/app.git.git": "octo/app.git",
	} {
		if got := repositoryOf(address); got != want {
			t.Errorf("%s is %q, not %q", address, got, want)
		}
	}
}

func TestIsBranch(t *testing.T) {
	for _, good := range []string{"main", "feature/x-1", "a.b", "dependabot/npm/x@1"} {
		if !isBranch(good) {
			t.Errorf("%s is refused", good)
		}
	}
	for _, bad := range []string{"", "-x", "a b", "a..b", "a/", "/a", "a//b", ".a", "a/.b", "a.lock", "a.", "@", "a@{1}", "a~1", "a:b", "a\x1b", strings.Repeat("a", 201)} {
		if isBranch(bad) {
			t.Errorf("%q is taken", bad)
		}
	}
}

// FuzzReadStatus reads any output of git as a status.
func FuzzReadStatus(f *testing.F) {
	f.Add("# branch.oid 12\x00# branch.head main\x00# branch.upstream origin/main\x00# branch.ab +0 -0\x001 .M N... 1 2 3 a b name\x002 R. N... 1 2 3 a b R1 new\x00old\x00? x\x00")
	f.Add("u UU N... 1 2 3 4 a b c\x002 R.")
	f.Fuzz(func(t *testing.T, out string) {
		var w Work
		w.readStatus(out)
		parseRemotes(out)
		for _, p := range w.New {
			if strings.HasSuffix(p, "/") || strings.Contains(p, "\x00") {
				t.Fatalf("%q is listed as a file", p)
			}
		}
	})
}
