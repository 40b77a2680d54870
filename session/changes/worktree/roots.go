package worktree

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"parley/internal/git"
)

// start is the directory in which a walk begins.
type start struct {
	dir     string // absolute, without links
	git     git.Repository
	inGit   bool
	shallow bool // only the files directly in it are watched
}

// starts returns where the walks of the roots begin, in the order of their paths, each once.
func starts(ctx context.Context, roots []string) []start {
	home, err := os.UserHomeDir()
	if err == nil {
		home = resolve(home)
	}
	tooWide := func(dir string) bool { return dir == home || filepath.Dir(dir) == dir }
	var all []start
	for _, root := range roots {
		s := start{dir: resolve(root)}
		s.shallow = tooWide(s.dir)
		if s.git, s.inGit = git.Around(ctx, s.dir); s.inGit && !tooWide(s.git.Dir) {
			s.dir = s.git.Dir
		}
		all = append(all, s)
	}
	slices.SortFunc(all, func(a, b start) int { return strings.Compare(a.dir, b.dir) })
	return slices.CompactFunc(all, func(a, b start) bool { return a.dir == b.dir })
}

// again returns where the walks of a snapshot began, with the repositories that are there now.
func (s *Snapshot) again(ctx context.Context) []start {
	all := slices.Clone(s.starts)
	for i := range all {
		all[i].git, all[i].inGit = git.Around(ctx, all[i].dir)
	}
	return all
}

// resolve returns an absolute path without links, as far as it exists.
func resolve(path string) string {
	abs, err := filepath.Abs(path)
	if err != nil {
		return path
	}
	if real, err := filepath.EvalSymlinks(abs); err == nil {
		return real
	}
	if dir := filepath.Dir(abs); dir != abs {
		return filepath.Join(resolve(dir), filepath.Base(abs))
	}
	return abs
}

// look walks from all starts.
func (t *Tree) look(ctx context.Context, begin []start, now, end time.Time, keeping bool) *Snapshot {
	s := &Snapshot{at: now, starts: begin}
	inner := map[string]bool{}
	for _, b := range begin {
		inner[b.dir] = true
	}
	for _, b := range begin {
		w := &walk{look: t, ctx: ctx, now: now, end: end, keeping: keeping, shallow: b.shallow, files: &s.files, most: int64(t.o.Files)}
		if len(begin) > 1 {
			w.inner = inner
		}
		top := &folder{name: b.dir, top: true}
		j := job{folder: top, was: t.lastTop(b.dir)}
		if b.inGit {
			top.repo = t.repository(ctx, b.git, b.dir, now)
			top.rules, j.attributes = top.repo.rules, top.repo.attributes
			w.gaps.index = top.repo.unread
			if rel, err := filepath.Rel(b.git.Dir, b.dir); err == nil && rel != "." {
				prefix := filepath.ToSlash(rel) + "/"
				j.prefix = len(prefix)
				j.low, j.high = top.repo.below(prefix)
			} else {
				j.low, j.high = top.repo.below("")
			}
		}
		w.run(j)
		w.gaps.home = b.shallow
		s.gaps.add(w.gaps)
		s.tops = append(s.tops, top)
		s.unkept = append(s.unkept, w.unkept...)
	}
	t.mu.Lock()
	t.last = s.tops
	t.mu.Unlock()
	return s
}

// lastTop returns the top of the last walk that began in a directory, nil if there was none.
func (t *Tree) lastTop(dir string) *folder {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, f := range t.last {
		if f.name == dir {
			return f
		}
	}
	return nil
}
