package store

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"parley/session"
)

var began = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func at(seconds int) time.Time { return began.Add(time.Duration(seconds) * time.Second) }

func testStore(t *testing.T) *Store {
	t.Helper()
	root := t.TempDir()
	return New(Options{Dir: filepath.Join(root, "sessions"), LockDir: filepath.Join(root, "locks")})
}

func head(seconds int) session.Head {
	return session.Head{Session: "s1", Turn: "t1", Gen: 1, At: at(seconds)}
}

// conversation is a short session with deltas that belong together and deltas that do not.
func conversation() []session.Event {
	return []session.Event{
		session.TurnStarted{Head: head(1), Prompt: session.Prompt{ID: "t1", Text: "why  does\nit flake?"}, Origin: session.OriginUser},
		session.PartStarted{Head: head(2), Part: "p1", Kind: session.PartText},
		session.PartDelta{Head: head(2), Part: "p1", Text: "The test "},
		session.PartDelta{Head: head(3), Part: "p1", Text: "closes"},
		session.PartEnded{Head: head(3), Part: "p1", Opaque: json.RawMessage(`{"signature":"a+b/c=="}`)},
		session.ToolStarted{Head: head(4), Call: "c1", Name: "Bash"},
		session.ToolInput{Head: head(4), Call: "c1", Fragment: `{"command":`},
		session.ToolInput{Head: head(4), Call: "c1", Fragment: `"ls"}`},
		session.ToolReady{Head: head(4), Call: "c1", Input: json.RawMessage(`{"command":"ls"}`)},
		session.ToolOutput{Head: head(5), Call: "c1", Text: "a\n"},
		session.ToolEnded{Head: head(5), Call: "c1", Outcome: session.ToolOK, Result: session.ToolResult{Text: "a\n"}},
		session.TurnEnded{Head: head(6), Outcome: session.TurnCompleted, Duration: 5 * time.Second},
	}
}

// merged is what remains of conversation on disk: adjacent deltas of one thing are one.
func merged() []session.Event {
	c := conversation()
	return []session.Event{
		c[0], c[1],
		session.PartDelta{Head: head(2), Part: "p1", Text: "The test closes"},
		c[4], c[5],
		session.ToolInput{Head: head(4), Call: "c1", Fragment: `{"command":"ls"}`},
		c[8], c[9], c[10], c[11],
	}
}

func mustCreate(t *testing.T, s *Store, id session.ID) session.Journal {
	t.Helper()
	j, err := s.Create(context.Background(), session.Meta{ID: id, Agent: "builtin", Dir: "/src", Created: began, Updated: began})
	if err != nil {
		t.Fatal(err)
	}
	return j
}

func appendAll(t *testing.T, j session.Journal, events []session.Event) {
	t.Helper()
	for _, e := range events {
		if err := j.Append(e); err != nil {
			t.Fatal(err)
		}
	}
}

func TestAppendedEventsAreReadBack(t *testing.T) {
	s := testStore(t)
	j := mustCreate(t, s, "s1")
	appendAll(t, j, conversation())
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	meta, events, err := s.Read(context.Background(), "s1")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(merged(), events); diff != "" {
		t.Error(diff)
	}
	want := session.Meta{ID: "s1", Agent: "builtin", Dir: "/src", First: "why does it flake?", Turns: 1, Created: began, Updated: at(6)}
	if diff := cmp.Diff(want, meta); diff != "" {
		t.Error(diff)
	}
}

func TestDeltasWaitAndEverythingElseDoesNot(t *testing.T) {
	s := testStore(t)
	j := mustCreate(t, s, "s1")
	defer j.Close()
	onDisk := func() int {
		_, events, err := s.Read(context.Background(), "s1")
		if err != nil {
			t.Fatal(err)
		}
		return len(events)
	}
	appendAll(t, j, conversation()[:2])
	if n := onDisk(); n != 2 {
		t.Fatalf("%d events on disk, want 2", n)
	}
	appendAll(t, j, conversation()[2:4])
	if n := onDisk(); n != 2 {
		t.Fatalf("a delta did not wait: %d events", n)
	}
	if err := j.Flush(); err != nil {
		t.Fatal(err)
	}
	if n := onDisk(); n != 3 {
		t.Fatalf("%d events after Flush, want 3", n)
	}
	appendAll(t, j, conversation()[2:5])
	_, events, err := s.Read(context.Background(), "s1") // the delta is read as one with that before it
	if err != nil || len(events) != 4 || events[2].(session.PartDelta).Text != "The test closesThe test closes" {
		t.Fatalf("a delta and what follows it were not both written: %+v, %v", events, err)
	}
}

