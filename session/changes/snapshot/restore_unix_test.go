//go:build unix

package snapshot

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"parley/internal/safefs"
)

// stand makes a state stand at a path where nothing is.
func stand(t *testing.T, s *Store, path string, st State) {
	t.Helper()
	switch st.Kind {
	case Link:
		must(t, os.Symlink(st.Target, path))
	case File:
		text, err := s.Read(t.Context(), st)
		must(t, err)
		write(t, path, string(text), st.Mode)
	}
}

// From each state to each other one: exactly that one stands there afterwards, and nothing beside it.
func TestRestoreMakesEachStateIntoEachOther(t *testing.T) {
	s := New(Options{Dir: filepath.Join(realDir(t), "images")})
	file := func(text string, mode fs.FileMode) State { st := put(t, s, text); st.Mode = mode; return st }
	states := []State{{Kind: None}, file("", 0o644), file("a", 0o644), file("a", 0o755), file(strings.Repeat("b\n", 1<<20), 0o600),
		file("c", 0o444), file("c", 0o711|fs.ModeSetuid), file("d", 0o755|fs.ModeSetgid|fs.ModeSticky),
		{Kind: Link, Target: "other"}, {Kind: Link, Target: "no where/\xff"}}
	for i, from := range states {
		for j, to := range states {
			dir := realDir(t)
			write(t, dir+"/other", "other", 0o644)
			path := dir + "/path"
			stand(t, s, path, from)
			if err := s.Restore(t.Context(), path, from, to); err != nil {
				t.Errorf("from %d to %d: %v", i, j, err)
			}
			if got := take(t, s, path); !got.Same(to) {
				t.Errorf("from %d to %d: %+v, want %+v", i, j, got, to)
			}
			want := 2
			if to.Kind == None {
				want = 1
			}
			if got := entries(t, dir); len(got) != want || take(t, s, dir+"/other").Size != 5 {
				t.Errorf("from %d to %d: %q", i, j, got)
			}
		}
	}
}

// A path that is not as it was stays as it is.
func TestRestoreRefusesWhatHasChanged(t *testing.T) {
	s := New(Options{Dir: filepath.Join(realDir(t), "images")})
	a, b, none := put(t, s, "a"), put(t, s, "b"), State{Kind: None}
	executable, link := a, State{Kind: Link, Target: "x"}
	executable.Mode = 0o755
	for name, test := range map[string]struct{ is, from, to State }{
		"other content":  {b, a, b},
		"other mode":     {executable, a, b},
		"removed":        {none, a, b},
		"created":        {a, none, b},
		"link created":   {link, none, b},
		"now a link":     {link, a, b},
		"other link":     {State{Kind: Link, Target: "y"}, link, b},
		"now a file":     {a, link, b},
		"to be removed":  {b, a, none},
		"link, removing": {link, a, none},
		"same":           {b, a, a},
		"mode only":      {b, a, executable},
		"to link":        {b, a, link},
	} {
		path := realDir(t) + "/path"
		stand(t, s, path, test.is)
		if err := s.Restore(t.Context(), path, test.from, test.to); !errors.Is(err, ErrChanged) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v", name, err)
		}
		if got := take(t, s, path); !got.Same(test.is) {
			t.Errorf("%s: %+v", name, got)
		}
		if left := entries(t, filepath.Dir(path)); test.is.Kind != None && len(left) != 1 || test.is.Kind == None && len(left) != 0 {
			t.Errorf("%s: %q", name, left)
		}
	}
}

