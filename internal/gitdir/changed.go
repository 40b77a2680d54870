package gitdir

import (
	"context"
	"crypto/sha1"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"parley/internal/regular"
)

// The bounds of the search for changed files.
const (
	largestIndex = 64 << 20 // bytes; some 600,000 files
	largestFile  = 1 << 20  // bytes of a file whose content is compared
	mostCompared = 200
)

// Changed counts the tracked files of the repository around dir that differ from git's index, and reports whether the
// number is known. It never runs git, whose configuration may start other programs, and so misses new files. It
// compares the content of files whose time differs but not their size, unless they are large or many.
func Changed(ctx context.Context, dir string) (int, bool) {
	r, ok := find(ctx, dir, func(r Repository) bool {
		info, err := os.Stat(filepath.Join(r.Git, "HEAD"))
		return err == nil && info.Mode().IsRegular()
	})
	if !ok {
		return 0, false
	}
	data, err := regular.ReadFile(ctx, filepath.Join(r.Git, "index"), largestIndex, regular.FollowLinks)
	if err != nil {
		return 0, false
	}
	root, err := os.OpenRoot(r.Dir)
	if err != nil {
		return 0, false
	}
	defer root.Close()
	changed, compared, last := 0, 0, ""
	err = parseIndex(data, func(e entry) bool {
		if ctx.Err() != nil {
			return false
		}
		if t := e.mode & typeMask; e.skipped || e.path == last || t != typeFile && t != typeLink {
			return true // of a conflict the first stage counts; submodules are not looked into
		}
		last = e.path
		info, err := root.Lstat(filepath.FromSlash(e.path))
		if err != nil {
			if errors.Is(err, fs.ErrNotExist) {
				changed++
			}
			return true
		}
		is, perhaps := e.touched(info)
		if !is && perhaps && e.mode&typeMask == typeFile && e.size <= largestFile && compared < mostCompared {
			compared++
			is = !same(ctx, root, e)
		}
		if is {
			changed++
		}
		return true
	})
	return changed, err == nil && ctx.Err() == nil
}

// same reports whether a file has the content that the index names.
func same(ctx context.Context, root *os.Root, e entry) bool {
	data, err := regular.ReadFileIn(ctx, root, filepath.FromSlash(e.path), largestFile, regular.NoLinks)
	if err != nil {
		return true // an unreadable file does not count as changed
	}
	h := sha1.New()
	h.Write(header(len(data)))
	h.Write(data)
	return [20]byte(h.Sum(nil)) == e.sum
}
