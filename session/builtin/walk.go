package builtin

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	ignore "github.com/sabhiram/go-gitignore"
)

// mostFiles is how many files a walk looks at before it gives up.
const mostFiles = 200_000

// ignorer is one .gitignore file and the directory it governs.
type ignorer struct {
	dir  string
	list *ignore.GitIgnore
}

// walk calls visit for every file below root that git would not ignore, in order of directories. It follows no links and
// leaves out .git. It ends early, and says so, if ctx ends, visit returns false, or there are too many files.
func walk(ctx context.Context, root string, visit func(path string, d fs.DirEntry) bool) (whole bool) {
	count := 0
	var down func(dir string, ignorers []ignorer) bool
	down = func(dir string, ignorers []ignorer) bool {
		if ctx.Err() != nil {
			return false
		}
		entries, err := os.ReadDir(dir)
		if err != nil {
			return true // unreadable directories hold nothing we could show
		}
		ignorers = withIgnorer(ignorers, dir)
		for _, e := range entries {
			path := filepath.Join(dir, e.Name())
			if e.Name() == ".git" || ignored(ignorers, path, e.IsDir()) {
				continue
			}
			if e.IsDir() {
				if !down(path, ignorers) {
					return false
				}
				continue
			}
			if count++; count > mostFiles || !visit(path, e) {
				return false
			}
		}
		return true
	}
	return down(root, ignorersAbove(root))
}

// ignorersAbove reads the .gitignore files from the root of the repository down to above dir.
func ignorersAbove(dir string) []ignorer {
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
		out = withIgnorer(out, dirs[i])
	}
	return out
}

func withIgnorer(list []ignorer, dir string) []ignorer {
	file, err := ignore.CompileIgnoreFile(filepath.Join(dir, ".gitignore"))
	if err != nil {
		return list
	}
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

// gitBranch returns the branch that is checked out at dir, "" if there is none or it cannot be read. It runs nothing.
func gitBranch(dir string) string {
	root, ok := gitRoot(dir)
	if !ok {
		return ""
	}
	git := filepath.Join(root, ".git")
	if data, err := os.ReadFile(git); err == nil { // a worktree or submodule: a file that says where
		target, ok := strings.CutPrefix(strings.TrimSpace(string(data)), "gitdir: ")
		if !ok {
			return ""
		}
		if !filepath.IsAbs(target) {
			target = filepath.Join(root, target)
		}
		git = target
	}
	data, err := os.ReadFile(filepath.Join(git, "HEAD"))
	if err != nil || len(data) > 4096 {
		return ""
	}
	branch, ok := strings.CutPrefix(strings.TrimSpace(string(data)), "ref: refs/heads/")
	if !ok {
		return ""
	}
	return branch
}
