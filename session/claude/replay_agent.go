package claude

import (
	"context"

	"parley/session"
	"parley/session/claude/archive"
)

var (
	_ session.Replayer  = (*Agent)(nil)
	_ session.Describer = (*Agent)(nil)
	_ session.Forker    = (*Agent)(nil)
	_ session.Replayer  = (*archive.Archive)(nil)
	_ session.Describer = (*archive.Archive)(nil)
	_ session.Forker    = (*archive.Archive)(nil)

	_ session.EditReplayer = (*Agent)(nil)
	_ session.EditReplayer = (*archive.Archive)(nil)
)

// Archive returns the runtime's sessions on disk.
func (a *Agent) Archive() *archive.Archive { return a.archive }

// Replay returns the events of a stored session; see [Archive.Replay].
func (a *Agent) Replay(ctx context.Context, id session.ID) ([]session.Event, error) {
	return a.archive.Replay(ctx, id)
}

// ReplayEdits returns the ends of the calls of a stored session that changed files; see [Archive.ReplayEdits].
func (a *Agent) ReplayEdits(ctx context.Context, id session.ID) ([]session.ToolEnded, error) {
	return a.archive.ReplayEdits(ctx, id)
}

// Sessions describes the stored sessions of all projects; see [Archive.Sessions].
func (a *Agent) Sessions(ctx context.Context) ([]session.Meta, error) {
	return a.archive.Sessions(ctx)
}

// Tail returns the end of a stored session; see [Archive.Tail].
func (a *Agent) Tail(ctx context.Context, id session.ID, n int64) (session.Tail, error) {
	return a.archive.Tail(ctx, id, n)
}

// Describe describes one stored session; see [Archive.Describe].
func (a *Agent) Describe(ctx context.Context, id session.ID) (session.Meta, error) {
	return a.archive.Describe(ctx, id)
}

// SetTitle gives a stored session a title; see [Archive.SetTitle].
func (a *Agent) SetTitle(ctx context.Context, id session.ID, title string) error {
	return a.archive.SetTitle(ctx, id, title)
}

// SetTag gives a stored session a tag; see [Archive.SetTag].
func (a *Agent) SetTag(ctx context.Context, id session.ID, tag string) error {
	return a.archive.SetTag(ctx, id, tag)
}

// SetArchived archives a stored session; see [Archive.SetArchived].
func (a *Agent) SetArchived(ctx context.Context, id session.ID, archived bool) error {
	return a.archive.SetArchived(ctx, id, archived)
}

// Fork copies a stored session; see [Archive.Fork].
func (a *Agent) Fork(ctx context.Context, id session.ID, upTo session.TurnID) (session.ID, error) {
	return a.archive.Fork(ctx, id, upTo)
}
