package permission

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// memory is what one decision has found out about the disk, so that each path is looked up once.
type memory struct {
	known map[string]*looked
	// asked counts the paths that were looked up by their directory.
	asked map[string]int
	// filters are those of the repositories, by directory; nil where they are not known.
	filters map[string][]string
}

// filtersOf asks for the filters of git in a directory once.
func (p Policy) filtersOf(dir string) ([]string, bool) {
	if p.Filters == nil {
		return nil, false
	}
	if p.known == nil {
		return p.Filters(dir)
	}
	names, ok := p.known.filters[dir]
	if !ok {
		if names, ok = p.Filters(dir); ok && names == nil {
			names = []string{}
		} else if !ok {
			names = nil
		}
		p.known.filters[dir] = names
	}
	return names, names != nil
}

// looked is where a path leads.
type looked struct {
	there bool   // something is there, or that is not known
	sure  bool   // real is where it leads
	real  string // as [Policy.real] returns it
	// entries are what a directory that was listed has, by the names in lower case; nil if they are not known.
	entries map[string]entry
	listed  bool
}

// entry is what is in a directory under a name.
type entry struct {
	name string
	kind kind
}

// kind is what is at a path.
type kind int

const (
	unclear kind = iota // a link, or something that is not known
	absent
	plain // a file or a directory
)

// A directory is listed once more than fewLooks paths in it are looked up, and only if it has at most maxEntries.
const (
	fewLooks   = 8
	maxEntries = 512
)

// remembering returns p with a disk that is asked about each path once, for one decision.
func (p Policy) remembering() Policy {
	p.known = &memory{known: map[string]*looked{}, asked: map[string]int{}, filters: map[string][]string{}}
	return p
}

// at looks up a clean, absolute path. Name by name is as good as resolving all of the path, as long as nothing is a link.
func (p Policy) at(path string) *looked {
	if p.known == nil {
		return p.lookUp(path)
	}
	found, ok := p.known.known[path]
	if !ok {
		if found = p.stepTo(path); found == nil {
			found = p.lookUp(path)
		}
		p.known.known[path] = found
	}
	return found
}

// stepTo looks a path up in its directory, nil if that does not suffice.
func (p Policy) stepTo(path string) *looked {
	parent := filepath.Dir(path)
	if p.kind == nil || p.list == nil || parent == path || !filepath.IsAbs(path) || filepath.Base(path) == ".." {
		return nil
	}
	up := p.at(parent)
	name := filepath.Base(path)
	switch {
	case !up.sure:
		return nil
	case !up.there:
		return &looked{sure: true, real: filepath.Join(up.real, name)}
	}
	switch p.kindIn(up, parent, name) {
	case absent:
		return &looked{sure: true, real: filepath.Join(up.real, name)}
	case plain:
		return &looked{there: true, sure: true, real: filepath.Join(up.real, name)}
	}
	return nil
}

// kindIn returns what a directory has under a name.
func (p Policy) kindIn(up *looked, parent, name string) kind {
	if p.known.asked[parent]++; p.known.asked[parent] <= fewLooks || !isPlainName(name) {
		return p.kind(filepath.Join(parent, name))
	}
	if !up.listed {
		up.listed = true
		up.entries = entriesOf(p.list(parent))
	}
	if up.entries == nil {
		return p.kind(filepath.Join(parent, name))
	}
	e, ok := up.entries[strings.ToLower(name)]
	switch {
	case !ok:
		return absent
	case e.name != name || e.kind != plain:
		return p.kind(filepath.Join(parent, name))
	}
	return plain
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
func entriesOf(list []entry) map[string]entry {
	if list == nil {
		return nil
	}
	entries := make(map[string]entry, len(list))
	for _, e := range list {
		key := strings.ToLower(e.name)
		if !isPlainName(e.name) {
			key, e.kind = foldName(e.name), unclear
		}
		if _, double := entries[key]; double {
			e.kind = unclear
		}
		entries[key] = e
	}
	return entries
}

// kindOf returns what is at a path.
func kindOf(path string) kind {
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return absent
	}
	if err != nil {
		return unclear
	}
	return kindOfMode(info.Mode())
}

func kindOfMode(mode fs.FileMode) kind {
	if mode.IsRegular() || mode.IsDir() {
		return plain
	}
	return unclear
}

// listOf returns what a directory has, nil if that is too much or cannot be read. Anything else has nothing.
func listOf(dir string) []entry {
	if info, err := os.Stat(dir); err == nil && !info.IsDir() {
		return []entry{}
	}
	f, err := os.Open(dir)
	if err != nil {
		return nil
	}
	defer func() { _ = f.Close() }()
	found, err := f.ReadDir(maxEntries + 1)
	if err != nil && !errors.Is(err, io.EOF) || len(found) > maxEntries { // the end, of an empty one
		return nil
	}
	entries := make([]entry, len(found))
	for i, e := range found {
		entries[i] = entry{e.Name(), kindOfMode(e.Type())}
	}
	return entries
}
