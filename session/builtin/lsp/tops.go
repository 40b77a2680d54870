package lsp

import "path/filepath"

// tops are the directories of the session, as they are written.
type tops []string

// of returns the directory that contains a path with links resolved, with links resolved; "" for none.
func (t tops) of(real string) string {
	best := ""
	for _, dir := range t {
		if top, err := filepath.EvalSymlinks(dir); err == nil && within(top, real) && len(top) > len(best) {
			best = top
		}
	}
	return best
}

// display returns a path as the directories are written.
func (t tops) display(real string) string {
	for _, dir := range t {
		top, err := filepath.EvalSymlinks(dir)
		if err != nil || !within(top, real) {
			continue
		}
		if rel, err := filepath.Rel(top, real); err == nil {
			return filepath.Join(dir, rel)
		}
	}
	return real
}

// realPath returns a path with its links resolved, or as it is.
func realPath(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return path
}
