package disk

import (
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// Disk finds out where paths lead. Its zero value resolves nothing. It is a value: within [Disk.Remembering] each path is looked up
// once.
type Disk struct {
	// Resolve returns the path with all symbolic links resolved, or an error if it does not exist, as
	// [filepath.EvalSymlinks] does. Nil resolves nothing, and then no file may be touched without asking.
	Resolve func(path string) (string, error)
	// Exists reports whether the path itself is there, also as a link that leads nowhere, as [os.Lstat] finds out. Nil
	// means unknown, and then files that do not exist yet are asked about.
	Exists func(path string) bool
	// FoldCase reports that file names differing only in case are the same file, as on most macOS and Windows disks.
	FoldCase bool
	// KindOf returns what is at a path, and List what a directory has by name, nil if that is not known. Without them decisions
	// take longer and are the same.
	KindOf func(path string) Kind
	List   func(dir string) map[string]Kind
	// known holds the paths that one decision has looked up, nil outside of one.
	known *memory
}

// Inside reports whether path, with all links resolved, lies in one of dirs, with all theirs resolved.
func (d Disk) Inside(path string, dirs []string) bool {
	real, ok := d.Real(path)
	if !ok {
		return false
	}
	for _, dir := range dirs {
		if root, ok := d.Real(dir); ok {
			if _, ok := d.Below(real, root); ok {
				return true
			}
		}
	}
	return false
}

// Below returns path relative to root, "." for root itself, if it lies there. Both are resolved.
func (d Disk) Below(path, root string) (string, bool) {
	if d.FoldCase {
		path, root = strings.ToLower(path), strings.ToLower(root)
	}
	rel, err := filepath.Rel(root, path)
	if err != nil || !filepath.IsLocal(rel) {
		return "", false
	}
	return rel, true
}

// Real returns where path really is. The last names of a path may not exist yet; a link that leads nowhere is refused,
// because writing to it would create what it names. It reports false for all that it cannot be sure of.
func (d Disk) Real(path string) (string, bool) {
	if d.Resolve == nil || !filepath.IsAbs(path) || strings.ContainsRune(path, 0) {
		return "", false
	}
	// A ".." after a link leads elsewhere than its text says.
	if strings.Contains(path, "..") && slices.Contains(strings.FieldsFunc(path, IsSeparator), "..") {
		return "", false
	}
	at := d.at(filepath.Clean(path))
	return at.real, at.sure
}

// Find returns where a clean, absolute path leads, whether that is sure, and whether something is there or may be.
func (d Disk) Find(path string) (real string, sure, there bool) {
	at := d.at(path)
	return at.real, at.sure, at.there
}

// lookUp resolves a clean, absolute path as a whole.
func (d Disk) lookUp(path string) *looked {
	if d.Resolve == nil {
		return &looked{there: true}
	}
	rest := ""
	for dir := path; ; dir = filepath.Dir(dir) {
		real, err := d.Resolve(dir)
		if err == nil {
			return &looked{there: dir == path, sure: true, real: filepath.Join(real, rest)}
		}
		if d.Exists == nil || d.Exists(dir) || filepath.Dir(dir) == dir {
			return &looked{there: dir == path}
		}
		rest = filepath.Join(filepath.Base(dir), rest)
	}
}

// From returns where a relative path leads from a directory. A ".." leads above where the links before it lead.
func (d Disk) From(base, text string) (string, bool) {
	names := strings.FieldsFunc(text, IsSeparator)
	last := -1
	for i, name := range names {
		if name == ".." {
			last = i
		}
	}
	if last < 0 {
		return filepath.Join(base, text), true
	}
	at, ok := d.Real(base)
	for _, name := range names[:last+1] {
		if !ok {
			return "", false
		}
		if name == ".." {
			at = filepath.Dir(at)
		} else {
			at, ok = d.Real(filepath.Join(at, name))
		}
	}
	return filepath.Join(at, filepath.Join(names[last+1:]...)), ok
}

// maxMatches bounds the files that a pattern may name.
const maxMatches = 256

// Matching returns what a name with signs of patterns stands for in directories.
func (d Disk) Matching(dirs []string, name string) (found []string, ok bool) {
	plainly := !strings.ContainsAny(name, `*?[\`)
	switch {
	case d.List == nil:
		return nil, false
	case name == "" || name == ".":
		return dirs, true
	case name == ".." || name[0] == '.' && !plainly: // shells do not agree whether ".*" is ".." too
		return nil, false
	case plainly:
		for _, dir := range dirs {
			found = append(found, filepath.Join(dir, name))
		}
		return found, true
	}
	for _, dir := range dirs {
		switch at := d.at(dir); {
		case !at.sure:
			return nil, false
		case !at.there:
			continue
		}
		entries := d.List(dir)
		if entries == nil {
			return nil, false
		}
		for entry := range entries {
			if is, err := path.Match(name, entry); err == nil && is {
				found = append(found, filepath.Join(dir, entry))
			}
		}
		if len(found) > maxMatches {
			return nil, false
		}
	}
	return found, true
}
