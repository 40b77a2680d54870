package bin

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"parley/session"
	"parley/session/spending"
)

var when = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// world is a bin, and the place of a session's files.
type world struct {
	t   *testing.T
	b   *Bin
	dir string
}

func newWorld(t *testing.T) world {
	dir := t.TempDir()
	return world{t, New(filepath.Join(dir, "state", "bin")), filepath.Join(dir, "place")}
}

// make writes the files of a session: a journal, its summary, and a folder.
func (w world) make(id session.ID) Entry {
	w.t.Helper()
	at := func(name string) string { return filepath.Join(w.dir, string(id), name) }
	for name, text := range map[string]string{"journal": "words", "summary": "sum", "agent/sub/part": "part", "agent/other": "other"} {
		if err := errors.Join(os.MkdirAll(filepath.Dir(at(name)), 0o755), os.WriteFile(at(name), []byte(text+string(id)), 0o640), os.Chtimes(at(name), when, when)); err != nil {
			w.t.Fatal(err)
		}
	}
	return Entry{Session: session.Meta{ID: id, First: "a prompt"}, Spent: spending.Session{Dir: "/d", Days: []spending.Day{{Day: "2026-03-01", NanoAIU: 7}}},
		Items: []Item{{From: at("journal")}, {From: at("summary"), Derived: true}, {From: at("missing")}, {From: at("agent")}}}
}

// state returns what of a session is at its place, with contents, modes and times.
func (w world) state(id session.ID) string {
	var all strings.Builder
	root := filepath.Join(w.dir, string(id))
	_ = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(root, path)
		if err != nil || d.IsDir() {
			return nil
		}
		if link, err := os.Readlink(path); err == nil {
			fmt.Fprintf(&all, "%s -> %s\n", rel, link)
			return nil
		}
		data, _ := os.ReadFile(path)
		info, _ := d.Info()
		fmt.Fprintf(&all, "%s %v %v %s\n", rel, info.Mode(), info.ModTime().UTC().Format(time.DateTime), data)
		return nil
	})
	return all.String()
}

// binned returns the ids in the bin.
func (w world) binned() (ids string) {
	w.t.Helper()
	all, err := w.b.List(w.t.Context())
	if err != nil {
		w.t.Fatal(err)
	}
	for _, e := range all {
		ids += string(e.Session.ID) + " "
	}
	return ids
}

// TestThereAndBack deletes a session and brings it back whole, on one file system and from another.
func TestThereAndBack(t *testing.T) {
	for _, apart := range []bool{false, true} {
		w := newWorld(t)
		w.b.apart = apart
		e := w.make("a")
		_ = os.Symlink("../elsewhere", filepath.Join(w.dir, "a", "agent", "link")) // not everyone may on Windows
		before := w.state("a")
		if err := w.b.Put(t.Context(), e, when); err != nil {
			t.Fatal(err)
		}
		if got := w.state("a"); got != "" || w.binned() != "a " {
			t.Errorf("left at its place: %s, in the bin %q", got, w.binned())
		}
		other := New(w.b.dir)
		all, err := other.List(t.Context())
		if err != nil || len(all) != 1 || all[0].Session.First != "a prompt" || !all[0].Session.Deleted.Equal(when) {
			t.Fatalf("%+v, %v", all, err)
		}
		if spent, err := other.Spending(t.Context()); err != nil || len(spent) != 1 || spent[0].Days[0].NanoAIU != 7 {
			t.Errorf("%+v, %v", spent, err)
		}
		if paths, err := other.Below(t.Context(), filepath.Join(w.dir, "a")); err != nil || len(paths) != 3 {
			t.Errorf("%q, %v", paths, err)
		}
		other.apart = apart
		if err := other.Restore(t.Context(), all[0]); err != nil {
			t.Fatal(err)
		}
		if got := w.state("a"); got != before || w.binned() != "" {
			t.Errorf("apart %v: back as\n%swas\n%s", apart, got, before)
		}
		if err := other.Restore(t.Context(), all[0]); session.KindOf(err) != session.KindNotFound {
			t.Errorf("restored twice: %v", err)
		}
	}
}

