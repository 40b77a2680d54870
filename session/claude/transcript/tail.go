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

// Tail reads about the last n bytes of a transcript and returns their part of [File.Conversation], oldest first: the branch
// that ends in the newest line, as far back as it is within them. It is nil if that line depends on earlier bytes. Errors
// are of kind [session.KindCorrupt], [session.KindNotFound] or [session.KindDisk].
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

// tailOf reads the last n bytes of size, and the byte before them.
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

// ChildrenSize returns the bytes that [Children] reads for the transcript at path.
func ChildrenSize(path string) int64 {
	var size int64
	// Unreadable files are not read.
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
