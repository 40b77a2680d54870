package permission

import (
	"path/filepath"
	"slices"
	"strings"
	"unicode"
)

// within reports whether path lies in the session's directories, wherever its links lead. No path means the working
// directory.
func (p Policy) within(path string) bool {
	if path == "" {
		return len(p.Dirs) > 0
	}
	return p.inside(path, p.Dirs)
}

// editable reports whether path may be edited under a blanket permission for dirs: it lies in one of them after all links
// are resolved, it is not part of a .git directory, and not one of the user's own dot-files.
func (p Policy) editable(path string, dirs []string) bool {
	real, ok := p.real(path)
	if !ok || !p.inside(path, dirs) {
		return false
	}
	for _, name := range strings.Split(filepath.ToSlash(real), "/") {
		if isGit(name) {
			return false
		}
	}
	if p.Home == "" {
		return true
	}
	home := p.Home
	if r, ok := p.real(home); ok {
		home = r
	}
	rel, ok := p.below(real, home)
	return !ok || !strings.HasPrefix(rel, ".") || rel == "."
}

// inside reports whether path, with all links resolved, lies in one of dirs, with all theirs resolved.
func (p Policy) inside(path string, dirs []string) bool {
	real, ok := p.real(path)
	if !ok {
		return false
	}
	for _, dir := range dirs {
		if root, ok := p.real(dir); ok {
			if _, ok := p.below(real, root); ok {
				return true
			}
		}
	}
	return false
}

// below returns path relative to root, "." for root itself, if it lies there. Both are resolved.
func (p Policy) below(path, root string) (string, bool) {
	if p.FoldCase {
		path, root = strings.ToLower(path), strings.ToLower(root)
	}
	rel, err := filepath.Rel(root, path)
	if err != nil || !filepath.IsLocal(rel) {
		return "", false
	}
	return rel, true
}

// real returns where path really is. The last names of a path may not exist yet; a link that leads nowhere is refused,
// because writing to it would create what it names. It reports false for all that it cannot be sure of.
func (p Policy) real(path string) (string, bool) {
	if p.Resolve == nil || !filepath.IsAbs(path) || strings.ContainsRune(path, 0) {
		return "", false
	}
	// A ".." after a link leads elsewhere than its text says.
	if strings.Contains(path, "..") && slices.Contains(strings.FieldsFunc(path, isSeparator), "..") {
		return "", false
	}
	at := p.at(filepath.Clean(path))
	return at.real, at.sure
}

// lookUp resolves a clean, absolute path as a whole.
func (p Policy) lookUp(path string) *looked {
	if p.Resolve == nil {
		return &looked{there: true}
	}
	rest := ""
	for dir := path; ; dir = filepath.Dir(dir) {
		real, err := p.Resolve(dir)
		if err == nil {
			return &looked{there: dir == path, sure: true, real: filepath.Join(real, rest)}
		}
		if p.Exists == nil || p.Exists(dir) || filepath.Dir(dir) == dir {
			return &looked{there: dir == path}
		}
		rest = filepath.Join(filepath.Base(dir), rest)
	}
}

func isSeparator(r rune) bool { return r == '/' || r == filepath.Separator }

// isGit reports whether a disk may take the name for .git: disks ignore case, signs without width, dots and spaces at the
// end, streams after a colon, or offer a short name.
func isGit(name string) bool {
	name, _, _ = strings.Cut(name, ":")
	name = strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Cf, r) {
			return -1
		}
		return r
	}, name)
	name = strings.ToLower(strings.TrimRight(name, ". "))
	return name == ".git" || strings.HasPrefix(name, "git~")
}
