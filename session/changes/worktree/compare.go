package worktree

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"parley/internal/human"
	"parley/internal/safefs"
)

// patience is how many times longer than a look a comparison may take to find what has changed, and to read it: nothing waits
// for it.
const patience = 5

// Compare returns what has changed since a look, in the order of the paths. The content of the changed files is kept.
func (t *Tree) Compare(ctx context.Context, since *Snapshot) Result {
	if since == nil {
		return Result{}
	}
	if len(since.tops) == 0 {
		return Result{Gap: since.gaps.words(t.o)}
	}
	now := t.now()
	is := t.look(ctx, since.again(ctx), now, time.Now().Add(patience*t.o.Time), false)
	d := difference{}
	for i, a := range since.tops {
		var dirs []string
		if a.absent && !is.tops[i].absent {
			dirs = []string{a.name}
		}
		d.folders(a, is.tops[i], dirs)
	}
	g := since.gaps
	g.add(is.gaps)
	slices.SortFunc(d.found, func(a, b found) int { // what was there first: it has the most to lose at a bound
		if was := a.before != nil; was != (b.before != nil) {
			if was {
				return -1
			}
			return 1
		}
		return strings.Compare(a.path, b.path)
	})
	c := comparison{tree: t, since: since, now: now, end: time.Now().Add(patience * t.o.Time)}
	defer c.close()
	r := c.states(ctx, d.found)
	slices.SortFunc(r.Changed, func(a, b Changed) int { return strings.Compare(a.Path, b.Path) })
	r.Gap = joined(g.words(t.o), r.Gap)
	return r
}

// joined joins two reasons, each of which may be empty.
func joined(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "; " + b
}

// found is a path at which something may have changed.
type found struct {
	path string
	dirs []string
	// before describes the file at the look, nil if there was none, or if nothing is known about it, as unwatched says.
	before    *item
	repo      *repo
	unwatched string
}

// difference collects the paths at which two snapshots differ.
type difference struct{ found []found }

// folders compares what a directory was and is. dirs are the directories above that are new.
func (d *difference) folders(a, b *folder, dirs []string) {
	i, j := 0, 0
	for i < len(a.items) || j < len(b.items) {
		c := 0
		switch {
		case i == len(a.items):
			c = 1
		case j == len(b.items):
			c = -1
		default:
			x, y := &a.items[i], &b.items[j]
			if x.name != y.name || (x.kind == safefs.Dir) != (y.kind == safefs.Dir) {
				c = compareKeys(x.name, x.kind == safefs.Dir, y.name, y.kind == safefs.Dir)
			}
		}
		switch {
		case c < 0:
			d.gone(a, &a.items[i])
			i++
		case c > 0:
			d.came(a, b, &b.items[j], dirs)
			j++
		default:
			d.both(a, b, &a.items[i], &b.items[j], dirs)
			i++
			j++
		}
	}
}

// both compares a name that was there and is.
func (d *difference) both(a, b *folder, x, y *item, dirs []string) {
	switch {
	case x.kind == safefs.Dir:
		switch {
		case x.dir != nil && y.dir != nil:
			d.folders(x.dir, y.dir, dirs)
		case x.dir != nil:
			d.gone(a, x)
		case y.dir != nil:
			d.unwatched(y.dir)
		}
	case x.skipped && y.skipped:
	case x.skipped:
		d.found = append(d.found, found{path: filepath.Join(b.path(), y.name), repo: a.repo, unwatched: notWatched})
	case y.skipped, x.signature != y.signature, x.fresh && x.kept >= 0:
		d.found = append(d.found, found{path: filepath.Join(a.path(), x.name), before: x, repo: a.repo})
	}
}

// notWatched is the reason why the content of a file is not known that was ignored, or in a place that could not be examined.
const notWatched = "it was not watched, as git ignored it or it could not be examined"

// gone adds what was watched and is not seen any more. It may still be there, as when git ignores it now.
func (d *difference) gone(a *folder, x *item) {
	switch {
	case x.dir != nil:
		for i := range x.dir.items {
			d.gone(x.dir, &x.dir.items[i])
		}
	case x.kind == safefs.File && !x.skipped:
		d.found = append(d.found, found{path: filepath.Join(a.path(), x.name), before: x, repo: a.repo})
	}
}

// came adds what is seen and was not there, unless nothing is known about that.
func (d *difference) came(a, b *folder, y *item, dirs []string) {
	was := a.find(y.name)
	if was == nil && !a.whole {
		return
	}
	if y.dir != nil {
		if was == nil || was.kind == safefs.File {
			d.created(y.dir, append(dirs[:len(dirs):len(dirs)], y.dir.path()))
		} else {
			d.unwatched(y.dir)
		}
		return
	}
	if y.kind != safefs.File || y.skipped {
		return
	}
	f := found{path: filepath.Join(b.path(), y.name), dirs: dirs, repo: a.repo}
	if was != nil && was.kind == safefs.Other {
		f.unwatched = notWatched
	}
	d.found = append(d.found, f)
}

// created adds all files of a new directory.
func (d *difference) created(b *folder, dirs []string) {
	for i := range b.items {
		y := &b.items[i]
		switch {
		case y.dir != nil:
			d.created(y.dir, append(dirs[:len(dirs):len(dirs)], y.dir.path()))
		case y.kind == safefs.File && !y.skipped:
			d.found = append(d.found, found{path: filepath.Join(b.path(), y.name), dirs: dirs, repo: b.repo})
		}
	}
}

// unwatched adds the files of a directory that was there and not watched.
func (d *difference) unwatched(b *folder) {
	for i := range b.items {
		y := &b.items[i]
		switch {
		case y.dir != nil:
			d.unwatched(y.dir)
		case y.kind == safefs.File && !y.skipped:
			d.found = append(d.found, found{path: filepath.Join(b.path(), y.name), repo: b.repo, unwatched: notWatched})
		}
	}
}

// moreFiles words how many paths a comparison did not examine.
func moreFiles(n int) string {
	return human.Count(n, "more file", "more files") + " may have changed"
}
