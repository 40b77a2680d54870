package rules

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"

	"parley/internal/git"
	"parley/internal/safefs"
)

// projectOf returns the root of the project around a directory: that of its git repository, without one the directory.
// A linked working tree belongs to the project of the repository's main one if the repository lists it; a .git file
// that only claims to belong to a repository is a separate project. Links are resolved.
func projectOf(ctx context.Context, dir string) string {
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		real = filepath.Clean(dir)
	}
	r, ok := git.Root(ctx, real)
	if !ok {
		return real
	}
	if r.Git == r.Common || !listed(ctx, r) {
		return r.Dir
	}
	main := r.Common
	if filepath.Base(main) == ".git" {
		main = filepath.Dir(main)
	}
	if main, err = filepath.EvalSymlinks(main); err != nil {
		return r.Dir
	}
	return main
}

// listed reports whether a repository knows a linked working tree: the files of the tree are among the repository's, and
// name the tree.
func listed(ctx context.Context, r git.Repository) bool {
	inside := filepath.Join(r.Common, "worktrees")
	if !sameDir(filepath.Dir(r.Git), inside) {
		return false
	}
	back, err := safefs.ReadFile(ctx, filepath.Join(r.Git, "gitdir"), 16<<10, safefs.NoLinks)
	if err != nil {
		return false
	}
	target := strings.TrimSpace(string(back))
	if !filepath.IsAbs(target) {
		target = filepath.Join(r.Git, target)
	}
	return sameDir(filepath.Dir(target), r.Dir)
}

func sameDir(a, b string) bool {
	first, err := os.Stat(a)
	if err != nil {
		return false
	}
	second, err := os.Stat(b)
	return err == nil && os.SameFile(first, second)
}

// maxName bounds the readable part of the name of a project's folder, in bytes.
const maxName = 40

// folder returns the name of a project's folder: the name of its root for people, and a digest of the whole path.
func folder(root string) string {
	name := strings.Map(func(c rune) rune {
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '.' || c == '_' || c == '-' {
			return c
		}
		return '-'
	}, filepath.Base(root))
	name = strings.TrimLeft(name, ".-")
	if len(name) > maxName {
		name = name[:maxName]
	}
	sum := sha256.Sum256([]byte(root))
	return strings.TrimPrefix(name+"-"+hex.EncodeToString(sum[:8]), "-")
}
