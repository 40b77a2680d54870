//go:build unix

package builtin

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"parley/session"
)

// endless are files that never end or never begin, by what they are.
func endless(t *testing.T) map[string]func(path string) {
	return map[string]func(path string){
		"device": func(path string) { must(t, os.Symlink("/dev/zero", path)) },
		"pipe":   func(path string) { must(t, syscall.Mkfifo(path, 0o600)) },
		"loop":   func(path string) { must(t, os.Symlink(filepath.Base(path), path)) },
	}
}

// Whatever stands in a repository in place of the files that are read unasked, a turn begins and its searches end.
func TestFilesWithoutEndInARepository(t *testing.T) {
	for kind, put := range endless(t) {
		for _, name := range []string{".gitignore", "sub/.gitignore", ".git", ".git/HEAD", "AGENTS.md", "CLAUDE.md", "sub/x.go"} {
			t.Run(kind+" "+name, func(t *testing.T) {
				s := newService(t, callsReply([3]string{"g", "Glob", `{"pattern":"**/a.*"}`}, [3]string{"h", "Grep", `{"pattern":"need.e"}`}), says("done"))
				ch := openChat(t, s)
				ch.file("sub/a.txt", "needle\n")
				if name != ".git" {
					ch.file(".git/config", "")
				}
				put(filepath.Join(ch.dir, name))
				if end := ch.send("x"); end.Outcome != session.TurnCompleted {
					t.Errorf("%+v", end)
				}
				for _, id := range []session.CallID{"g", "h"} {
					if got := ch.ended()[id]; got.Result.Text != "sub/a.txt\n" {
						t.Errorf("%s: %+v", id, got)
					}
				}
			})
		}
	}
}

// A repository does not choose which of the user's files are sent.
func TestInstructionsThatLeadElsewhereAreNotSent(t *testing.T) {
	home := realDir(t)
	secret := filepath.Join(home, "secret")
	must(t, os.WriteFile(secret, []byte("my key"), 0o600))
	for to, sent := range map[string]bool{secret: false, "../../secret": false, "docs/real.md": true, ".git/config": false, "gone": true} {
		dir := filepath.Join(home, "repo"+strings.ReplaceAll(to, "/", "_"))
		must(t, os.MkdirAll(filepath.Join(dir, ".git"), 0o700), os.MkdirAll(filepath.Join(dir, "docs"), 0o700), os.MkdirAll(filepath.Join(dir, "sub"), 0o700),
			os.WriteFile(filepath.Join(dir, ".git/config"), []byte("url = https://my key@host"), 0o600),
			os.WriteFile(filepath.Join(dir, "docs/real.md"), []byte("be kind"), 0o600),
			os.WriteFile(filepath.Join(dir, "CLAUDE.md"), []byte("be brief"), 0o600))
		if to == "../../secret" {
			dir = filepath.Join(dir, "sub")
		}
		must(t, os.Symlink(to, filepath.Join(dir, "AGENTS.md")))
		s := newService(t, says("one"), says("two"))
		ch := openChat(t, s, in(dir))
		ch.send("x")
		ch.send("y")
		for i, r := range s.requests() {
			if strings.Contains(r, "my key") || strings.Contains(r, "be kind") != (to == "docs/real.md") || !strings.Contains(r, "be brief") {
				t.Errorf("%s, request %d: %s", to, i, r)
			}
		}
		notices := eventsOf[session.Notice](ch)
		if want := map[bool]int{true: 0, false: 1}[sent]; len(notices) != want {
			t.Errorf("%s: %+v", to, notices)
		} else if want == 1 && !strings.HasPrefix(notices[0].Text, "AGENTS.md was not sent: it is a link") {
			t.Errorf("%s: %q", to, notices[0].Text)
		}
	}
}
