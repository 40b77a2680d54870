package files

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"parley/internal/regular"
)

// Above are the ignore rules that hold in a directory without standing in or below it: those of the user, of the
// repository, and of the directories between its root and the directory.
type Above struct{ outer []rules }

// RepositoryAbove reads the rules above a directory of the disk. userFile is the file of the user's own rules, what git
// calls core.excludesFile; it may be empty or missing. Outside a repository only that file counts.
// What is not a regular file is passed over. When ctx ends, so does the reading, and rules may be missing.
func RepositoryAbove(ctx context.Context, dir, userFile string) Above {
	var a Above
	if userFile != "" {
		a.read(ctx, userFile, "", regular.FollowLinks)
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return a
	}
	for root := abs; ; root = filepath.Dir(root) {
		if common, ok := gitDir(ctx, filepath.Join(root, ".git")); ok {
			rel, err := filepath.Rel(root, abs)
			if err != nil {
				return a
			}
			parts := strings.Split(filepath.ToSlash(rel), "/")
			if rel == "." {
				parts = nil
			}
			a.read(ctx, filepath.Join(common, "info", "exclude"), strings.Join(parts, "/"), regular.FollowLinks)
			for i := range parts {
				a.read(ctx, filepath.Join(root, filepath.Join(parts[:i]...), ".gitignore"), strings.Join(parts[i:], "/"), regular.NoLinks)
			}
			return a
		}
		if filepath.Dir(root) == root {
			return a
		}
	}
}

// read adds the rules of a file. above is the path from the directory that it is about to the root of the walk.
func (a *Above) read(ctx context.Context, file, above string, links regular.Links) {
	text, err := regular.ReadFile(ctx, file, maxIgnoreFile, links)
	if err != nil {
		return
	}
	if r := parseRules("", string(text)); len(r.list) > 0 {
		r.above = above
		a.outer = append(a.outer, r)
	}
}

// maxLink is how large a file may be that names a directory and nothing else, in bytes.
const maxLink = 16 << 10

// gitDir returns the directory in which a repository keeps what its working trees share. In a linked working tree .git is
// a file that names another directory.
func gitDir(ctx context.Context, dotGit string) (string, bool) {
	info, err := os.Stat(dotGit)
	if err != nil {
		return "", false
	}
	if info.IsDir() {
		return dotGit, true
	}
	text, err := regular.ReadFile(ctx, dotGit, maxLink, regular.FollowLinks)
	dir, named := strings.CutPrefix(strings.TrimSpace(string(text)), "gitdir:")
	if err != nil || !named {
		return "", false
	}
	dir = strings.TrimSpace(dir)
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(filepath.Dir(dotGit), dir)
	}
	if common, err := regular.ReadFile(ctx, filepath.Join(dir, "commondir"), maxLink, regular.FollowLinks); err == nil {
		shared := strings.TrimSpace(string(common))
		if !filepath.IsAbs(shared) {
			shared = filepath.Join(dir, shared)
		}
		return shared, true
	}
	return dir, true
}
