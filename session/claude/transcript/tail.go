package transcript

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"parley/session"
)

// Tail reads about the last n bytes of a transcript and returns what was said there, oldest first, as the end of
// [File.Conversation] has it: as far back as the branch that ends in the newest line can be followed within them. It is
// nil if only what comes before tells which line that is. Damage is an error of kind [session.KindCorrupt], others are of
// kind [session.KindNotFound] or [session.KindDisk].
func Tail(ctx context.Context, path string, n int64) ([]Entry, error) {
	r, err := os.Open(path)
	if err != nil {
		return nil, diskError("read transcript", err)
	}
	defer r.Close()
	info, err := r.Stat()
	if err != nil {
		return nil, diskError("read transcript", err)
	}
	return tailOf(ctx, path, r, info.Size(), n)
}

// tailOf reads the last n bytes of size and no others, but for the one before them.
func tailOf(ctx context.Context, path string, r io.ReaderAt, size, n int64) ([]Entry, error) {
	p := part{from: max(0, size-n), to: size}
	p.inside = p.from > 0
	if p.scan(ctx, r, size); p.err != nil {
		return nil, p.err
	}
	if p.damaged > 0 {
		return nil, &session.Error{Op: "read transcript", Kind: session.KindCorrupt, Err: fmt.Errorf("%d lines are damaged", p.damaged)}
	}
	f := &File{path: path, lines: p.lines, partial: p.inside}
	return f.Conversation(), nil
}

// ChildrenSize returns how many bytes [Children] would read of the session whose transcript is at path.
func ChildrenSize(path string) int64 {
	var size int64
	// What cannot be looked at is not read either.
	_ = filepath.WalkDir(filepath.Join(strings.TrimSuffix(path, ".jsonl"), "subagents"), func(_ string, d fs.DirEntry, err error) error {
		if err != nil {
			return nil
		}
		if info, err := d.Info(); err == nil && info.Mode().IsRegular() {
			size += info.Size()
		}
		return nil
	})
	return size
}
