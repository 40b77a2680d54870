package edits

import (
	"context"
	"errors"

	"parley/session"
	"parley/session/edits/image"
)

// Diff compares two states of a file. The patch has a few lines around each change; it is empty for binary and unkept files,
// which Note says.
func (l *Log) Diff(ctx context.Context, path string, from, to image.State) (session.FileEdit, error) {
	return session.FileEdit{}, errors.New("not yet")
}
