package gitdir

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"parley/internal/regular"
)

// largestHead is the most that is read of a file that names a branch or a directory, in bytes.
const largestHead = 16 << 10

// Branch returns the branch checked out in dir, the short commit of a detached head, or "". It reads the repository's
// files, because running git would cost more than the first frame may, and only if they are small regular files.
func Branch(ctx context.Context, dir string) string {
	for {
		git := dirOf(ctx, dir)
		if head, err := regular.ReadFile(ctx, filepath.Join(git, "HEAD"), largestHead, regular.FollowLinks); err == nil {
			text := strings.TrimSpace(string(head))
			if ref, ok := strings.CutPrefix(text, "ref: refs/heads/"); ok {
				return ref
			}
			return text[:min(len(text), 7)]
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return ""
		}
		dir = parent
	}
}

// dirOf follows the ".git" file of a worktree or submodule, which holds "gitdir: PATH".
func dirOf(ctx context.Context, dir string) string {
	git := filepath.Join(dir, ".git")
	if info, err := os.Lstat(git); err != nil || info.IsDir() {
		return git
	}
	text, err := regular.ReadFile(ctx, git, largestHead, regular.FollowLinks)
	target, ok := strings.CutPrefix(strings.TrimSpace(string(text)), "gitdir: ")
	if err != nil || !ok {
		return git
	}
	if !filepath.IsAbs(target) {
		target = filepath.Join(dir, target)
	}
	return target
}
