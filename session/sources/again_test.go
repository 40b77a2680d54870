package sources

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"parley/session"
)

// shut is a source whose files cannot be read while err is set.
type shut struct {
	*shelf
	err error
}

func (s *shut) Describe(ctx context.Context, p Place) ([]session.Meta, error) {
	if s.err != nil {
		return nil, s.err
	}
	return s.shelf.Describe(ctx, p)
}

// TestRefusedFilesAreReadAgain remembers that a file is damaged, but not that the file system refused to read it.
func TestRefusedFilesAreReadAgain(t *testing.T) {
	for name, c := range map[string]struct {
		err   error
		reads int // of two listings while it lasts
		want  string
	}{
		"refused": {fmt.Errorf("read: %w", &fs.PathError{Op: "open", Path: "/1", Err: fs.ErrPermission}), 2, "a=/1"},
		"damaged": {errors.New("damaged"), 1, ""},
	} {
		s := &shut{&shelf{files: map[string]string{"/1": "a"}}, c.err}
		l := New(s, Options{Program: "Shelf", Valid: func(string) bool { return true }, Stamp: s.stampOf})
		for range 2 {
			if metas, err := l.Sessions(t.Context()); err == nil || len(metas) > 0 {
				t.Errorf("%s: %+v, %v", name, metas, err)
			}
		}
		if l.Reads() != c.reads {
			t.Errorf("%s: %d reads", name, l.Reads())
		}
		s.err = nil
		if metas, _ := l.Sessions(t.Context()); inShort(metas) != c.want {
			t.Errorf("%s: %s", name, inShort(metas))
		}
	}
}

// TestWhatMayBeThere is not reported as missing.
func TestWhatMayBeThere(t *testing.T) {
	s := &shelf{files: map[string]string{"/1": "a"}, fails: fs.ErrPermission}
	l := s.lister()
	if _, err := l.Find(t.Context(), "shelf-b", true); session.KindOf(err) != session.KindDisk || !errors.Is(err, fs.ErrPermission) {
		t.Errorf("%v", err)
	}
	if p, err := l.Find(t.Context(), "shelf-a", true); p.Path != "/1" || err != nil {
		t.Errorf("%+v, %v", p, err)
	}
	s.fails = nil
	s.files["/2"] = "a" // a copy that another process listed
	if p, err := l.Find(t.Context(), session.ID("shelf-a"+sign+markOf("/2")), true); p.Path != "/2" || err != nil {
		t.Errorf("%+v, %v", p, err)
	}
}

// TestIDsLikeMarks names an id that looks as if it had a mark, which would find another session.
func TestIDsLikeMarks(t *testing.T) {
	s := &shelf{files: map[string]string{"/1": "a", "/2": "a" + sign + markOf("/1")}}
	metas, err := New(s, Options{Program: "Shelf", Valid: func(string) bool { return true }, Stamp: s.stampOf}).Sessions(t.Context())
	if inShort(metas) != "a=/1" || err == nil || !strings.Contains(err.Error(), "/2: ") {
		t.Errorf("%s, %v", inShort(metas), err)
	}
}

// TestTogether lists and finds at the same time as files come and go; the race detector watches. What is known does not grow.
func TestTogether(t *testing.T) {
	dir := t.TempDir()
	l := New(folder(dir), Options{Program: "Folder", Valid: func(string) bool { return true }})
	var wg sync.WaitGroup
	for g := range 4 {
		wg.Go(func() {
			for i := range 20 {
				path := filepath.Join(dir, fmt.Sprintf("%d-%d", g, i%3))
				if err := os.WriteFile(path, []byte("s"), 0o600); err != nil {
					t.Error(err)
				}
				if _, err := l.Sessions(t.Context()); err != nil {
					t.Error(err)
				}
				if _, err := l.Describe(t.Context(), session.ID(filepath.Base(path))); err != nil {
					t.Error(err)
				}
				if err := os.Remove(path); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	if metas, err := l.Sessions(t.Context()); len(metas) != 0 || err != nil || len(l.known) != 0 || len(l.where) != 0 || len(l.plain) != 0 {
		t.Errorf("%+v, %v, %d known", metas, err, len(l.known))
	}
}

// folder is a source with a session in each file.
type folder string

func (f folder) Places(_ context.Context, id string) (all []Place, err error) {
	entries, err := os.ReadDir(string(f))
	for _, e := range entries {
		path := filepath.Join(string(f), e.Name())
		if s, err := StampOf(path); err == nil && (id == "" || id == e.Name()) {
			all = append(all, Place{Path: path, ID: e.Name(), Stamp: s})
		}
	}
	return all, err
}

func (folder) Describe(_ context.Context, p Place) ([]session.Meta, error) {
	if _, err := os.ReadFile(p.Path); err != nil {
		return nil, err
	}
	return []session.Meta{{ID: session.ID(p.ID)}}, nil
}
