package git

import (
	"context"
	"crypto/sha1"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"parley/internal/safefs"
)

// The bounds of the search for changed files.
const (
	maxFile     = 1 << 20 // bytes of a file whose content is compared
	maxCompared = 200
)

// Changed counts the tracked files of the repository around dir that differ from git's index, and reports whether the
// number is known. It never runs git, whose configuration may start other programs, and so misses new files. It
// compares the content of files whose time differs but not their size, unless they are large or many.
func Changed(ctx context.Context, dir string) (int, bool) {
	r, ok := Around(ctx, dir)
	if !ok {
		return 0, false
	}
	x, err := ReadIndex(ctx, r)
	if err != nil || x.Foreign {
		return 0, false
	}
	root, err := os.OpenRoot(r.Dir)
	if err != nil {
		return 0, false
	}
	defer root.Close()
	changed, compared, last := 0, 0, ""
	for i := range x.Entries {
		if ctx.Err() != nil {
			return changed, false
		}
		e := &x.Entries[i]
		if t := e.Mode & TypeMask; e.Skipped || e.Path == last || t != TypeFile && t != TypeLink {
			continue // of a conflict the first stage counts; submodules are not looked into
		}
		last = e.Path
		info, err := root.Lstat(filepath.FromSlash(e.Path))
		if err != nil {
			if errors.Is(err, fs.ErrNotExist) {
				changed++
			}
			continue
		}
		is, perhaps := e.touched(info)
		if !is && perhaps && e.Mode&TypeMask == TypeFile && e.Size <= maxFile && compared < maxCompared {
			compared++
			is = !same(ctx, root, e)
		}
		if is {
			changed++
		}
	}
	return changed, true
}

// same reports whether a file has the content that the index names.
func same(ctx context.Context, root *os.Root, e *Entry) bool {
	data, err := safefs.ReadFileIn(ctx, root, filepath.FromSlash(e.Path), maxFile, safefs.NoLinks)
	if err != nil {
		return true // an unreadable file does not count as changed
	}
	h := sha1.New()
	h.Write(header(len(data)))
	h.Write(data)
	return [20]byte(h.Sum(nil)) == e.Sum
}