// What is not a file is in the place of one, or above it: it stays.
func TestRestoreRefusesWhatIsNotAFile(t *testing.T) {
	s := New(Options{Dir: filepath.Join(realDir(t), "images")})
	a, none, link := put(t, s, "a"), State{Kind: None}, State{Kind: Link, Target: "x"}
	dir := realDir(t)
	must(t, os.Mkdir(dir+"/directory", 0o755), syscall.Mkfifo(dir+"/pipe", 0o600), os.Symlink("directory", dir+"/link"))
	write(t, dir+"/file", "file", 0o644)
	for _, to := range []State{a, none, link} {
		for _, from := range []State{a, none, link} {
			for _, name := range []string{"directory", "pipe"} {
				if err := s.Restore(t.Context(), dir+"/"+name, from, to); !errors.Is(err, ErrChanged) || !strings.Contains(err.Error(), "it is a ") {
					t.Errorf("%s: %v", name, err)
				}
			}
			err := s.Restore(t.Context(), dir+"/link/file", from, to)
			if !errors.Is(err, safefs.ErrLink) {
				t.Errorf("through a link: %v", err)
			}
			err = s.Restore(t.Context(), dir+"/file/file", from, to)
			if (err == nil) != (from.Kind == None && to.Kind == None) {
				t.Errorf("below a file: %v", err)
			}
		}
	}
	if err := s.Restore(t.Context(), dir+"/directory", State{Kind: Other}, a); !errors.Is(err, ErrUnkept) {
		t.Error(err)
	}
	if got := entries(t, dir); len(got) != 4 || len(entries(t, dir+"/directory")) != 0 {
		t.Errorf("%q", got)
	}
}

// Missing directories are made for a file, and only then; those of a restoring that fails go again.
func TestRestoreMakesMissingDirectories(t *testing.T) {
	s := New(Options{Dir: filepath.Join(realDir(t), "images")})
	a, none := put(t, s, "a"), State{Kind: None}
	dir := realDir(t)
	must(t, s.Restore(t.Context(), dir+"/x/y/z", none, none))
	if err := s.Restore(t.Context(), dir+"/x/y/z", a, none); !errors.Is(err, ErrChanged) {
		t.Error(err)
	}
	must(t, os.WriteFile(s.path(a.Sum), []byte("b"), 0o600))
	if err := s.Restore(t.Context(), dir+"/x/y/z", none, a); !errors.Is(err, ErrDamaged) {
		t.Error(err)
	}
	if got := entries(t, dir); len(got) != 0 {
		t.Errorf("%q", got)
	}
	put(t, s, "a")
	must(t, s.Restore(t.Context(), dir+"/x/y/z", none, a))
	if got := take(t, s, dir+"/x/y/z"); !got.Same(a) {
		t.Errorf("%+v", got)
	}
	must(t, s.Restore(t.Context(), dir+"/x/y/z", a, none))
	write(t, dir+"/x/mine", "mine", 0o644)
	removed, err := RemoveDirs([]string{dir + "/x", dir + "/x/y", dir + "/x/gone", dir + "/x/mine"})
	if err != nil || len(removed) != 1 || removed[0] != dir+"/x/y" {
		t.Errorf("%q, %v", removed, err)
	}
	if got := take(t, s, dir+"/x/mine"); got.Kind != File {
		t.Errorf("%+v", got)
	}
}

// A file with several names keeps them, and what is not in the store is neither replaced nor removed.
func TestRestoreLosesNothing(t *testing.T) {
	s := New(Options{Dir: filepath.Join(realDir(t), "images")})
	a, b, none := put(t, s, "a"), put(t, s, "b"), State{Kind: None}
	dir := realDir(t)
	write(t, dir+"/path", "a", 0o644)
	must(t, os.Link(dir+"/path", dir+"/name"))
	if err := s.Restore(t.Context(), dir+"/path", a, b); !errors.Is(err, ErrLinked) {
		t.Error(err)
	}
	executable := a
	executable.Mode = 0o755
	if err := s.Restore(t.Context(), dir+"/path", a, executable); !errors.Is(err, ErrShared) {
		t.Error(err)
	}
	must(t, s.Restore(t.Context(), dir+"/path", a, none))
	if got := take(t, s, dir+"/name"); !got.Same(a) {
		t.Errorf("%+v", got)
	}

	write(t, dir+"/unkept", "unkept", 0o644)
	unkept, err := s.Look(t.Context(), dir+"/unkept")
	must(t, err)
	for _, to := range []State{none, a, {Kind: Link, Target: "a"}} {
		if err := s.Restore(t.Context(), dir+"/unkept", unkept, to); !errors.Is(err, ErrUnkept) {
			t.Error(err)
		}
	}
	if err := s.Restore(t.Context(), dir+"/new", none, unkept); !errors.Is(err, ErrUnkept) {
		t.Error(err)
	}
	if got := entries(t, dir); len(got) != 2 || take(t, s, dir+"/unkept").Size != 6 {
		t.Errorf("%q", got)
	}
}
