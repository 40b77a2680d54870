package files

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Above are the ignore rules that hold in a directory without standing in or below it: those of the user, of the
// repository, and of the directories between its root and the directory.
type Above struct{ outer []rules }

// RepositoryAbove reads the rules above a directory of the disk. userFile is the file of the user's own rules, what git
// calls core.excludesFile; it may be empty or missing. Outside a repository only that file counts.
func RepositoryAbove(dir, userFile string) Above {
	var a Above
	if userFile != "" {
		a.read(filepath.Dir(userFile), filepath.Base(userFile), "")
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return a
	}
	for root := abs; ; root = filepath.Dir(root) {
		if common, ok := gitDir(filepath.Join(root, ".git")); ok {
			rel, err := filepath.Rel(root, abs)
			if err != nil {
				return a
			}
			parts := strings.Split(filepath.ToSlash(rel), "/")
			if rel == "." {
				parts = nil
			}
			a.read(filepath.Join(common, "info"), "exclude", strings.Join(parts, "/"))
			for i := range parts {
				a.read(filepath.Join(root, filepath.Join(parts[:i]...)), ".gitignore", strings.Join(parts[i:], "/"))
			}
			return a
		}
		if filepath.Dir(root) == root {
			return a
		}
	}
}

// read adds the rules of a file. above is the path from the directory that it is about to the root of the walk.
func (a *Above) read(dir, name, above string) {
	text, ok := readSmall(os.DirFS(dir), name)
	if !ok {
		return
	}
	if r := parseRules("", text); len(r.list) > 0 {
		r.above = above
		a.outer = append(a.outer, r)
	}
}

// gitDir returns the directory in which a repository keeps what its working trees share. In a linked working tree .git is
// a file that names another directory.
func gitDir(dotGit string) (string, bool) {
	info, err := os.Stat(dotGit)
	if err != nil {
		return "", false
	}
	if info.IsDir() {
		return dotGit, true
	}
	text, ok := readSmall(os.DirFS(filepath.Dir(dotGit)), ".git")
	dir, named := strings.CutPrefix(strings.TrimSpace(text), "gitdir:")
	if !ok || !named {
		return "", false
	}
	dir = strings.TrimSpace(dir)
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(filepath.Dir(dotGit), dir)
	}
	if common, err := fs.ReadFile(os.DirFS(dir), "commondir"); err == nil {
		shared := strings.TrimSpace(string(common))
		if !filepath.IsAbs(shared) {
			shared = filepath.Join(dir, shared)
		}
		return shared, true
	}
	return dir, true
}
