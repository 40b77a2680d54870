package changes

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"parley/session"
)

// Scope selects changes. Fields that are set must all fit; the zero value selects all.
type Scope struct {
	Turn session.TurnID
	// Paths are files, or directories with all that is below them; absolute.
	Paths   []string
	Changes []ChangeID
	// OnlyOpen leaves out what the user has accepted, as to reject.
	OnlyOpen bool
}

// Has reports whether the scope selects a change. It reads nothing: links in Paths are not resolved.
func (s Scope) Has(c Change) bool {
	switch {
	case s.Turn != "" && s.Turn != c.Turn, len(s.Changes) > 0 && !slices.Contains(s.Changes, c.ID), s.OnlyOpen && c.Status == Accepted:
		return false
	}
	return len(s.Paths) == 0 || slices.ContainsFunc(s.Paths, func(p string) bool { return within(p, c.Path) })
}

// within reports whether a path is dir or below it.
func within(dir, path string) bool {
	rest, ok := strings.CutPrefix(path, dir)
	return ok && (rest == "" || rest[0] == filepath.Separator || strings.HasSuffix(dir, string(filepath.Separator)))
}

// resolved returns the scope with the paths that changes have: cleaned, and with the links of their directories resolved.
func (s Scope) resolved() Scope {
	paths := make([]string, 0, len(s.Paths))
	for _, p := range s.Paths {
		p = filepath.Clean(p)
		paths = append(paths, p)
		if real := resolve(p); real != p {
			paths = append(paths, real)
		}
	}
	s.Paths = paths
	return s
}

// resolve resolves the links of a path's directories, as far as these exist.
func resolve(path string) string {
	dir, name := filepath.Split(path)
	dir = filepath.Clean(dir)
	if dir == path || name == "" {
		return path
	}
	real, err := filepath.EvalSymlinks(dir)
	if os.IsNotExist(err) {
		real = resolve(dir)
	} else if err != nil {
		return path
	}
	return filepath.Join(real, name)
}
