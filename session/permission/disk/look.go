package disk

import (
	"path/filepath"
	"strings"
)

// memory holds the facts that one decision has found out about the disk, so that each path is looked up once.
type memory struct {
	known map[string]*looked
	// asked counts the paths that were looked up by their directory.
	asked map[string]int
}

// looked holds the target of a path.
type looked struct {
	there bool   // something is there, or that is not known
	sure  bool   // real is where it leads
	real  string // as [Disk.Real] returns it
	// entries are the contents of a directory that was listed, by the names in lower case; nil if they are not known.
	entries map[string]found
	listed  bool
}

// Kind is the type of file at a path.
type Kind int

// The kinds.
const (
	Unclear Kind = iota // a link, or something that is not known
	Absent
	Plain // a file or a directory
)

// found describes the entry that a directory that was listed has under a name.
type found struct {
	name string
	kind Kind
}

// A directory is listed once more than fewLooks paths in it are looked up, and only if it has at most maxEntries.
const (
	fewLooks   = 8
	maxEntries = 512
)

// Remembering returns d asked about each path once, for one decision.
func (d Disk) Remembering() Disk {
	d.known = &memory{known: map[string]*looked{}, asked: map[string]int{}}
	return d
}

// at looks up a clean, absolute path. Name by name is as good as resolving all of the path, as long as nothing is a link.
func (d Disk) at(path string) *looked {
	if d.known == nil {
		return d.lookUp(path)
	}
	is, ok := d.known.known[path]
	if !ok {
		if is = d.stepTo(path); is == nil {
			is = d.lookUp(path)
		}
		d.known.known[path] = is
	}
	return is
}

// stepTo looks a path up in its directory, nil if that does not suffice.
func (d Disk) stepTo(path string) *looked {
	parent := filepath.Dir(path)
	if d.KindOf == nil || d.List == nil || parent == path || !filepath.IsAbs(path) || filepath.Base(path) == ".." {
		return nil
	}
	up := d.at(parent)
	name := filepath.Base(path)
	switch {
	case !up.sure:
		return nil
	case !up.there:
		return &looked{sure: true, real: filepath.Join(up.real, name)}
	}
	switch d.kindIn(up, parent, name) {
	case Absent:
		return &looked{sure: true, real: filepath.Join(up.real, name)}
	case Plain:
		return &looked{there: true, sure: true, real: filepath.Join(up.real, name)}
	}
	return nil
}

// kindIn returns what a directory has under a name.
func (d Disk) kindIn(up *looked, parent, name string) Kind {
	if d.known.asked[parent]++; d.known.asked[parent] <= fewLooks || !isPlainName(name) {
		return d.KindOf(filepath.Join(parent, name))
	}
	if !up.listed {
		up.listed = true
		up.entries = entriesOf(d.List(parent))
	}
	if up.entries == nil {
		return d.KindOf(filepath.Join(parent, name))
	}
	e, ok := up.entries[strings.ToLower(name)]
	switch {
	case !ok:
		return Absent
	case e.name != name || e.kind != Plain:
		return d.KindOf(filepath.Join(parent, name))
	}
	return Plain
}

// isPlainName reports whether every disk compares a name letter by letter, but for case.
func isPlainName(name string) bool {
	for i := range len(name) {
		if c := name[i]; (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && c != '-' && c != '_' && (c != '.' || i == len(name)-1) {
			return false
		}
	}
	return name != ""
}

// entriesOf returns entries by their names in lower case, and in the spelling that a disk may compare. Names that are the
// same then are unclear.
func entriesOf(list map[string]Kind) map[string]found {
	if list == nil {
		return nil
	}
	entries := make(map[string]found, len(list))
	for name, kind := range list {
		key := strings.ToLower(name)
		if !isPlainName(name) {
			key, kind = FoldName(name), Unclear
		}
		if _, double := entries[key]; double {
			kind = Unclear
		}
		entries[key] = found{name, kind}
	}
	return entries
}

// lists reports whether the disk remembers and can list, so that a name is looked up in its directory.
func (d Disk) lists() bool { return d.known != nil && d.KindOf != nil && d.List != nil }

// Gone reports whether the directory of a path is surely not there, or has no such name.
func (d Disk) Gone(path string) bool {
	if !d.lists() {
		return false
	}
	parent := filepath.Dir(path)
	up := d.at(parent)
	return !up.there || up.sure && d.kindIn(up, parent, filepath.Base(path)) == Absent
}

// Entry returns what a directory has under a name, [Unclear] where that is not known or the directory is not there.
func (d Disk) Entry(dir, name string) Kind {
	if !d.lists() {
		return Unclear
	}
	if up := d.at(dir); up.there && up.sure {
		return d.kindIn(up, dir, name)
	}
	return Unclear
}
