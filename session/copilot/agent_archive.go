package copilot

import (
	"context"
	"errors"
	"fmt"

	"parley/session"
	"parley/session/copilot/archive"
)

var (
	_ session.Replayer     = (*Agent)(nil)
	_ session.Describer    = (*Agent)(nil)
	_ session.Tailer       = (*Agent)(nil)
	_ session.Forker       = (*Agent)(nil)
	_ session.PromptReader = (*Agent)(nil)
	_ session.TextReader   = (*Agent)(nil)
	_ session.Remover      = (*Agent)(nil)
	_ session.Truncater    = (*conversation)(nil)
)

// Archive returns the runtime's sessions on disk.
func (a *Agent) Archive() *archive.Archive { return a.archive }

// Replay returns the events of a stored session; see [archive.Archive.Replay].
func (a *Agent) Replay(ctx context.Context, id session.ID) ([]session.Event, error) {
	return a.archive.Replay(ctx, id)
}

// Sessions describes the stored sessions, also those of the Copilot CLI; see [archive.Archive.Sessions].
func (a *Agent) Sessions(ctx context.Context) ([]session.Meta, error) {
	return a.archive.Sessions(ctx)
}

// Describe describes one stored session; see [archive.Archive.Describe].
func (a *Agent) Describe(ctx context.Context, id session.ID) (session.Meta, error) {
	return a.archive.Describe(ctx, id)
}

// Tail returns the end of a stored session; see [archive.Archive.Tail].
func (a *Agent) Tail(ctx context.Context, id session.ID, n int64) (session.Tail, error) {
	return a.archive.Tail(ctx, id, n)
}

// Prompts reports the prompts of the runtime's own sessions; see [session.PromptReader].
func (a *Agent) Prompts(ctx context.Context, dir string, skip func(session.ID) bool, yield func([]session.PastPrompt) bool) error {
	return a.archive.Prompts(ctx, dir, skip, yield)
}

// Texts passes on what was said in one of the runtime's own sessions; see [session.TextReader].
func (a *Agent) Texts(ctx context.Context, id session.ID, want session.TextQuery, yield func(session.Text) bool) (session.TextsRead, error) {
	return a.archive.Texts(ctx, id, want, yield)
}

// Kept returns the folder that holds the runtime's own record of a session; see [session.Remover].
func (a *Agent) Kept(ctx context.Context, id session.ID) ([]string, error) {
	return a.archive.Kept(ctx, id)
}

// Remove deletes the runtime's own record of a session; see [session.Remover]. A running runtime also deletes it from its index.
func (a *Agent) Remove(ctx context.Context, id session.ID) error {
	kept, err := a.archive.Kept(ctx, id)
	if err != nil {
		return err
	}
	for _, client := range a.runs.running() {
		if len(kept) == 0 {
			break
		}
		err := client.Call(ctx, "session.delete", map[string]any{"sessionId": string(id)}, nil)
		if err != nil {
			a.o.Log.Debug("delete a session in the runtime", "session", id, "error", err)
		}
	}
	if err := a.archive.Remove(ctx, id); session.KindOf(err) != session.KindNotFound {
		return err
	}
	return nil // the runtime has deleted it
}

// Fork copies a session; see [session.Forker]. The runtime copies one that it has open, of which the end is not stored yet, and
// [archive.Archive.Fork] any other.
func (a *Agent) Fork(ctx context.Context, id session.ID, upTo session.TurnID) (session.ID, error) {
	const op = "fork session"
	host := a.runs.with(id)
	if host == nil {
		return a.archive.Fork(ctx, id, upTo)
	}
	params := map[string]any{"sessionId": string(id)}
	if upTo != "" {
		next, err := a.archive.After(ctx, id, upTo)
		if err != nil {
			return "", err
		}
		if next != "" {
			params["toEventId"] = next
		}
	}
	client, release, err := host.Acquire(ctx)
	if err != nil {
		return "", openError(ctx, err)
	}
	defer release()
	var copied struct {
		ID string `json:"sessionId"`
	}
	switch err := client.Call(ctx, "sessions.fork", params, &copied); {
	case isUnknownMethod(err):
		return "", &session.Error{Op: op, Kind: session.KindUnsupported, Err: fmt.Errorf("version %s of Copilot cannot copy sessions", client.Version())}
	case err != nil:
		return "", openError(ctx, err)
	case copied.ID == "":
		return "", &session.Error{Op: op, Kind: session.KindRuntime, Err: errors.New("the runtime did not name the copy")}
	}
	return session.ID(copied.ID), nil
}

// Truncate makes the runtime forget everything after a turn, between turns.
func (c *conversation) Truncate(ctx context.Context, after session.TurnID) error {
	const op = "rewind session"
	l, err := openLink(c, op)
	if err != nil {
		return err
	}
	if !c.Mu.Check(func() bool { return l.over() }) {
		return &session.Error{Op: op, Kind: session.KindInvalid, Err: errors.New("a turn is running")}
	}
	next, err := c.a.archive.After(ctx, c.o.Session, after)
	if err != nil || next == "" {
		return err
	}
	if err := l.call(ctx, "session.history.truncate", map[string]any{"eventId": next}, nil); err != nil {
		return settingError(l, op, err)
	}
	return nil
}
