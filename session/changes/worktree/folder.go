package worktree

import (
	"path/filepath"
	"strings"
	"sync/atomic"

	"parley/internal/git"
	"parley/internal/safefs"
)

// item is a name in a directory as a look found it.
type item struct {
	name string
	signature
	// entry is the place in the repository's index if the file is surely as that says, otherwise -1.
	entry int32
	// kept is the place of the file's state among those of the snapshot, otherwise -1.
	kept int32
	// kind is safefs.File also for a link, which the mode of the signature tells apart.
	kind safefs.Kind
	// skipped reports that the name was there, and nothing else is known: git ignores it, or it could not be examined.
	skipped bool
	// fresh reports that the signature alone does not show a change.
	fresh bool
	dir   *folder // of a directory that was entered
}

// folder is a directory as a look found it.
type folder struct {
	name  string // of the top its whole path
	up    *folder
	repo  *repo
	items []item // in the order of compareKeys
	// listing holds the names in the directory, for a later walk; nil if that has to read it again anyway.
	listing *listing
	// whole reports that items has all names of the directory. A directory that was not there is whole.
	whole bool
	// absent reports that the directory was not there.
	absent bool
	// top reports that paths in the rules begin here: the top of the walk, and of each repository in it.
	top     bool
	rules   git.Ignores  // the ignore files that apply in it
	ignored atomic.Int32 // whether git ignores it: ignoredUnknown, ignoredNo, ignoredYes
}

// listing is the names of a directory, in the order of compareKeys. It is immutable, and shared by snapshots.
type listing struct {
	dir   signature // of the directory
	names []safefs.Name
	// special reports that a name among them begins with ".git".
	special bool
}

const (
	ignoredUnknown = iota
	ignoredNo
	ignoredYes
)

// path returns the absolute path of the folder.
func (f *folder) path() string {
	if f.up == nil {
		return f.name
	}
	return filepath.Join(f.up.path(), f.name)
}

// within appends the path from the folder in which rules begin, with slashes, and a slash after it unless it is empty.
func (f *folder) within(b []byte) []byte {
	if f.top {
		return b
	}
	return append(append(f.up.within(b), f.name...), '/')
}

// isIgnored reports whether git ignores the directory itself, so that nothing in it is watched but what is tracked.
func (f *folder) isIgnored() bool {
	if f.top {
		return false
	}
	if is := f.ignored.Load(); is != ignoredUnknown {
		return is == ignoredYes
	}
	is := f.up.isIgnored() || f.up.rules.Ignored(strings.TrimSuffix(string(f.within(nil)), "/"), true)
	f.setIgnored(is)
	return is
}

func (f *folder) setIgnored(is bool) {
	if is {
		f.ignored.Store(ignoredYes)
	} else {
		f.ignored.Store(ignoredNo)
	}
}

// find returns the item with a name, nil if there is none.
func (f *folder) find(name string) *item {
	for _, dir := range []bool{false, true} {
		low, high := 0, len(f.items)
		for low < high {
			mid := (low + high) / 2
			if it := &f.items[mid]; compareKeys(it.name, it.kind == safefs.Dir, name, dir) < 0 {
				low = mid + 1
			} else {
				high = mid
			}
		}
		if low < len(f.items) && f.items[low].name == name {
			return &f.items[low]
		}
	}
	return nil
}

// compareKeys orders the names of a directory as git's index does: a directory's name has a slash after it.
func compareKeys(a string, aDir bool, b string, bDir bool) int {
	n := min(len(a), len(b))
	if c := strings.Compare(a[:n], b[:n]); c != 0 {
		return c
	}
	return after(a, aDir, n) - after(b, bDir, n)
}

// after returns the byte after the first n bytes of a name; -1 if it ends there.
func after(name string, dir bool, n int) int {
	switch {
	case n < len(name):
		return int(name[n])
	case n == len(name) && dir:
		return '/'
	}
	return -1
}
