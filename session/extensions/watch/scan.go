package watch

import (
	"context"
	"hash/maphash"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"parley/internal/safefs"
)

// The bounds of one look.
const (
	maxContent = 1 << 20 // bytes of a file whose content is read; a longer one counts by size and time
	maxEntries = 2000    // names in one folder
	maxFiles   = 5000    // files of a directory
)

// Place is a file, or a folder with files.
type Place struct {
	Kind Kind
	// Path is absolute. Depth is 0 for a file, or how many levels of folders count, from the folder itself.
	Path  string
	Depth int
	// Base is a folder out of which no link leads, empty for a place of the user's.
	Base string
	// Part returns what counts of a file, nil for all of it.
	Part func() []byte
}

// covers reports whether a path may matter for the place: in it, or above it.
func (p Place) covers(path string) bool {
	return path == p.Path || below(p.Path, path) || p.Depth > 0 && below(path, p.Path)
}

// below reports whether a path lies in a folder.
func below(path, dir string) bool {
	return len(path) > len(dir) && strings.HasPrefix(path, dir) && (path[len(dir)] == filepath.Separator || strings.HasSuffix(dir, string(filepath.Separator)))
}

// seen is a file as it was looked at last.
type seen struct {
	size    int64
	at      time.Time
	mode    fs.FileMode
	content uint64
}

// scan is one look at the places of a directory.
type scan struct {
	ctx context.Context
	// enter is called with each folder before it is read.
	enter func(folder string)
	old   map[string]seen
	now   map[string]seen
	sums  *sums
}

// look looks at all places.
func (s *scan) look(places []Place) State {
	for _, p := range places {
		if s.ctx.Err() != nil {
			break
		}
		s.place(p)
	}
	return s.sums.state()
}

// place looks at a place. In place of one that is missing, the nearest folder above it is entered.
func (s *scan) place(p Place) {
	at := filepath.Dir(p.Path)
	for !isDir(at) && at != filepath.Dir(at) {
		at = filepath.Dir(at)
	}
	s.enter(at)
	info, ok := s.stat(p, p.Path)
	switch {
	case !ok && p.Part != nil: // a program may make the file that says nothing yet
		s.sums.add(p.Kind, p.Path, maphash.Bytes(seed, p.Part()))
	case !ok:
	case p.Depth == 0:
		s.file(p, p.Path, info)
	case info.IsDir():
		s.folder(p, p.Path, p.Depth)
	}
}

// folder looks at a folder and some levels of folders in it.
func (s *scan) folder(p Place, dir string, depth int) {
	s.enter(dir)
	f, err := os.Open(dir)
	if err != nil {
		return
	}
	entries, _ := f.ReadDir(maxEntries)
	_ = f.Close()
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		text := e.Type()&(fs.ModeDir|fs.ModeSymlink) != 0 || slices.Contains(endings, strings.ToLower(filepath.Ext(path)))
		if !text || e.Name() == "node_modules" || e.Name() == ".git" || s.ctx.Err() != nil {
			continue
		}
		info, ok := s.stat(p, path)
		switch {
		case !ok:
		case info.IsDir() && depth > 1:
			s.folder(p, path, depth-1)
		case !info.IsDir() && slices.Contains(endings, strings.ToLower(filepath.Ext(path))):
			s.file(p, path, info)
		}
	}
}

// endings are those of the files in folders that count.
var endings = []string{".md", ".json"}

// stat describes a path. It reports false for one that is missing, or that a link leads out of the place's base.
func (s *scan) stat(p Place, path string) (fs.FileInfo, bool) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, false
	}
	if p.Base == "" {
		return info, true
	}
	real, err := filepath.EvalSymlinks(path)
	return info, err == nil && below(real, p.Base)
}

// file adds a file. Its content is read only if it has another size, time or kind than before.
func (s *scan) file(p Place, path string, info fs.FileInfo) {
	if len(s.now) == maxFiles {
		return
	}
	now := seen{size: info.Size(), at: info.ModTime(), mode: info.Mode()}
	old, known := s.old[path]
	if now.content = old.content; !known || old != now {
		now.content = s.content(p, path, info)
	}
	s.now[path] = now
	s.sums.add(p.Kind, path, now.content)
}

func (s *scan) content(p Place, path string, info fs.FileInfo) uint64 {
	var data []byte
	var err error
	switch {
	case p.Part != nil:
		data = p.Part()
	case info.Mode().IsRegular() && info.Size() <= maxContent:
		data, err = safefs.ReadFile(s.ctx, path, maxContent, safefs.FollowLinks)
	default:
		err = fs.ErrInvalid
	}
	if err != nil {
		return maphash.Comparable(seed, [2]int64{info.Size(), info.ModTime().UnixNano()})
	}
	return maphash.Bytes(seed, data)
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
