package index

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"zombiezen.com/go/sqlite"

	"parley/session"
)

var began = time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)

// library is what was said in sessions, by their ids.
type library map[session.ID]string

// sources returns the sessions, changed at a time.
func (l library) sources(at time.Time) Sources {
	s := Sources{All: true, Texts: func(_ context.Context, m session.Meta, want session.TextQuery, yield func(session.Text) bool) (string, error) {
		if l[m.ID] == "broken" {
			return "", &session.Error{Op: "read", Kind: session.KindDisk, Err: errors.New("broken")}
		}
		for text := range strings.SplitSeq(l[m.ID], "|") {
			if want.Spoken && !yield(session.Text{Bytes: []byte(text)}) {
				break
			}
		}
		return "", nil
	}}
	for i, id := range slices.Sorted(maps.Keys(l)) {
		s.Sessions = append(s.Sessions, session.Meta{ID: id, Dir: "/d" + string(id[:1]), Updated: at.Add(time.Duration(i) * time.Second)})
	}
	return s
}

func newIndex(t *testing.T) *Index {
	x := New(filepath.Join(t.TempDir(), "index", "sessions.db"))
	t.Cleanup(func() {
		if err := x.Close(); err != nil {
			t.Error(err)
		}
	})
	return x
}

func (l library) update(t *testing.T, x *Index, at time.Time, want int) {
	t.Helper()
	if read, err := x.Update(t.Context(), l.sources(at)); read != want || err != nil {
		t.Fatalf("read %d, want %d; %v", read, want, err)
	}
}

// check compares the sessions that may have a word.
func check(t *testing.T, x *Index, word, want string) {
	t.Helper()
	_, has, err := x.Look(t.Context(), []string{word})
	if err != nil {
		t.Fatal(err)
	}
	got := "all"
	if has[0] != nil {
		got = ""
		for _, id := range slices.Sorted(maps.Keys(has[0])) {
			got += string(id) + " "
		}
	}
	if strings.TrimSpace(got) != want {
		t.Errorf("%q is in %q, want %q", word, got, want)
	}
}

// TestLook finds words by their beginnings, in any case, and follows changes and removals.
func TestLook(t *testing.T) {
	x, l := newIndex(t), library{"a": "Fix the JITTER in sky_upload.go|Ärger", "b": "jitterbug", "c": ""}
	l.update(t, x, began, 3)
	for word, want := range map[string]string{"jitter": "a b", "jitterb": "b", "itter": "", "sky_upl": "a", "upload.go": "a", "upload.": "a", "uplo.go": "", "ärg": "a",
		"=>": "all", "ji": "a b", `"the`: "a", "nope": ""} {
		check(t, x, word, want)
	}
	l.update(t, x, began, 0)
	l["c"] = "now jitter too"
	s := l.sources(began)
	s.Sessions[2].Updated = began.Add(time.Hour)
	if read, err := x.Update(t.Context(), s); read != 1 || err != nil {
		t.Fatalf("%d, %v", read, err)
	}
	check(t, x, "jitter", "a b c")
	indexed, _, err := x.Look(t.Context(), nil)
	if err != nil || len(indexed) != 3 || !indexed["c"].Equal(began.Add(time.Hour)) || !indexed["a"].Equal(began) {
		t.Errorf("%v, %v", indexed, err)
	}
	if err := x.Remove(t.Context(), "b"); err != nil {
		t.Fatal(err)
	}
	check(t, x, "jitter", "a c")
	delete(l, "a")
	delete(l, "b")
	l.update(t, x, began.Add(2*time.Hour), 1)
	check(t, x, "jitter", "c")
	all, err := x.Newest(t.Context(), "/dc", 5)
	if err != nil || len(all) != 1 || all[0].ID != "c" {
		t.Errorf("%v, %v", all, err)
	}
	if read, err := x.Rebuild(t.Context(), library{"a": "other"}.sources(began)); read != 1 || err != nil {
		t.Fatal(read, err)
	}
	check(t, x, "jitter", "")
}

