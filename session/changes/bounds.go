package changes

import (
	"context"
	"path/filepath"
	"slices"
)

// outside means that a file is not one of those that a step may change.
const outside = "It is outside the session's directories."

// bounds are the directories in which steps may change files. The log is a file that others may have written.
type bounds struct {
	none bool // everything is allowed
	dirs []string
}

// bounds returns the bounds of the log's steps. Where the session's directories are unknown, nothing may be changed.
func (l *Log) bounds(ctx context.Context) bounds {
	if l.lib.o.Dirs == nil {
		return bounds{none: true}
	}
	dirs, err := l.lib.o.Dirs(ctx, l.id)
	if err != nil {
		return bounds{}
	}
	var b bounds
	for _, dir := range dirs {
		if !filepath.IsAbs(dir) {
			continue
		}
		dir = filepath.Clean(dir)
		b.dirs = append(b.dirs, dir)
		if real, err := filepath.EvalSymlinks(dir); err == nil && real != dir {
			b.dirs = append(b.dirs, real)
		}
	}
	return b
}

// has reports whether a path is within the bounds. A path that is not clean is not.
func (b bounds) has(path string) bool {
	return b.none || filepath.Clean(path) == path && slices.ContainsFunc(b.dirs, func(dir string) bool { return within(dir, path) })
}

// among returns the paths that are within the bounds.
func (b bounds) among(paths []string) []string {
	return slices.DeleteFunc(slices.Clone(paths), func(p string) bool { return !b.has(p) })
}
