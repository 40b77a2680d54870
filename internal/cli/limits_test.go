package cli

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"parley/session"
	"parley/session/store"
)

// The chat stops at the limit of its flag, says so, refuses the next prompt, and goes on once the limit is raised.
func TestLimitsInTheChat(t *testing.T) {
	w := newWorld(t).signIn(driven)
	o := w.runIn("over and over\nmore\n/limit\n/limit off\nmore again\n/quit\n", "--plain", "--max-credits", "0.5", "--permission-mode", "bypassPermissions")
	first, rest, _ := strings.Cut(o.out, "you: more\n")
	refused, after, _ := strings.Cut(rest, "you: more again\n")
	for part, want := range map[string]string{first: "has reached its limit of 0.5 credits", refused: "has reached its limit of 0.5 credits", after: "You said: more again"} {
		if !strings.Contains(part, want) {
			t.Errorf("%q is missing in:\n%s", want, o.out)
		}
	}
	if !strings.Contains(refused, "of 0.50 credits") || !strings.Contains(refused, "has no limit of credits") || strings.Contains(refused, "You said") || w.asks() != 2 {
		t.Errorf("%d requests:\n%s%s", w.asks(), o.out, o.err)
	}
	if o := w.runIn("", "--plain", "--max-credits", "-1"); o.code != 2 || !strings.Contains(o.err, "--max-credits") {
		t.Errorf("%+v", o)
	}
}

// spend stores a session that has cost so much today.
func (w *world) spend(nanoAIU int64) {
	w.t.Helper()
	dirs, _ := filepath.Glob(filepath.Join(w.home, ".local", "share", "*", "sessions"))
	if len(dirs) != 1 {
		w.t.Fatalf("the sessions are in %q", dirs)
	}
	now := time.Now()
	j, err := store.New(store.Options{Dir: dirs[0], LockDir: w.t.TempDir()}).Create(w.t.Context(), session.Meta{ID: "spent", Agent: "builtin", Dir: w.dir, Created: now})
	if err == nil {
		err = errors.Join(j.Append(session.CreditsReported{Head: session.Head{Session: "spent", At: now}, NanoAIU: nanoAIU}), j.Close())
	}
	if err != nil {
		w.t.Fatal(err)
	}
}

// The limit of a day holds for all sessions together.
func TestLimitOfADay(t *testing.T) {
	w := newWorld(t).signIn(talkative)
	w.mustRun("-p", "hello")
	w.env = append(w.env, "PARLEY_LIMITS_DAY_CREDITS=10")
	w.mustRun("-p", "hello")
	w.spend(20e9)
	asked := w.asks()
	r, o := w.ends("", "-p", "--output-format", "json", "hello")
	if o.code == 0 || r.Outcome != session.TurnLimit || r.Problem == nil || !strings.Contains(r.Problem.What, "Today's limit of 10 credits is reached") || w.asks() != asked {
		t.Errorf("%d requests, %+v", w.asks(), o)
	}
	w.mustRun("sessions", "rm", "spent")
	if r, o = w.ends("", "-p", "--output-format", "json", "hello"); r.Outcome != session.TurnLimit {
		t.Errorf("what is in the bin is not counted: %+v", o)
	}
	w.env = append(w.env, "PARLEY_LIMITS_DAY_CREDITS=0")
	w.mustRun("-p", "hello")
}
