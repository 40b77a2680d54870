package store

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
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

func TestWhatIsAppendedIsReadBack(t *testing.T) {
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

func TestTornLastLineAtEveryOffset(t *testing.T) {
	s := testStore(t)
	j := mustCreate(t, s, "s1")
	appendAll(t, j, conversation())
	j.Close()
	path := filepath.Join(s.dir, "s1"+journalSuffix)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	os.Remove(summaryPath(path))
	next := session.TurnStarted{Head: head(9), Prompt: session.Prompt{Text: "go on"}}
	for cut := range whole {
		if err := os.WriteFile(path, whole[:cut], 0o600); err != nil {
			t.Fatal(err)
		}
		lines := bytes.Count(whole[:cut], []byte("\n"))
		if bytes.HasSuffix(whole[:cut+1], []byte("\n")) {
			lines++ // only the line's end is missing: nothing is lost
		}
		want := max(lines-1, 0) // the first is the header
		j, meta, events, err := s.Open(context.Background(), "s1")
		if err != nil {
			t.Fatalf("cut at %d: %v", cut, err)
		}
		kept, notices := split(events)
		if diff := cmp.Diff(merged()[:want], kept); diff != "" {
			t.Fatalf("cut at %d: %s", cut, diff)
		}
		clean := whole[cut] == '\n' || (cut > 0 && whole[cut-1] == '\n')
		if clean != (notices == 0) {
			t.Fatalf("cut at %d: %d notices", cut, notices)
		}
		if meta.ID != "s1" {
			t.Fatalf("cut at %d: meta %+v", cut, meta)
		}
		// What is appended afterwards is a line of its own.
		appendAll(t, j, []session.Event{next})
		j.Close()
		_, events, _ = s.Read(context.Background(), "s1")
		kept, _ = split(events)
		if diff := cmp.Diff(append(merged()[:want:want], next), kept); diff != "" {
			t.Fatalf("cut at %d, appended: %s", cut, diff)
		}
		os.Remove(summaryPath(path))
	}
}

func split(events []session.Event) (kept []session.Event, notices int) {
	kept = []session.Event{}
	for _, e := range events {
		if _, ok := e.(session.Notice); ok {
			notices++
		} else {
			kept = append(kept, e)
		}
	}
	return kept, notices
}

func TestDamageIsLeftOutAndTold(t *testing.T) {
	line := func(e session.Event) string {
		b, err := session.EncodeEvent(e)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	good := merged()
	headerLine, _ := encodeHeader(session.Meta{ID: "s1", Dir: "/src"})
	tests := map[string]struct {
		lines []string
		keeps int
		tells string
	}{
		"corrupt middle": {[]string{string(headerLine), line(good[0]), "{]", "\x00\x00", line(good[1])}, 2, "2 lines"},
		"no header":      {[]string{line(good[0]), line(good[1])}, 2, "beginning"},
		"broken header":  {[]string{`{"v":1,"me`, line(good[0])}, 1, "beginning"},
		"newer":          {[]string{`{"v":2,"meta":{"id":"s1"}}`, line(good[0])}, 1, "version 2"},
		"empty":          {nil, 0, "beginning"},
		"unknown":        {[]string{string(headerLine), `{"type":"fromTheFuture","data":{}}`, line(good[0])}, 1, "1 event"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			var text strings.Builder
			for _, l := range test.lines {
				text.WriteString(strings.TrimSuffix(l, "\n") + "\n")
			}
			read := parse(t, "s1", []byte(text.String()))
			kept, _ := split(read.events)
			if len(kept) != test.keeps {
				t.Errorf("kept %d events, want %d", len(kept), test.keeps)
			}
			last, ok := read.events[len(read.events)-1].(session.Notice)
			if !ok || !strings.Contains(last.Text, test.tells) {
				t.Errorf("last event %#v does not tell %q", read.events[len(read.events)-1], test.tells)
			}
			if read.summary.Meta.ID != "s1" {
				t.Errorf("meta %+v", read.summary.Meta)
			}
		})
	}
}

// fullDisk fails after a number of bytes, in the middle of a write if need be.
type fullDisk struct {
	*os.File
	free *int
}

func (f fullDisk) Write(p []byte) (int, error) {
	if len(p) <= *f.free {
		*f.free -= len(p)
		return f.File.Write(p)
	}
	n, _ := f.File.Write(p[:*f.free])
	*f.free = 0
	return n, &fs.PathError{Op: "write", Path: f.Name(), Err: syscall.ENOSPC}
}

func TestFullDiskLosesNothing(t *testing.T) {
	ctx := context.Background()
	for room := 1; room < 2000; room += 37 {
		root := t.TempDir()
		free := 1 << 20
		s := New(Options{Dir: filepath.Join(root, "s"), LockDir: filepath.Join(root, "l"),
			OpenFile: func(name string, flag int, perm fs.FileMode) (File, error) {
				f, err := os.OpenFile(name, flag, perm)
				return fullDisk{f, &free}, err
			}})
		j := mustCreate(t, s, "s1")
		free = room
		failed := 0
		for _, e := range conversation() {
			if err := j.Append(e); err != nil {
				failed++
				if session.KindOf(err) != session.KindDisk || !errors.Is(err, syscall.ENOSPC) {
					t.Fatalf("not a disk error: %v", err)
				}
				if n := strings.Count(err.Error(), "s1"+journalSuffix); n != 1 {
					t.Fatalf("names the path %d times: %v", n, err)
				}
			}
		}
		if room < 500 && failed == 0 {
			t.Fatal("the disk never was full")
		}
		free = 1 << 20
		if err := j.Close(); err != nil {
			t.Fatal(err)
		}
		_, events, err := s.Read(ctx, "s1")
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(merged(), events); diff != "" {
			t.Fatalf("room for %d bytes: %s", room, diff)
		}
	}
}

func TestFilesArePrivate(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Log("Windows has no permission bits")
		return
	}
	s := testStore(t)
	j := mustCreate(t, s, "s1")
	appendAll(t, j, conversation())
	modes := map[string]fs.FileMode{
		s.dir: 0o700, s.lockDir: 0o700,
		filepath.Join(s.dir, "s1.jsonl"): 0o600, filepath.Join(s.dir, "s1.summary.json"): 0o600,
		filepath.Join(s.lockDir, "s1.lock"): 0o600,
	}
	for path, want := range modes {
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if got := info.Mode().Perm(); got != want {
			t.Errorf("%s has mode %o, want %o", path, got, want)
		}
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	if left, _ := os.ReadDir(s.lockDir); len(left) != 0 {
		t.Errorf("the lock file stayed: %v", left)
	}
}

func TestHostileIDsAreRefused(t *testing.T) {
	s := testStore(t)
	ctx := context.Background()
	for _, id := range []session.ID{"", ".", "..", "../x", "a/b", `a\b`, "a\x00", ".hidden", session.ID(strings.Repeat("a", 300))} {
		_, createErr := s.Create(ctx, session.Meta{ID: id})
		_, _, _, openErr := s.Open(ctx, id)
		_, _, readErr := s.Read(ctx, id)
		for _, err := range []error{createErr, openErr, readErr, s.Remove(ctx, id)} {
			if session.KindOf(err) != session.KindInvalid {
				t.Errorf("%q: %v", id, err)
			}
		}
	}
}

func TestRemove(t *testing.T) {
	s := testStore(t)
	ctx := context.Background()
	j := mustCreate(t, s, "s1")
	appendAll(t, j, conversation())
	if err := s.Remove(ctx, "s1"); session.KindOf(err) != session.KindLocked {
		t.Fatalf("a session in use was removed: %v", err)
	}
	j.Close()
	if err := s.Remove(ctx, "s1"); err != nil {
		t.Fatal(err)
	}
	if err := s.Remove(ctx, "s1"); session.KindOf(err) != session.KindNotFound {
		t.Fatalf("removed twice: %v", err)
	}
	if left, _ := os.ReadDir(s.dir); len(left) != 0 {
		t.Errorf("left behind: %v", left)
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

func FuzzParse(f *testing.F) {
	headerLine, _ := encodeHeader(session.Meta{ID: "x", Title: "t"})
	whole := append([]byte{}, headerLine...)
	for _, e := range merged() {
		line, err := session.EncodeEvent(e)
		if err != nil {
			f.Fatal(err)
		}
		whole = append(append(whole, line...), '\n')
	}
	f.Add(whole)
	f.Add(whole[:len(whole)/2])
	f.Add([]byte("\n\n{}\n[]\nnull\n"))
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, data []byte) {
		read := parse(t, "x", data)
		if read.summary.Meta.ID != "x" {
			t.Fatal("the id changed")
		}
		if read.whole > len(data) || read.torn && read.unended {
			t.Fatalf("%+v", read)
		}
		// What is kept reads the same again, without a torn end.
		again := parse(t, "x", data[:read.whole])
		if again.torn {
			t.Fatal("torn again")
		}
		a, _ := split(read.events)
		b, _ := split(again.events)
		if diff := cmp.Diff(a, b); diff != "" {
			t.Fatal(diff)
		}
	})
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
