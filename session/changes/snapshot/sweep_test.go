package snapshot

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"
)

// age sets a file's time back.
func age(t testing.TB, path string, by time.Duration) {
	t.Helper()
	at := time.Now().Add(-by)
	must(t, os.Chtimes(path, at, at))
}

// Sweep removes what is old and not used, and nothing that is not its own.
func TestSweepRemovesWhatIsOldAndNotUsed(t *testing.T) {
	s := New(Options{Dir: realDir(t) + "/images"})
	sweep := func(used map[string]bool, most int64) (freed, over int64) {
		t.Helper()
		freed, over, err := s.Sweep(t.Context(), used, time.Now().Add(-time.Hour), most)
		must(t, err)
		return freed, over
	}
	if freed, over := sweep(nil, 0); freed != 0 || over != 0 {
		t.Errorf("of nothing: %d, %d", freed, over)
	}
	used, old, fresh, again, refreshed := put(t, s, "used"), put(t, s, "old.."), put(t, s, "fresh"), put(t, s, "again"), put(t, s, "refreshed")
	for _, st := range []State{used, old, again, refreshed} {
		age(t, s.path(st.Sum), 2*time.Hour)
	}
	put(t, s, "again")
	if !s.Refresh(refreshed) {
		t.Error("it is there, and was not refreshed")
	}
	dir := s.o.Dir
	mine := []string{dir + "/notes", dir + "/new/notes", filepath.Dir(s.path(old.Sum)) + "/notes", dir + "/zz/" + old.Sum}
	must(t, os.Mkdir(dir+"/zz", 0o700))
	for _, path := range mine {
		write(t, path, "notes", 0o600)
		age(t, path, 48*time.Hour)
	}
	write(t, dir+"/new/123", "killed", 0o600)
	write(t, dir+"/new/456", "running", 0o600)
	age(t, dir+"/new/123", 25*time.Hour)
	age(t, dir+"/new/456", 23*time.Hour)

	if freed, over := sweep(map[string]bool{used.Sum: true}, 10); freed != 5+6 || over != 4+5+5+9-10 {
		t.Errorf("%d freed, %d over", freed, over)
	}
	for _, st := range []State{used, fresh, again, refreshed} {
		if _, err := s.Read(t.Context(), st); err != nil {
			t.Error(err)
		}
	}
	if _, err := s.Read(t.Context(), old); !errors.Is(err, ErrUnkept) {
		t.Error(err)
	}
	if s.Refresh(old) {
		t.Error("what was swept is there")
	}
	for _, path := range append(mine, dir+"/new/456") {
		if _, err := os.Lstat(path); err != nil {
			t.Error(err)
		}
	}
	if freed, over := sweep(nil, 1<<20); freed != 4 || over != 0 {
		t.Errorf("%d freed, %d over", freed, over)
	}
}

// A killed sweep may leave an image without its name. It is read all the same, and the next sweep decides again.
func TestAKilledSweepLosesNothing(t *testing.T) {
	s := New(Options{Dir: realDir(t) + "/images"})
	used, fresh, old := put(t, s, "used"), put(t, s, "fresh"), put(t, s, "old")
	for _, st := range []State{used, fresh, old} {
		must(t, os.Rename(s.path(st.Sum), s.aside(st.Sum)))
		if text, err := s.Read(t.Context(), st); err != nil || int64(len(text)) != st.Size {
			t.Errorf("%q, %v", text, err)
		}
	}
	age(t, s.aside(used.Sum), 2*time.Hour)
	age(t, s.aside(old.Sum), 2*time.Hour)
	freed, over, err := s.Sweep(t.Context(), map[string]bool{used.Sum: true}, time.Now().Add(-time.Hour), 0)
	if freed != 3 || over != 4+5 || err != nil {
		t.Errorf("%d freed, %d over, %v", freed, over, err)
	}
	for _, st := range []State{used, fresh} {
		if _, err := os.Lstat(s.path(st.Sum)); err != nil {
			t.Error(err)
		}
	}
	if images, rest := files(t, s); images != 2 || rest != 0 {
		t.Errorf("%d images, %d others", images, rest)
	}
}

// One file that cannot be removed does not stop a sweep.
func TestOneBadFileDoesNotStopASweep(t *testing.T) {
	s := New(Options{Dir: realDir(t) + "/images"})
	var states []State
	for i := range 20 {
		st := put(t, s, fmt.Sprint(i))
		age(t, s.path(st.Sum), 2*time.Hour)
		states = append(states, st)
	}
	bad := states[7]
	must(t, os.MkdirAll(s.aside(bad.Sum)+"/in", 0o700)) // nothing can be renamed to it
	freed, over, err := s.Sweep(t.Context(), nil, time.Now().Add(-time.Hour), 0)
	if images, _ := files(t, s); err == nil || images != 1 || freed != 29 || over != 1 {
		t.Errorf("%d images, %d freed, %d over, %v", images, freed, over, err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := s.Sweep(ended, nil, time.Now(), 0); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// While images are swept, those that are put again, refreshed or read stay. Each process has a store of its own.
func TestSweepingBesideWriters(t *testing.T) {
	dir, taken := realDir(t)+"/images", realDir(t)
	sweeper := New(Options{Dir: dir})
	done, cancel := context.WithCancel(t.Context())
	var sweeping, writing sync.WaitGroup
	for range 2 {
		sweeping.Go(func() {
			for done.Err() == nil {
				if _, _, err := sweeper.Sweep(t.Context(), nil, time.Now().Add(-time.Hour), 0); err != nil {
					t.Error(err)
				}
			}
		})
	}
	for n := range 4 {
		writing.Go(func() {
			s, path := New(Options{Dir: dir}), fmt.Sprint(taken, "/", n)
			write(t, path, path, 0o644)
			for i := range 150 {
				text := fmt.Sprint(n, i%3)
				st, err := s.Put(t.Context(), []byte(text))
				if err == nil && n%2 == 0 {
					st, err = s.Take(t.Context(), path)
					text = path
				}
				if err != nil || !st.Whole() {
					t.Errorf("%+v, %v", st, err)
				}
				if got, err := s.Read(t.Context(), st); err != nil || string(got) != text {
					t.Errorf("%q, %v", got, err)
				}
				old := time.Now().Add(-2 * time.Hour)
				_ = os.Chtimes(s.path(st.Sum), old, old) // it may be gone
			}
		})
	}
	writing.Wait()
	cancel()
	sweeping.Wait()
}

// A second sweep of the same directory does nothing while one runs.
func TestOneSweepAtATime(t *testing.T) {
	s := New(Options{Dir: realDir(t) + "/images"})
	st := put(t, s, "old")
	age(t, s.path(st.Sum), 2*time.Hour)
	lock, err := New(Options{Dir: s.o.Dir}).lockSweep()
	if lock == nil || err != nil {
		t.Fatal(err)
	}
	if freed, over, err := s.Sweep(t.Context(), nil, time.Now().Add(-time.Hour), 0); freed != 0 || over != 0 || err != nil {
		t.Errorf("%d freed, %d over, %v", freed, over, err)
	}
	if err := lock.Close(); err != nil {
		t.Fatal(err)
	}
	if freed, _, err := s.Sweep(t.Context(), nil, time.Now().Add(-time.Hour), 0); freed != 3 || err != nil {
		t.Errorf("%d freed afterwards, %v", freed, err)
	}
	if lock, err := New(Options{Dir: s.o.Dir + "/none"}).lockSweep(); lock != nil || err != nil {
		t.Errorf("without a directory: %v, %v", lock, err)
	}
}
