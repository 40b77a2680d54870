package words

import (
	"context"
	"errors"
	"io/fs"

	"parley/internal/safefs"
	"parley/session"
)

// File passes the lines of a session's file to yield, after those that were read before; see [session.TextReader] for what it returns.
func File(ctx context.Context, path string, want session.TextQuery, yield func(line []byte) bool) (session.TextsRead, error) {
	f, _, err := safefs.OpenFile(path, safefs.NoLinks)
	if err != nil {
		kind := session.KindDisk
		if errors.Is(err, fs.ErrNotExist) {
			kind = session.KindNotFound
		}
		return session.TextsRead{}, &session.Error{Op: "search session", Kind: kind, Err: err}
	}
	defer f.Close()
	r, err := Resume(ctx, f, want.After)
	if err != nil {
		return session.TextsRead{}, err
	}
	read, err := r.Lines(ctx, yield)
	return session.TextsRead{Bytes: read, Place: r.Place()}, err
}