func TestDeltasOfDifferentThingsAreNotMerged(t *testing.T) {
	h := head(1)
	child := h
	child.Child = "k"
	tests := map[string][2]session.Event{
		"parts":    {session.PartDelta{Head: h, Part: "a", Text: "x"}, session.PartDelta{Head: h, Part: "b", Text: "y"}},
		"kinds":    {session.ToolInput{Head: h, Call: "a", Fragment: "x"}, session.ToolOutput{Head: h, Call: "a", Text: "y"}},
		"calls":    {session.ToolOutput{Head: h, Call: "a", Text: "x"}, session.ToolOutput{Head: h, Call: "b", Text: "y"}},
		"children": {session.PartDelta{Head: h, Part: "a", Text: "x"}, session.PartDelta{Head: child, Part: "a", Text: "y"}},
	}
	for name, pair := range tests {
		t.Run(name, func(t *testing.T) {
			s := testStore(t)
			j := mustCreate(t, s, "s1")
			appendAll(t, j, pair[:])
			j.Close()
			_, events, _ := s.Read(context.Background(), "s1")
			if diff := cmp.Diff(pair[:], events); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestAppendAfterCloseIsRefused(t *testing.T) {
	s := testStore(t)
	j := mustCreate(t, s, "s1")
	j.Close()
	if err := j.Append(conversation()[0]); session.KindOf(err) != session.KindInternal {
		t.Error(err)
	}
	if err := j.Close(); err != nil {
		t.Error("a second Close failed:", err)
	}
}

func ExampleStore() {
	root, _ := os.MkdirTemp("", "store")
	defer os.RemoveAll(root)
	s := New(Options{Dir: filepath.Join(root, "sessions"), LockDir: filepath.Join(root, "locks")})
	ctx := context.Background()
	j, _ := s.Create(ctx, session.Meta{ID: "a", Agent: "builtin", Dir: "/src"})
	_ = j.Append(session.TurnStarted{Head: session.Head{Session: "a", Turn: "1"}, Prompt: session.Prompt{Text: "hello"}})
	_ = j.Close()
	list, _ := s.List(ctx)
	fmt.Println(list[0].ID, list[0].First, list[0].Turns)
	// Output: a hello 1
}

// What a kill leaves while a journal is created is replaced, and nothing else.
func TestCreateOverATornHeader(t *testing.T) {
	whole, err := encodeHeader(session.Meta{ID: "s1", Agent: "builtin", Dir: "/src"})
	if err != nil {
		t.Fatal(err)
	}
	for cut := range len(whole) + 1 {
		s := New(Options{Dir: t.TempDir(), LockDir: t.TempDir()})
		path := filepath.Join(s.dir, "s1"+journalSuffix)
		if err := os.WriteFile(path, whole[:cut], 0o600); err != nil {
			t.Fatal(err)
		}
		j, err := s.Create(t.Context(), session.Meta{ID: "s1", Agent: "other"})
		if begun := cut >= len(whole)-1; (err != nil) != begun {
			t.Fatalf("cut at %d: %v", cut, err)
		}
		if err != nil {
			continue
		}
		if err := j.Close(); err != nil {
			t.Fatal(err)
		}
		if m, _, err := s.Read(t.Context(), "s1"); err != nil || m.Agent != "other" {
			t.Errorf("cut at %d: %+v, %v", cut, m, err)
		}
	}
	for _, other := range []string{"noise", "\n", `{"x":1`} {
		s := New(Options{Dir: t.TempDir(), LockDir: t.TempDir()})
		if err := os.WriteFile(filepath.Join(s.dir, "s1"+journalSuffix), []byte(other), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Create(t.Context(), session.Meta{ID: "s1"}); session.KindOf(err) != session.KindInvalid {
			t.Errorf("%q: %v", other, err)
		}
	}
}
