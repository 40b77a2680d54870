package search

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"parley/session/builtin/tool"

	"parley/internal/folder"
	"parley/internal/gitignore"
	"parley/internal/regular"
)

// mostFiles bounds the files of a walk.
const mostFiles = 200_000

// mostDeep bounds the depth of a walk, which holds every folder on its path open.
const mostDeep = 100

// visitor is called with a file: its path, its folder, and its entry there. It returns false to end the walk.
type visitor func(path string, in *os.Root, d fs.DirEntry) bool

// walk calls visit for every file below a place that git would not ignore, ordered by directory, or for the place
// itself if it is a file. It follows no links and skips .git. whole is false if it ended early: ctx ended, visit
// returned false, or there were too many files. An error concerns the place itself.
func walk(ctx context.Context, top tool.Place, visit visitor) (whole bool, err error) {
	in, name, err := top.Folder()
	if err != nil {
		return false, err
	}
	defer in.Close()
	info, err := in.Lstat(name)
	switch {
	case err != nil:
		return false, err
	case info.Mode()&fs.ModeSymlink != 0:
		return false, folder.ErrLink
	case !info.IsDir():
		return visit(top.Path, in, fs.FileInfoToDirEntry(info)), nil
	}
	root, err := folder.Sub(in, name)
	if err != nil {
		return false, err
	}
	defer root.Close()
	w := walker{ctx: ctx, visit: visit}
	return w.down(root, top.Path, "", gitignore.Above(ctx, top.Path, ""), 1), nil
}

// unsearchable returns the outcome of a search that cannot begin.
func unsearchable(w *tool.Workspace, top tool.Place, err error) tool.Outcome {
	return tool.Failed("%s cannot be searched: %v", w.Short(top.Path), tool.Cause(err))
}

// walker is the state of a walk.
type walker struct {
	ctx   context.Context
	visit visitor
	count int
	over  bool // visit ended the walk, or its bound
}

// down walks an open folder, and reports whether it visited everything. rel is the path of the folder from the top,
// with slashes.
func (w *walker) down(in *os.Root, dir, rel string, ignore gitignore.Stack, depth int) bool {
	entries, err := w.entries(in)
	if err != nil {
		return w.ctx.Err() == nil // an unreadable directory counts as empty
	}
	ignore = withIgnoreFile(w.ctx, ignore, in, rel)
	whole := true
	for _, e := range entries {
		path, below := filepath.Join(dir, e.Name()), path.Join(rel, e.Name())
		if w.ctx.Err() != nil {
			return false
		}
		if e.Name() == ".git" || ignore.Ignored(below, e.IsDir()) {
			continue
		}
		if !e.IsDir() {
			if w.count++; w.count > mostFiles || !w.visit(path, in, e) {
				w.over = true
				return false
			}
			continue
		}
		if depth == mostDeep {
			whole = false
			continue
		}
		sub, err := folder.Sub(in, e.Name())
		if err != nil {
			continue // not permitted, or no longer a directory
		}
		seen := w.down(sub, path, below, ignore, depth+1)
		_ = sub.Close() // nothing was written
		whole = whole && seen
		if w.over {
			return false
		}
	}
	return whole
}

// entries lists a folder by name, at most as many entries as a walk visits.
func (w *walker) entries(in *os.Root) ([]fs.DirEntry, error) {
	f, err := in.Open(".")
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var all []fs.DirEntry
	for len(all) <= mostFiles {
		if err := w.ctx.Err(); err != nil {
			return nil, err
		}
		some, err := f.ReadDir(1000)
		all = append(all, some...)
		if err != nil || len(some) == 0 { // io.EOF, or the rest cannot be read
			break
		}
	}
	slices.SortFunc(all, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return all, nil
}

// mostIgnored bounds a .gitignore file in bytes, because every file found is compared with each of its lines.
const mostIgnored = 64 << 10

// withIgnoreFile adds the .gitignore file of a folder, if it is a regular file and not a link. rel is the folder's path
// from the top of the walk, with slashes.
func withIgnoreFile(ctx context.Context, s gitignore.Stack, in *os.Root, rel string) gitignore.Stack {
	data, err := regular.ReadFileIn(ctx, in, ".gitignore", mostIgnored, regular.NoLinks)
	if errors.Is(err, regular.ErrTooLarge) {
		data, err = data[:bytes.LastIndexByte(data, '\n')+1], nil
	}
	if err != nil {
		return s
	}
	return s.With(rel, string(data))
}

// walkBelow calls visit for the files that may be read; see [walk].
func walkBelow(ctx context.Context, s *tool.Searched, visit visitor) (whole bool, err error) {
	return walk(ctx, s.Top, func(path string, in *os.Root, d fs.DirEntry) bool {
		if s.Hide(path) {
			return true
		}
		return visit(path, in, d)
	})
}