// TestLongSession indexes a session of many pieces, and replaces all of them.
func TestLongSession(t *testing.T) {
	x := newIndex(t)
	long := strings.Repeat(strings.Repeat("filler ", 1000)+"|", 1200)
	library{"a": "first|" + long + "last"}.update(t, x, began, 1)
	check(t, x, "first", "a")
	check(t, x, "last", "a")
	library{"a": "other"}.update(t, x, began.Add(time.Second), 1)
	check(t, x, "filler", "")
	check(t, x, "other", "a")
}

// TestBrokenSession indexes the sessions besides one that cannot be read, names it, and reads it with the next update.
func TestBrokenSession(t *testing.T) {
	x, l := newIndex(t), library{"a": "jitter", "b": "broken", "c": "jitter"}
	read, err := x.Update(t.Context(), l.sources(began))
	if read != 2 || err == nil || !strings.Contains(err.Error(), "session b") {
		t.Errorf("%d, %v", read, err)
	}
	check(t, x, "jitter", "a c")
	l["b"] = "jitter"
	l.update(t, x, began, 1)
	check(t, x, "jitter", "a b c")
}

// TestDamage sets files that are no database, or a damaged one, aside and makes them again.
func TestDamage(t *testing.T) {
	x, l := newIndex(t), library{"a": "jitter"}
	for name, damage := range map[string]func() error{
		"no database": func() error { return os.WriteFile(x.path, []byte(strings.Repeat("no database ", 999)), 0o600) },
		"torn":        func() error { return os.Truncate(x.path, 5000) },
		"empty":       func() error { return os.Truncate(x.path, 0) },
		"gone":        func() error { return os.Remove(x.path) },
	} {
		for _, first := range []string{"update", "look"} {
			l.update(t, x, began, 1)
			if err := x.Close(); err != nil {
				t.Fatal(err)
			}
			if err := damage(); err != nil {
				t.Fatal(err)
			}
			if first == "look" {
				if _, _, err := x.Look(t.Context(), []string{"jitter"}); err != nil {
					t.Errorf("%s: %v", name, err)
				}
			}
			if _, err := x.Update(t.Context(), l.sources(began)); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			check(t, x, "jitter", "a")
			if _, err := x.Rebuild(t.Context(), Sources{All: true}); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// TestDamageOfTwo meets one damage with two that have the file: the second leaves the new file of the first, and none sets a file aside while
// another has the lock.
func TestDamageOfTwo(t *testing.T) {
	x, l := newIndex(t), library{"a": "jitter"}
	l.update(t, x, began, 1)
	other := New(x.path)
	t.Cleanup(func() { other.Close() })
	nothing := func(*sqlite.Conn) error { return nil }
	damage := func() error {
		if err := errors.Join(x.Close(), other.Close(), os.WriteFile(x.path, []byte(strings.Repeat("no database ", 999)), 0o600)); err != nil {
			t.Fatal(err)
		}
		return other.use(t.Context(), &other.reader, "read", nothing)
	}
	met := damage()
	l.update(t, x, began, 1)
	if err := other.setAside(met); !damaged(met) || err != nil {
		t.Fatal(met, err)
	}
	check(t, other, "jitter", "a")
	check(t, x, "jitter", "a")
	if data, err := os.ReadFile(x.path + ".damaged"); err != nil || !strings.HasPrefix(string(data), "no database") {
		t.Errorf("%.20q, %v", data, err)
	}

	damage()
	lock, err := x.lock()
	if err != nil || lock == nil {
		t.Fatal(lock, err)
	}
	if _, _, err := other.Look(t.Context(), nil); !damaged(err) {
		t.Errorf("while an update is at it: %v", err)
	}
	lock.Close()
	l["b"] = "jitter"
	l.update(t, other, began, 2)
	check(t, x, "jitter", "a b")
}

// TestReplacedFile goes on with the file at the path, whoever put it there, also while it has another one open.
func TestReplacedFile(t *testing.T) {
	if filepath.Separator != '/' {
		return // an open file cannot be renamed there
	}
	x, y := newIndex(t), New(filepath.Join(t.TempDir(), "other.db"))
	library{"a": "jitter"}.update(t, x, began, 1)
	library{"b": "jitter"}.update(t, y, began, 1)
	check(t, x, "jitter", "a")
	if err := errors.Join(y.Close(), os.Rename(y.path, x.path)); err != nil {
		t.Fatal(err)
	}
	check(t, x, "jitter", "b")
	library{"b": "jitter", "c": "jitter"}.update(t, x, began, 1)
	check(t, x, "jitter", "b c")
}

// TestRebuildWaits makes the index again behind another that brings it up to date, and counts what it read itself.
func TestRebuildWaits(t *testing.T) {
	x, l := newIndex(t), library{"a": "jitter", "b": "other"}
	other := New(x.path)
	s, reads, ends := l.sources(began), make(chan bool), make(chan bool)
	texts := s.Texts
	s.Texts = func(ctx context.Context, m session.Meta, want session.TextQuery, yield func(session.Text) bool) (string, error) {
		if m.ID == "a" && want.Spoken {
			reads <- true
			<-ends
		}
		return texts(ctx, m, want, yield)
	}
	updated := make(chan error)
	go func() {
		_, err := other.Update(t.Context(), s)
		updated <- err
	}()
	<-reads
	again, waited := l.sources(began), 0
	again.Waits = func() {
		waited++
		close(ends)
	}
	if read, err := x.Rebuild(t.Context(), again); read != 2 || waited != 1 || err != nil {
		t.Errorf("%d read, waited %d times, %v", read, waited, err)
	}
	if err := errors.Join(<-updated, other.Close()); err != nil {
		t.Error(err)
	}
	check(t, x, "jitter", "a")
	lock, err := x.lock()
	if err != nil || lock == nil {
		t.Fatal(lock, err)
	}
	defer lock.Close()
	ctx, cancel := context.WithCancel(t.Context())
	again.Waits = cancel
	if _, err := x.Rebuild(ctx, again); !errors.Is(err, context.Canceled) {
		t.Errorf("ended while it waits: %v", err)
	}
}

// TestNoPlace returns errors where the index cannot be, and leaves what is there.
func TestNoPlace(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	x := New(filepath.Join(file, "sessions.db"))
	if _, _, err := x.Look(t.Context(), nil); session.KindOf(err) != session.KindDisk {
		t.Errorf("look: %v", err)
	}
	if _, err := x.Update(t.Context(), library{"a": "x"}.sources(began)); session.KindOf(err) != session.KindDisk {
		t.Errorf("update: %v", err)
	}
	if text, err := os.ReadFile(file); string(text) != "mine" || err != nil {
		t.Errorf("%q, %v", text, err)
	}
}

// processVariable names the index and the number of a process of TestProcesses.
const processVariable = "PARLEY_TEST_INDEX"

// TestProcesses works with 8 processes at one index: none fails, and all that one of them says is found in the end.
func TestProcesses(t *testing.T) {
	const processes, rounds = 8, 6
	if path, n, ok := strings.Cut(os.Getenv(processVariable), "|"); ok {
		x := New(path)
		x.patience = 5 * time.Minute // SQLite's locks are not fair
		for round := range rounds {
			l := library{}
			for i := range 40 {
				l[session.ID(fmt.Sprintf("s%02d", i))] = fmt.Sprintf("word%d round%d", i, round)
			}
			if _, err := x.Update(t.Context(), l.sources(began.Add(time.Duration(round)*time.Hour))); err != nil {
				t.Fatal(err)
			}
			if _, _, err := x.Look(t.Context(), []string{"word1", "round"}); err != nil {
				t.Fatal(err)
			}
			if err := x.Remove(t.Context(), session.ID("s0"+n)); err != nil {
				t.Fatal(err)
			}
		}
		if err := x.Close(); err != nil {
			t.Fatal(err)
		}
		return
	}
	x := newIndex(t)
	var running []*exec.Cmd
	var outputs [processes]strings.Builder
	for i := range processes {
		cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestProcesses$")
		cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%s|%d", processVariable, x.path, i))
		cmd.Stdout, cmd.Stderr = &outputs[i], &outputs[i]
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		running = append(running, cmd)
	}
	for i, cmd := range running {
		if err := cmd.Wait(); err != nil {
			t.Errorf("%v\n%s", err, &outputs[i])
		}
	}
	l := library{}
	for i := range 40 {
		l[session.ID(fmt.Sprintf("s%02d", i))] = fmt.Sprintf("word%d", i)
	}
	l.update(t, x, began.Add(99*time.Hour), 40)
	check(t, x, "word39", "s39")
	check(t, x, "round", "")
}
