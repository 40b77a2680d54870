package builtin

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	ignore "github.com/sabhiram/go-gitignore"

	"parley/internal/regular"
)

// mostFiles is how many files a walk looks at before it gives up.
const mostFiles = 200_000

// ignorer is one .gitignore file and the directory it governs.
type ignorer struct {
	dir  string
	list *ignore.GitIgnore
}

// mostDeep is how many folders in each other a walk goes down. It holds each of them open.
const mostDeep = 100

// visitor is told of a file: its path, the folder it is in, and its entry there. It returns false to end the walk.
type visitor func(path string, in *os.Root, d fs.DirEntry) bool

// walk calls visit for every file below a place that git would not ignore, in order of directories, or for the file that
// the place is. It follows no links and leaves out .git. It reports false if it ended early: because ctx ended, visit
// returned false, or there are too many files. An error is about the place itself.
func walk(ctx context.Context, top place, visit visitor) (whole bool, err error) {
	in, name, err := top.folder()
	if err != nil {
		return false, err
	}
	defer in.Close()
	info, err := in.Lstat(name)
	switch {
	case err != nil:
		return false, err
	case info.Mode()&fs.ModeSymlink != 0:
		return false, errLink
	case !info.IsDir():
		return visit(top.path, in, fs.FileInfoToDirEntry(info)), nil
	}
	root, err := openSub(in, name)
	if err != nil {
		return false, err
	}
	defer root.Close()
	w := walker{ctx: ctx, visit: visit}
	return w.down(root, top.path, ignorersAbove(ctx, top.path), 1), nil
}

// unsearchable is the outcome of a search that cannot begin.
func (w *workspace) unsearchable(top place, err error) outcome {
	return failed("%s cannot be searched: %v", w.short(top.path), cause(err))
}

// walker is one walk under way.
type walker struct {
	ctx   context.Context
	visit visitor
	count int
	over  bool // nothing more is wanted
}

// down walks a folder that is open, and reports whether all was seen.
func (w *walker) down(in *os.Root, dir string, ignorers []ignorer, depth int) bool {
	entries, err := w.entries(in)
	if err != nil {
		return w.ctx.Err() == nil // unreadable directories hold nothing we could show
	}
	ignorers = withIgnorer(w.ctx, ignorers, in, dir)
	whole := true
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		if w.ctx.Err() != nil {
			return false
		}
		if e.Name() == ".git" || ignored(ignorers, path, e.IsDir()) {
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
		sub, err := openSub(in, e.Name())
		if err != nil {
			continue // it may not be entered, or is a directory no more
		}
		seen := w.down(sub, path, ignorers, depth+1)
		_ = sub.Close() // nothing was written
		whole = whole && seen
		if w.over {
			return false
		}
	}
	return whole
}

// entries lists a folder by name, as far as a walk would go.
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

// ignorersAbove reads the .gitignore files from the root of the repository down to above dir.
func ignorersAbove(ctx context.Context, dir string) []ignorer {
	root, ok := gitRoot(dir)
	if !ok || root == dir {
		return nil
	}
	var dirs []string
	for d := filepath.Dir(dir); ; d = filepath.Dir(d) {
		dirs = append(dirs, d)
		if d == root || d == filepath.Dir(d) {
			break
		}
	}
	var out []ignorer
	for i := len(dirs) - 1; i >= 0; i-- {
		in, err := os.OpenRoot(dirs[i])
		if err != nil {
			continue
		}
		out = withIgnorer(ctx, out, in, dirs[i])
		_ = in.Close() // nothing was written
	}
	return out
}

// mostIgnored is how much of a .gitignore file counts, in bytes. Each file that is found is compared with every line.
const mostIgnored = 64 << 10

// withIgnorer adds the .gitignore file of a folder, if it is a file. As git, it reads none that is a link.
func withIgnorer(ctx context.Context, list []ignorer, in *os.Root, dir string) []ignorer {
	data, err := regular.ReadFileIn(ctx, in, ".gitignore", mostIgnored, regular.NoLinks)
	if errors.Is(err, regular.ErrTooLarge) {
		data, err = data[:bytes.LastIndexByte(data, '\n')+1], nil
	}
	if err != nil {
		return list
	}
	file := ignore.CompileIgnoreLines(strings.Split(string(data), "\n")...)
	return append(list[:len(list):len(list)], ignorer{dir, file})
}

// ignored asks the lists from the outermost in; a nested one can add, but not take back.
func ignored(list []ignorer, path string, isDir bool) bool {
	for _, ig := range list {
		rel, err := filepath.Rel(ig.dir, path)
		if err != nil {
			continue
		}
		rel = filepath.ToSlash(rel)
		if ig.list.MatchesPath(rel) || isDir && ig.list.MatchesPath(rel+"/") {
			return true
		}
	}
	return false
}

// gitRoot returns the closest directory at or above dir that holds a .git.
func gitRoot(dir string) (string, bool) {
	for d := dir; ; d = filepath.Dir(d) {
		if _, err := os.Lstat(filepath.Join(d, ".git")); err == nil {
			return d, true
		}
		if d == filepath.Dir(d) {
			return "", false
		}
	}
}

// mostGit is how much is read of a file that says where a repository is or what is checked out, in bytes.
const mostGit = 4096

// gitBranch returns the branch that is checked out at dir, "" if there is none or it cannot be read. It runs nothing.
func gitBranch(ctx context.Context, dir string) string {
	root, ok := gitRoot(dir)
	if !ok {
		return ""
	}
	git := filepath.Join(root, ".git")
	if data, err := regular.ReadFile(ctx, git, mostGit, regular.FollowLinks); err == nil { // a worktree or submodule: a file that says where
		target, ok := strings.CutPrefix(strings.TrimSpace(string(data)), "gitdir: ")
		if !ok {
			return ""
		}
		if !filepath.IsAbs(target) {
			target = filepath.Join(root, target)
		}
		git = target
	}
	data, err := regular.ReadFile(ctx, filepath.Join(git, "HEAD"), mostGit, regular.FollowLinks)
	if err != nil {
		return ""
	}
	branch, ok := strings.CutPrefix(strings.TrimSpace(string(data)), "ref: refs/heads/")
	if !ok {
		return ""
	}
	return branch
}
