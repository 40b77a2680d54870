package core

import (
	"context"

	"parley/session"
)

// DecideTrust stores what the user decided about the items of a directory, also if ctx has ended: the chat may be closing.
func DecideTrust(ctx context.Context, t session.RepositoryTruster, dir string, items []session.RepositoryItem, yes bool) error {
	return t.Trust(context.WithoutCancel(ctx), dir, items, yes)
}