// TestClash leaves a session in the bin whose place is taken, with what is there, and only makes derived files again.
func TestClash(t *testing.T) {
	w := newWorld(t)
	e := w.make("a")
	before := w.state("a")
	if err := w.b.Put(t.Context(), e, when); err != nil {
		t.Fatal(err)
	}
	all, _ := w.b.List(t.Context())
	mine := e.Items[3].From
	if err := os.WriteFile(mine, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := w.b.Restore(t.Context(), all[0]); session.KindOf(err) != session.KindInvalid || !strings.Contains(err.Error(), mine) {
		t.Errorf("%v", err)
	}
	if data, err := os.ReadFile(mine); string(data) != "mine" || err != nil || w.binned() != "a " {
		t.Errorf("%q, %v, in the bin %q", data, err, w.binned())
	}
	if err := errors.Join(os.Remove(mine), os.WriteFile(e.Items[1].From, []byte("new sum"), 0o600)); err != nil {
		t.Fatal(err)
	}
	if err := w.b.Restore(t.Context(), all[0]); err != nil {
		t.Fatal(err)
	}
	if got := w.state("a"); !strings.Contains(got, "new sum") || strings.Count(got, "\n") != strings.Count(before, "\n") {
		t.Errorf("back as %s", got)
	}
}

// TestFailures returns errors for what cannot be deleted, and leaves it as it was.
func TestFailures(t *testing.T) {
	w := newWorld(t)
	for _, id := range []session.ID{"", "../a", "a/b", ".", "a\x00", session.ID(strings.Repeat("x", 201))} {
		if err := w.b.Put(t.Context(), Entry{Session: session.Meta{ID: id}, Items: []Item{{From: w.dir}}}, when); session.KindOf(err) != session.KindInvalid {
			t.Errorf("%q: %v", id, err)
		}
	}
	e := w.make("a")
	before := w.state("a")
	for name, items := range map[string][]Item{"nothing": nil, "missing": {{From: filepath.Join(w.dir, "none")}}, "relative": {{From: "place"}}} {
		if err := w.b.Put(t.Context(), Entry{Session: e.Session, Items: items}, when); session.KindOf(err) != session.KindNotFound {
			t.Errorf("%s: %v", name, err)
		}
	}
	file := filepath.Join(w.dir, "file")
	if err := os.WriteFile(file, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := New(filepath.Join(file, "bin")).Put(t.Context(), e, when); session.KindOf(err) != session.KindDisk {
		t.Errorf("a bin below a file: %v", err)
	}
	if got := w.state("a"); got != before {
		t.Errorf("now %s", got)
	}
	if err := w.b.Restore(t.Context(), Entry{}); session.KindOf(err) != session.KindNotFound {
		t.Errorf("%v", err)
	}
}

// TestDamagedEntries names entries that cannot be read, and hides no other; none leads to a file that is no session's.
func TestDamagedEntries(t *testing.T) {
	w := newWorld(t)
	if err := w.b.Put(t.Context(), w.make("a"), when); err != nil {
		t.Fatal(err)
	}
	bad := map[string]string{"cut@1": `{"session":{"id":"x"`, "odd@1": `{"session":{"id":"../x"}}`, "rel@1": `{"session":{"id":"x"},"items":[{"from":"../y"}]}`,
		"long@1": strings.Repeat(" ", maxEntry+1), "none@1": ""}
	for name, text := range bad {
		dir := w.b.path(whole, name)
		if err := errors.Join(os.MkdirAll(dir, 0o700), os.WriteFile(filepath.Join(dir, entryFile), []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	all, err := w.b.List(t.Context())
	if len(all) != 1 || all[0].Session.ID != "a" || err == nil {
		t.Fatalf("%+v, %v", all, err)
	}
	for name := range bad {
		if !strings.Contains(err.Error(), name) {
			t.Errorf("%s is not named: %v", name, err)
		}
	}
}

// TestDelete deletes one session of two for good, and ends what a kill cut off.
func TestDelete(t *testing.T) {
	w := newWorld(t)
	for i, id := range []session.ID{"a", "b"} {
		if err := w.b.Put(t.Context(), w.make(id), when.Add(time.Duration(i)*time.Second)); err != nil {
			t.Fatal(err)
		}
	}
	all, _ := w.b.List(t.Context())
	if w.binned() != "b a " {
		t.Fatalf("%q", w.binned())
	}
	if !w.run(1, func() { _, _ = w.b.Delete(t.Context(), all[0]) }) {
		t.Fatal("it was not cut off")
	}
	if err := w.b.Recover(t.Context()); err != nil || w.binned() != "a " {
		t.Errorf("%q, %v", w.binned(), err)
	}
	if left, _ := os.ReadDir(w.b.path(gone)); len(left) > 0 {
		t.Errorf("left %v", left)
	}
	if n, err := w.b.Delete(t.Context(), all...); n != 1 || err != nil || w.binned() != "" {
		t.Errorf("%d, %v, %q", n, err, w.binned())
	}
}

// TestProcesses deletes and restores sessions through many bins at once, as several processes would: each stays whole.
func TestProcesses(t *testing.T) {
	w := newWorld(t)
	before, entries := map[session.ID]string{}, map[session.ID]Entry{}
	for i := range 6 {
		id := session.ID(fmt.Sprint("s", i))
		entries[id] = w.make(id)
		before[id] = w.state(id)
	}
	fine := func(err error) bool { return err == nil || session.KindOf(err) == session.KindNotFound }
	var work sync.WaitGroup
	for range 3 {
		b := New(w.b.dir)
		work.Go(func() {
			for _, e := range entries {
				if err := b.Put(t.Context(), e, when); !fine(err) {
					t.Error(err)
				}
				all, err := b.List(t.Context())
				if err != nil {
					t.Error(err)
				}
				for _, in := range all {
					if err := b.Restore(t.Context(), in); !fine(err) {
						t.Error(err)
					}
				}
				if err := b.Recover(t.Context()); err != nil {
					t.Error(err)
				}
			}
		})
	}
	work.Wait()
	all, err := New(w.b.dir).List(t.Context())
	for _, e := range all {
		err = errors.Join(err, w.b.Restore(t.Context(), e))
	}
	for id, want := range before {
		if got := w.state(id); got != want || err != nil {
			t.Errorf("%s is\n%s, %v", id, got, err)
		}
	}
}

// A file of a session that goes away while the session is moved into the bin keeps nothing of it out, on the same file system or another.
func TestFileGoesMeanwhile(t *testing.T) {
	for _, apart := range []bool{false, true} {
		w := newWorld(t)
		e := w.make("a")
		before, draft := w.state("a"), filepath.Join(w.dir, "a", "draft")
		if err := os.WriteFile(draft, []byte("words"), 0o600); err != nil {
			t.Fatal(err)
		}
		e.Items = append(e.Items, Item{From: draft})
		w.b.apart = apart
		w.b.step = func() { _ = os.Remove(draft) }
		if err := w.b.Put(t.Context(), e, when); err != nil {
			t.Fatal(err)
		}
		all, err := w.b.List(t.Context())
		if err != nil || len(all) != 1 || w.state("a") != "" {
			t.Fatalf("%+v, %v, at its place is %q", all, err, w.state("a"))
		}
		if err := w.b.Restore(t.Context(), all[0]); err != nil || w.state("a") != before {
			t.Errorf("%v, back is %q, was %q", err, w.state("a"), before)
		}
	}
}
