package claude

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"

	"parley/session"
	"parley/session/claude/driver"
	"parley/session/proc"
)

// A session is resumed if the runtime has a transcript with messages of it, and begun under its id otherwise.
func TestResumeOrBegin(t *testing.T) {
	for _, tc := range []struct {
		name, transcript string
		resume, aside    bool
	}{
		{name: "none"},
		{"messages", `{"type":"queue-operation"}` + "\n" + `{"parentUuid":null,"type":"user","message":{}}` + "\n", true, false},
		{"an answer only", `{"type":"assistant"}`, true, false},
		{"no message", `{"type":"queue-operation","content":"type user"}` + "\n", false, true},
		{"nothing", "", false, true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var path string
			talk(t, func(t *testing.T, ch *chat) {
				l := ch.rt().o.Launch
				if l.Resume != tc.resume || l.Session != "0f8fad5b-d9cb-469f-a165-70867728950e" || l.Fork {
					t.Errorf("%+v", l)
				}
				if _, err := os.Stat(path + emptySuffix); (err == nil) != tc.aside {
					t.Errorf("out of the way: %v", err == nil)
				}
			}, func(o *Options, open *session.OpenOptions) {
				path = filepath.Join(o.Home, ".claude", "projects", "-x", string(open.Session)+".jsonl")
				if tc.name == "none" {
					return
				}
				if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, []byte(tc.transcript), 0o600); err != nil {
					t.Fatal(err)
				}
			})
		})
	}
}

// The process that dies may have stored the session: the next one resumes it then.
func TestCrashedSessionIsResumed(t *testing.T) {
	var home string
	talk(t, func(t *testing.T, ch *chat) {
		done := ch.begin(context.Background(), turnID(1), "hello")
		dir := filepath.Join(home, ".claude", "projects", "-x")
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir, "0f8fad5b-d9cb-469f-a165-70867728950e.jsonl")
		if err := os.WriteFile(path, []byte(`{"type":"user"}`), 0o600); err != nil {
			t.Fatal(err)
		}
		ch.rt().die(driver.Exit{Exit: proc.Exit{Code: 1}})
		ch.finished(done)
		synctest.Wait()
		ch.turn(2, "again")
		if !ch.rt().o.Launch.Resume {
			t.Error("started again")
		}
	}, func(o *Options, _ *session.OpenOptions) { home = o.Home })
}

func TestHostileIDsNameNoFile(t *testing.T) {
	a := New(Options{Home: t.TempDir()})
	for _, id := range []session.ID{"*", "../x", "a/b", "", "[a-z]"} {
		if a.stored(id) {
			t.Errorf("%q is stored", id)
		}
	}
}
