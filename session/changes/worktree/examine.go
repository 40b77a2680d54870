package worktree

import (
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"parley/internal/git"
	"parley/internal/safefs"
)

// examine makes items of the names of a directory, which are in order, beside the entries of the index below it, which are
// in the same order. It reports whether there was time for all of them.
func (k *worker) examine(j job, here *safefs.Descent) bool {
	f := j.folder
	var all []git.Entry
	if f.repo != nil && f.repo.index != nil {
		all = f.repo.index.Entries
	}
	var submodules []string
	at := j.low
	for i := range k.names {
		l := k.names[i]
		if l.Text == ".git" || l.Kind == safefs.File && safefs.IsTemporary(l.Text) {
			continue // git's own, or a tool or an undo beside the command replaces a file
		}
		if i%checked == checked-1 && k.late() {
			return false
		}
		is, from := false, at // whether the index has the name, and where
		for at < j.high {
			rest := all[at].Path[j.prefix:]
			c := compareEntry(rest, l)
			if c > 0 {
				break
			}
			from = at
			if slash := strings.IndexByte(rest, '/'); slash >= 0 {
				at = endOf(all, at, j.high, j.prefix+slash+1)
			} else {
				if all[at].Mode&git.TypeMask == git.TypeSubmodule {
					submodules = append(submodules, rest)
				}
				at++
			}
			if c == 0 {
				is = true
				break
			}
		}
		if l.Kind == safefs.Dir {
			k.directory(j, here, l, is, from, at, submodules)
		} else {
			k.file(j, here, l, is, from, all)
		}
	}
	return true
}

// checked is the number of names of a directory between two looks at the clock: patterns may take their time.
const checked = 256

// compareEntry orders the path of an entry, from the directory on, and a name in the directory. A path into a directory and
// that directory's name are equal.
func compareEntry(rest string, l safefs.Name) int {
	n := min(len(rest), len(l.Text))
	if c := strings.Compare(rest[:n], l.Text[:n]); c != 0 {
		return c
	}
	return after(rest, false, n) - after(l.Text, l.Kind == safefs.Dir, n)
}

// endOf returns where the entries end whose first length bytes are those of the entry at low.
func endOf(all []git.Entry, low, high, length int) int {
	start := all[low].Path[:length]
	step := 1
	for low+step < high && strings.HasPrefix(all[low+step].Path, start) {
		low += step
		step *= 2
	}
	high = min(high, low+step)
	for low+1 < high { // low has the start, high does not
		mid := (low + high) / 2
		if strings.HasPrefix(all[mid].Path, start) {
			low = mid
		} else {
			high = mid
		}
	}
	return high
}

// directory adds a directory, and a job for it unless it is not to be entered.
func (k *worker) directory(j job, here *safefs.Descent, l safefs.Name, tracked bool, low, high int, submodules []string) {
	f := j.folder
	it := item{name: l.Text, kind: safefs.Dir, entry: -1, kept: -1}
	known := ignoredUnknown
	if !tracked {
		low, high = 0, 0
		if !slices.Contains(submodules, l.Text) {
			if it.skipped = k.ignores(f, l); !it.skipped {
				known = ignoredNo
			}
		}
	}
	switch {
	case it.skipped:
	case k.shallow, j.depth >= deepest:
		it.skipped = true
		k.gaps.deep = k.gaps.deep || !k.shallow
	case len(k.inner) > 0 && k.inner[filepath.Join(f.path(), l.Text)]:
		it.skipped = true // another walk begins there
	}
	if !it.skipped {
		d := k.folder()
		d.name, d.up, d.repo, d.rules = l.Text, f, f.repo, f.rules
		d.ignored.Store(int32(known))
		it.dir = d
		next := job{folder: d, low: low, high: high, prefix: j.prefix + len(l.Text) + 1, attributes: j.attributes, depth: j.depth + 1, device: j.device}
		if j.was != nil {
			if was := j.was.find(l.Text); was != nil {
				next.was = was.dir
			}
		}
		k.next = append(k.next, safefs.Below(here, l.Text, next))
	}
	f.items = append(f.items, it)
}

// ignores reports whether git ignores an untracked name.
func (k *worker) ignores(f *folder, l safefs.Name) bool {
	if f.repo == nil {
		return false
	}
	if f.isIgnored() {
		return true
	}
	k.path = append(f.within(k.path[:0]), l.Text...)
	return f.rules.Ignored(string(k.path), l.Kind == safefs.Dir)
}

// file adds whatever is not a directory.
func (k *worker) file(j job, here *safefs.Descent, l safefs.Name, tracked bool, at int, all []git.Entry) {
	f := j.folder
	it := item{name: l.Text, kind: l.Kind, entry: -1, kept: -1}
	if l.Kind == safefs.Other || !tracked && k.ignores(f, l) {
		it.skipped = true
		f.items = append(f.items, it)
		return
	}
	info, err := here.Stat(l.Text, &k.Scratch)
	it.signature = signature(info)
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			k.gaps.unread++
			it.skipped = true
			f.items = append(f.items, it)
		}
		return
	}
	if t := it.Mode.Type(); t != 0 && t != fs.ModeSymlink {
		it.skipped, it.kind = true, safefs.Other // it was replaced after it was listed
		f.items = append(f.items, it)
		return
	}
	it.fresh = it.signature.fresh(k.now)
	if k.keeping && tracked && !it.fresh && !f.repo.index.Foreign && it.matches(&all[at], f.repo.written) && !k.converted(j, l) {
		it.entry = int32(at)
	}
	f.items = append(f.items, it)
	if k.keeping && it.entry < 0 {
		k.unkept = append(k.unkept, candidate{f, &f.items[len(f.items)-1]})
	}
}

// converted reports whether git's object of a file may have other bytes than the file.
func (k *worker) converted(j job, l safefs.Name) bool {
	if j.attributes.paths.Empty() {
		return false
	}
	k.path = append(j.folder.within(k.path[:0]), l.Text...)
	return j.attributes.paths.Ignored(string(k.path), false)
}
