package patch

import (
	"bytes"
	"context"
	"errors"

	"parley/internal/linediff"
	"parley/session"
	"parley/session/changes/snapshot"
)

// Exact returns what compares the contents in a store byte for byte, so that git can apply the patch. [edits.Log.Diff] is for
// the screen, where bytes that are not text are replaced.
func Exact(ctx context.Context, store *snapshot.Store) Differ {
	read := func(s snapshot.State) ([]byte, error) {
		if s.Kind != snapshot.File {
			return nil, nil
		}
		return store.Read(ctx, s)
	}
	return func(path string, from, to snapshot.State) (session.FileEdit, error) {
		e := session.FileEdit{Path: path, Created: from.Kind == snapshot.None, Deleted: to.Kind == snapshot.None}
		before, err := read(from)
		var after []byte
		if err == nil {
			after, err = read(to)
		}
		switch {
		case errors.Is(err, snapshot.ErrUnkept):
			e.Note = "its content is not kept any more"
		case errors.Is(err, snapshot.ErrDamaged):
			e.Note = "what was kept of its content is damaged"
		case err != nil:
			return e, &session.Error{Op: "compare " + path, Kind: session.KindDisk, Err: err}
		case bytes.IndexByte(before, 0) >= 0 || bytes.IndexByte(after, 0) >= 0:
			e.Note = binary
		default:
			p := linediff.Between(string(before), string(after))
			e.Patch, e.Added, e.Removed = p.Text, p.Added, p.Removed
		}
		return e, nil
	}
}

// binary is the note about content that is not text.
const binary = "binary"
