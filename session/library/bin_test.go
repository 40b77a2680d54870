package library_test

import (
	"path/filepath"
	"testing"
	"time"

	"parley/session"
	"parley/session/library"
	"parley/session/sessiontest"
	"parley/session/store"
	"parley/session/store/bin"
)

// TestDiscard moves a session into the bin and back, and refuses one that another store or the agent's own program has open, or of which
// nothing is stored.
func TestDiscard(t *testing.T) {
	dir := t.TempDir()
	o := store.Options{Dir: filepath.Join(dir, "sessions"), LockDir: filepath.Join(dir, "locks")}
	s := store.New(o)
	k := &keeper{Agent: sessiontest.NewWorld().Agent, own: session.Meta{ID: "own", Agent: "builtin", First: "theirs"}}
	l := library.New(library.Options{Journals: s, Agents: []session.Agent{k}, Bin: bin.New(filepath.Join(dir, "bin"))})
	j, err := s.Create(t.Context(), session.Meta{ID: "a", Agent: "builtin", Dir: "/d"})
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Discard(t.Context(), "a", false); session.KindOf(err) != session.KindLocked {
		t.Errorf("open here: %v", err)
	}
	if p := session.ProblemOf(l.Discard(t.Context(), "a", false), time.Now()); p.What != "It is open in another tab: stop it there first." {
		t.Errorf("open here: %q", p.What)
	}
	if err := j.Append(session.TurnStarted{Head: session.Head{Turn: "t", At: time.Unix(9, 0)}, Prompt: session.Prompt{Text: "words"}}); err != nil {
		t.Fatal(err)
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	k.users = []int{4711}
	if err := l.Discard(t.Context(), "own", true); session.KindOf(err) != session.KindLocked {
		t.Errorf("open in the agent's own program: %v", err)
	}
	if err := l.Discard(t.Context(), "none", false); session.KindOf(err) != session.KindNotFound {
		t.Errorf("none: %v", err)
	}
	if err := l.Discard(t.Context(), "a", false); err != nil {
		t.Fatal(err)
	}
	if all, err := l.Deleted(t.Context()); err != nil || len(all) != 1 || all[0].First != "words" || all[0].Turns != 1 || s.Has("a") {
		t.Errorf("%+v, %v", all, err)
	}
	other := store.New(o) // the id is used again
	again, err := other.Create(t.Context(), session.Meta{ID: "a", Agent: "builtin", Dir: "/d"})
	if err != nil {
		t.Fatal(err)
	}
	if err := l.RestoreFrom(t.Context(), "a", time.Time{}); session.KindOf(err) == "" {
		t.Errorf("while it is open elsewhere: %v", err)
	}
	if err := again.Close(); err != nil {
		t.Fatal(err)
	}
	if err := l.RestoreFrom(t.Context(), "a", time.Time{}); session.KindOf(err) != session.KindInvalid {
		t.Errorf("over another session: %v", err)
	}
	if err := l.Discard(t.Context(), "a", false); err != nil {
		t.Fatal(err)
	}
	both, err := l.Deleted(t.Context())
	if err != nil || len(both) != 2 {
		t.Fatalf("%+v, %v", both, err)
	}
	if err := l.RestoreFrom(t.Context(), "a", time.Unix(1, 0)); session.KindOf(err) != session.KindNotFound {
		t.Errorf("never deleted then: %v", err)
	}
	if err := l.RestoreFrom(t.Context(), "a", both[1].Deleted); err != nil {
		t.Fatal(err)
	}
	if m, events, err := s.Read(t.Context(), "a"); err != nil || m.First != "words" || len(events) != 1 {
		t.Errorf("%+v, %d events, %v", m, len(events), err)
	}
	if err := l.RestoreFrom(t.Context(), "a", both[1].Deleted); session.KindOf(err) != session.KindNotFound {
		t.Errorf("twice: %v", err)
	}
	if n, err := l.Empty(t.Context(), func(session.Meta) bool { return true }); n != 1 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
}
