//go:build unix

package builtin

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parley/session"
)

// A link asks about what it leads to: the name alone would mislead.
func TestAsksSayWhereLinksLead(t *testing.T) {
	outside := t.TempDir()
	outside, err := filepath.EvalSymlinks(outside)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, to := range map[string]string{"away": outside, "nowhere": filepath.Join(outside, "missing"), "near": "sub"} {
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "sub"), 0o700); err != nil {
		t.Fatal(err)
	}
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		"plain.txt": "", "sub/new/plain.txt": "",
		"away/new/a.txt": "away/new/a.txt leads to " + filepath.Join(outside, "new", "a.txt") + ".",
		"near/a.txt":     "near/a.txt leads to " + filepath.Join(real, "sub", "a.txt") + ".",
		"nowhere":        "nowhere is a link to " + filepath.Join(outside, "missing") + ", which does not exist.",
	} {
		input := `{"file_path":` + quoted(path) + `,"content":"x"}`
		s := newService(t, callsReply([3]string{"w1", "Write", input}), says("done"))
		ch := openChat(t, s, in(dir))
		ch.answerAll(session.Answer{Decision: session.Deny})
		ch.send("x")
		asked := eventsOf[session.Asked](ch)
		if len(asked) != 1 || !strings.HasPrefix(asked[0].Permission.Reason, want) || want == "" && asked[0].Permission.Reason != "" {
			t.Errorf("%s: %+v", path, asked)
		}
	}
}

// A session whose directory is reached through a link is asked about no more than any other, whatever the directories
// above it are called; what a link within it leads to counts.
func TestADirectoryBehindALink(t *testing.T) {
	top := realDir(t)
	real, link := filepath.Join(top, ".husky", "work"), filepath.Join(top, "link")
	must(t, os.MkdirAll(filepath.Join(real, ".github/workflows"), 0o700), os.Symlink(real, link),
		os.Symlink(".github/workflows/gone.yml", filepath.Join(real, "harmless")))
	for name, want := range map[string]string{"a.txt": "", "sub/new/a.txt": "", "harmless": "Always asked: "} {
		input := `{"file_path":` + quoted(name) + `,"content":"x"}`
		ch := openChat(t, newService(t, callsReply([3]string{"w", "Write", input}), says("done")), in(link), mode(session.ModeAcceptEdits))
		ch.answerAll(session.Answer{Decision: session.Allow})
		ch.send("x")
		asked := eventsOf[session.Asked](ch)
		if want == "" && len(asked) != 0 || want != "" && (len(asked) != 1 || !strings.Contains(asked[0].Permission.Reason, want)) {
			t.Errorf("%s: %+v", name, asked)
		}
		if got := ch.ended()["w"]; got.Outcome != session.ToolOK {
			t.Errorf("%s: %+v", name, got)
		}
	}
}
