//go:build unix

package builtin

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"parley/session"
)

// The system prompt stays as it is while files, branch and date change; the model is told in the next turn, once, and a resumed
// session sends the same.
func TestFactsStayAndChangesAreTold(t *testing.T) {
	run := func(dir string, resume bool) []string {
		s := newService(t, says("one"), says("two"), says("three"))
		day := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
		clock := func(o *Options, _ *session.OpenOptions) {
			o.Now = func() time.Time { return day }
		}
		ch := openChat(t, s, in(dir), clock)
		ch.file(".git/HEAD", "ref: refs/heads/main\n")
		ch.file("AGENTS.md", "use tabs")
		ch.file("CLAUDE.md", "be quick")
		ch.sendAs("1", session.Prompt{Text: "first"})
		ch.file("AGENTS.md", "use spaces")
		ch.file(".git/HEAD", "ref: refs/heads/fix\n")
		must(t, os.Remove(filepath.Join(dir, "CLAUDE.md")))
		day = day.AddDate(0, 0, 1)
		past := ch.all()
		for _, id := range []session.TurnID{"2", "3"} {
			if resume {
				var tr session.Transcript
				for _, e := range past {
					tr.Apply(e)
				}
				ch = openChat(t, s, in(dir), clock, history(&tr))
			}
			ch.sendAs(id, session.Prompt{Text: "prompt " + string(id)})
			past = append(past, ch.all()...)
		}
		return s.requests()
	}
	dir := realDir(t)
	live := run(dir, false)
	if diff := cmp.Diff(live, run(dir, true)); diff != "" {
		t.Errorf("after a resume: %s", diff)
	}
	system := func(body string) string { return body[:strings.Index(body, `"messages"`)] }
	for i, body := range live {
		if system(body) != system(live[0]) {
			t.Errorf("request %d has another beginning", i)
		}
	}
	for _, want := range []string{"Git branch: fix", "Date: 2026-03-02", "use spaces", "CLAUDE.md no longer hold"} {
		if n := strings.Count(live[2], want); n != 1 {
			t.Errorf("%q stands %d times in the last request", want, n)
		}
	}
}

// A directory's instructions come with the result of the first call that touches a file there, and only once.
func TestNestedInstructions(t *testing.T) {
	read := func(id, path string) reply {
		return callsReply([3]string{id, "Read", `{"file_path":` + quoted(path) + `}`})
	}
	s := newService(t, read("r1", "sub/a.txt"), read("r2", "sub/b.txt"), says("done"))
	ch := openChat(t, s)
	ch.file("sub/AGENTS.md", "of the part")
	ch.file("sub/a.txt", "a")
	ch.file("sub/b.txt", "b")
	ch.send("read")
	if got := s.requests()[2]; strings.Count(got, "of the part") != 1 || strings.Contains(s.requests()[0], "of the part") {
		t.Error(got)
	}
	if out := ch.ended()["r1"].Result; strings.Contains(out.Text, "of the part") || !strings.Contains(out.Sent, "of the part") {
		t.Errorf("%+v", out)
	}
	s.add(read("r3", "sub/a.txt"), says("done"))
	again := openChat(t, s, in(ch.dir), history(ch.transcript()))
	again.sendAs("again", session.Prompt{Text: "again"})
	if got := s.requests()[4]; strings.Count(got, "of the part") != 1 {
		t.Error("a resumed session tells them again")
	}
}

// Without the user's word nothing of the project is sent, and the user is told.
func TestInstructionsNeedTrust(t *testing.T) {
	s := newService(t, callsReply([3]string{"r1", "Read", `{"file_path":"sub/a.txt"}`}), says("done"))
	config := t.TempDir()
	must(t, os.WriteFile(filepath.Join(config, "AGENTS.md"), []byte("my own"), 0o600))
	ch := openChat(t, s, func(o *Options, _ *session.OpenOptions) {
		o.ConfigDir, o.Trusted = config, func(string) bool { return false }
	})
	ch.file("AGENTS.md", "not agreed")
	ch.file("sub/AGENTS.md", "not agreed either")
	ch.file("sub/a.txt", "a")
	ch.send("read")
	if got := s.requests()[1]; strings.Contains(got, "not agreed") || !strings.Contains(got, "my own") {
		t.Error(got)
	}
	notices := eventsOf[session.Notice](ch)
	if len(notices) != 1 || !strings.HasPrefix(notices[0].Text, "AGENTS.md of this project not used") {
		t.Errorf("%+v", notices)
	}
}
