package git

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"parley/internal/safefs"
)

// Repository is a working tree and the directories of its git files.
type Repository struct {
	// Dir is the root of the working tree.
	Dir string
	// Git contains the files of this working tree alone, such as HEAD.
	Git string
	// Common contains the files that working trees share, such as the configuration. It equals Git unless the working
	// tree is linked.
	Common string
}

// maxPointer bounds a file with the name of a branch or a directory, in bytes.
const maxPointer = 16 << 10

// errNoGit is the cause of an error about a .git that is neither a directory nor a file that names one.
var errNoGit = errors.New("the .git file names no directory")

// At returns the repository whose working tree begins in dir: .git is a directory there, or a file that names one. An
// error returned with a repository concerns the directory that it shares with others.
func At(ctx context.Context, dir string, links safefs.Links) (Repository, error) {
	stat := os.Stat
	if links == safefs.NoLinks {
		stat = os.Lstat
	}
	git := filepath.Join(dir, ".git")
	info, err := stat(git)
	if err != nil {
		return Repository{}, err
	}
	if !info.IsDir() {
		target, err := pointer(ctx, git, "gitdir: ", links)
		if err != nil {
			return Repository{}, err
		}
		git = within(dir, target)
	}
	r := Repository{Dir: dir, Git: git, Common: git}
	common, err := pointer(ctx, filepath.Join(git, "commondir"), "", links)
	if errors.Is(err, fs.ErrNotExist) {
		return r, nil
	}
	if err == nil {
		r.Common = within(git, common)
	}
	return r, err
}

// Root returns the nearest repository at or above dir.
func Root(ctx context.Context, dir string) (Repository, bool) {
	return find(ctx, dir, func(Repository) bool { return true })
}

// Around returns the nearest repository at or above dir that has a HEAD, as git wants it.
func Around(ctx context.Context, dir string) (Repository, bool) {
	return find(ctx, dir, Repository.HasHead)
}

// HasHead reports whether the repository is one that git would use.
func (r Repository) HasHead() bool {
	info, err := os.Stat(filepath.Join(r.Git, "HEAD"))
	return err == nil && info.Mode().IsRegular()
}

// find returns the nearest repository at or above dir that accept accepts.
func find(ctx context.Context, dir string, accept func(Repository) bool) (Repository, bool) {
	for {
		if r, _ := At(ctx, dir, safefs.FollowLinks); r.Git != "" && accept(r) {
			return r, true
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return Repository{}, false
		}
		dir = parent
	}
}

// pointer returns the path in a file after a prefix.
func pointer(ctx context.Context, file, prefix string, links safefs.Links) (string, error) {
	text, err := safefs.ReadFile(ctx, file, maxPointer, links)
	if err != nil {
		return "", err
	}
	target, ok := strings.CutPrefix(strings.TrimSpace(string(text)), prefix)
	if !ok {
		return "", errNoGit
	}
	return target, nil
}

// within resolves a path relative to a directory, unless it is absolute.
func within(dir, path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(dir, path)
}
