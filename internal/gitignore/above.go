package gitignore

import (
	"context"
	"path/filepath"
	"strings"

	"parley/internal/gitdir"
	"parley/internal/regular"
)

// MaxFile bounds the size of an ignore file that is read, in bytes.
const MaxFile = 1 << 20

// Above reads the ignore files outside a directory that apply in it: the user's (core.excludesFile; may be empty or
// missing), the repository's, and those of the directories between its root and the directory. Outside a repository
// only the user's applies. It skips irregular files. When ctx ends, files may be missing.
func Above(ctx context.Context, dir, userFile string) Stack {
	var s Stack
	if userFile != "" {
		s = s.read(ctx, userFile, "", regular.FollowLinks)
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return s
	}
	root, ok := gitdir.Root(ctx, abs)
	if !ok {
		return s
	}
	rel, err := filepath.Rel(root.Dir, abs)
	if err != nil {
		return s
	}
	parts := strings.Split(filepath.ToSlash(rel), "/")
	if rel == "." {
		parts = nil
	}
	s = s.read(ctx, filepath.Join(root.Common, "info", "exclude"), strings.Join(parts, "/"), regular.FollowLinks)
	for i := range parts {
		s = s.read(ctx, filepath.Join(root.Dir, filepath.Join(parts[:i]...), ".gitignore"), strings.Join(parts[i:], "/"), regular.NoLinks)
	}
	return s
}

// read adds a file. above is the path from its directory to the root of the walk.
func (s Stack) read(ctx context.Context, file, above string, links regular.Links) Stack {
	text, err := regular.ReadFile(ctx, file, MaxFile, links)
	if err != nil {
		return s
	}
	r := parse("", string(text))
	r.above = above
	return s.with(r)
}
