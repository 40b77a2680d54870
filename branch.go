package main

import (
	"os"
	"path/filepath"
	"strings"
)

// gitBranch returns the branch checked out in dir, the short commit of a detached head, or "". It reads the repository's
// files, because running git would cost more than the first frame may.
func gitBranch(dir string) string {
	for {
		head, err := os.ReadFile(filepath.Join(gitDir(dir), "HEAD"))
		if err == nil {
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

// gitDir follows the ".git" file of a worktree or submodule, which holds "gitdir: PATH".
func gitDir(dir string) string {
	git := filepath.Join(dir, ".git")
	if info, err := os.Lstat(git); err != nil || info.IsDir() {
		return git
	}
	text, err := os.ReadFile(git)
	target, ok := strings.CutPrefix(strings.TrimSpace(string(text)), "gitdir: ")
	if err != nil || !ok {
		return git
	}
	if !filepath.IsAbs(target) {
		target = filepath.Join(dir, target)
	}
	return target
}
