package changes

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"parley/session"
	"parley/session/changes/snapshot"
)

// swept is a library whose logs and images can be made old.
type swept struct {
	*Library
	t   *testing.T
	dir string
}

func newSwept(t *testing.T) swept {
	dir := t.TempDir()
	return swept{New(Options{Dir: filepath.Join(dir, "edits"), Store: snapshot.New(snapshot.Options{Dir: filepath.Join(dir, "images")})}), t, dir}
}

// add records a change between two contents of a session.
func (s swept) add(id session.ID, before, after string) {
	s.t.Helper()
	var states []snapshot.State
	for _, text := range []string{before, after} {
		st, err := s.o.Store.Put(s.t.Context(), []byte(text))
		if err != nil {
			s.t.Fatal(err)
		}
		states = append(states, st)
	}
	if err := s.Log(id).Add(s.t.Context(), Change{Path: "/f", Before: states[0], After: states[1]}); err != nil {
		s.t.Fatal(err)
	}
}

// age makes everything that is there older by so many hours, and the logs of the named sessions only.
func (s swept) age(hours int, ids ...session.ID) {
	s.t.Helper()
	at := time.Now().Add(-time.Duration(hours) * time.Hour)
	err := filepath.WalkDir(s.dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		for _, id := range ids {
			if filepath.Base(path) == string(id)+suffix {
				return os.Chtimes(path, at, at)
			}
		}
		if filepath.Ext(path) == "" {
			return os.Chtimes(path, at, at)
		}
		return nil
	})
	if err != nil {
		s.t.Fatal(err)
	}
}

func (s swept) has(text string) bool {
	s.t.Helper()
	want, err := snapshot.New(snapshot.Options{Dir: s.t.TempDir()}).Put(s.t.Context(), []byte(text))
	if err != nil {
		s.t.Fatal(err)
	}
	_, err = os.Stat(filepath.Join(s.dir, "images", want.Sum[:2], want.Sum))
	return err == nil
}

// kept names the contents that are there, of those given.
func (s swept) kept(texts ...string) string {
	var out []string
	for _, text := range texts {
		if s.has(text) {
			out = append(out, text[:1])
		}
	}
	return strings.Join(out, "")
}

func TestSweepRemovesWhatNoSessionNeeds(t *testing.T) {
	s := newSwept(t)
	s.add("gone", "a", "shared")
	s.add("here", "b", "shared")
	s.add("young", "c", "shared")
	if _, err := s.o.Store.Put(t.Context(), []byte("loose")); err != nil {
		t.Fatal(err)
	}
	s.age(30, "gone", "here")
	if _, err := s.o.Store.Put(t.Context(), []byte("new")); err != nil { // as a call that still runs does
		t.Fatal(err)
	}
	exists := func(id session.ID) bool { return id == "here" }
	freed, err := s.Sweep(t.Context(), exists, 0)
	if err != nil || freed != int64(len("a")+len("loose")) {
		t.Errorf("freed %d: %v", freed, err)
	}
	if got := s.kept("a", "b", "c", "shared", "loose", "new"); got != "bcsn" {
		t.Errorf("kept %s", got)
	}
	for id, want := range map[session.ID]bool{"gone": false, "here": true, "young": true} {
		if _, err := os.Stat(s.Log(id).path()); (err == nil) != want {
			t.Errorf("%s: %v", id, err)
		}
	}
	if freed, err := s.Sweep(t.Context(), exists, 0); freed != 0 || err != nil {
		t.Errorf("a second sweep freed %d: %v", freed, err)
	}
}

// The images of the logs that did not change for longest go first, and what changed within a day stays whatever it takes.
func TestSweepKeepsToItsBound(t *testing.T) {
	s := newSwept(t)
	content := func(i int) string { return fmt.Sprintf("%d%s", i, strings.Repeat("x", 999)) }
	for i := range 5 {
		id := session.ID(fmt.Sprintf("s%d", i))
		s.add(id, content(i), "")
		s.age(100-i*10, id)
	}
	s.add("today", content(5), "")
	s.age(30)
	all := []string{content(0), content(1), content(2), content(3), content(4), content(5)}
	always := func(session.ID) bool { return true }
	for _, tc := range []struct {
		most int64
		kept string
	}{{0, "012345"}, {6000, "012345"}, {3999, "345"}, {1000, "5"}, {10, "5"}} {
		if _, err := s.Sweep(t.Context(), always, tc.most); err != nil {
			t.Fatal(err)
		}
		if got := s.kept(all...); got != tc.kept {
			t.Errorf("at most %d bytes: %q, want %q", tc.most, got, tc.kept)
		}
	}
	changes, err := s.Log("s0").Changes(t.Context())
	if err != nil || len(changes) != 1 {
		t.Errorf("the log is gone with its images: %v %v", changes, err)
	}
	plan, err := s.Log("s0").PlanUndo(t.Context(), Scope{})
	if err != nil || len(plan.Files) != 1 || plan.Files[0].Refused == "" {
		t.Errorf("an undo without its image: %+v %v", plan, err)
	}
}

// Damaged lines, and those of a newer parley, save their images. A log that cannot be read saves all.
func TestSweepIsCarefulWithDamagedLogs(t *testing.T) {
	s := newSwept(t)
	s.add("torn", "a", "b")
	st, err := s.o.Store.Put(t.Context(), []byte("later"))
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(s.Log("torn").path(), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprintf(f, "{\"pinned\":{\"sum\":%q}}\n{\"change\":{\"befo", st.Sum)
	f.Close()
	s.age(50, "torn")
	if _, err := s.Sweep(t.Context(), func(session.ID) bool { return true }, 0); err != nil {
		t.Fatal(err)
	}
	if got := s.kept("a", "b", "later"); got != "abl" {
		t.Errorf("kept %s", got)
	}
	if _, err := New(Options{Dir: filepath.Join(t.TempDir(), "none"), Store: s.o.Store}).Sweep(t.Context(), func(session.ID) bool { return true }, 0); err != nil {
		t.Errorf("without logs: %v", err)
	}
}

// TestSweepLeavesWhatLogsElsewhereNeed keeps the images of a log outside of its directory, and removes nothing if that cannot be read.
func TestSweepLeavesWhatLogsElsewhereNeed(t *testing.T) {
	s := newSwept(t)
	s.add("a", "before", "after")
	elsewhere := filepath.Join(s.dir, "bin", "0")
	if err := os.MkdirAll(filepath.Dir(elsewhere), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(s.File("a"), elsewhere); err != nil {
		t.Fatal(err)
	}
	s.age(48)
	failing := os.ErrPermission
	s.o.Elsewhere = func(context.Context) ([]string, error) { return []string{elsewhere, elsewhere + "gone"}, failing }
	if _, err := s.Sweep(t.Context(), func(session.ID) bool { return false }, 0); session.KindOf(err) != session.KindDisk || !s.has("before") {
		t.Errorf("%v", err)
	}
	failing = nil
	if _, err := s.Sweep(t.Context(), func(session.ID) bool { return false }, 0); err != nil || !s.has("before") || !s.has("after") {
		t.Errorf("%v", err)
	}
	s.o.Elsewhere = nil
	if _, err := s.Sweep(t.Context(), func(session.ID) bool { return false }, 0); err != nil || s.has("before") {
		t.Errorf("%v: the images stay without the log", err)
	}
}
