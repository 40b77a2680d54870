package sources

import (
	"context"
	"path/filepath"

	"parley/session"
)

// PromptBytes bounds what is read of the end of a session for its prompts, promptBytesAll what is read of all, in bytes.
const (
	PromptBytes    = 8 << 20
	promptBytesAll = 256 << 20
)

// Prompts yields the prompts of sessions, in their order, until yield returns false, ctx ends or promptBytesAll were read. read returns those
// of a session, and how much it read.
func Prompts[T any](ctx context.Context, all []T, read func(T) ([]session.PastPrompt, int64), yield func([]session.PastPrompt) bool) error {
	sum := int64(0)
	for _, one := range all {
		if err := ctx.Err(); err != nil {
			return err
		}
		prompts, n := read(one)
		if sum += n; sum > promptBytesAll || len(prompts) > 0 && !yield(prompts) {
			return nil
		}
	}
	return nil
}

// Real returns a directory without links, itself if that cannot be told.
func Real(dir string) string {
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		return real
	}
	return dir
}
