package git

import (
	"context"
	"path/filepath"
	"strings"

	"parley/internal/safefs"
)

// Branch returns the branch checked out in dir, the short commit of a detached head, or "". It reads the repository's
// files, because running git would cost more than the first frame may, and only if they are small regular files.
func Branch(ctx context.Context, dir string) string {
	var head string
	find(ctx, dir, func(r Repository) (found bool) {
		var err error
		head, err = pointer(ctx, filepath.Join(r.Git, "HEAD"), "", safefs.FollowLinks)
		return err == nil
	})
	if ref, ok := strings.CutPrefix(head, "ref: refs/heads/"); ok {
		return ref
	}
	return head[:min(len(head), 7)]
}
