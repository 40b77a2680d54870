package copilot

import (
	"context"
	"errors"
	"fmt"

	"parley/session"
	"parley/session/sources"
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

// Remove deletes the runtime's own record of a session; see [session.Remover]. A running runtime also deletes it from its index.
func (a *Agent) Remove(ctx context.Context, id session.ID) error {
	kept, err := a.Archive.Kept(ctx, id)
	if err != nil {
		return err
	}
	for _, client := range a.runs.running() {
		if len(kept) == 0 {
			break
		}
		err := client.Call(ctx, "session.delete", map[string]any{"sessionId": string(sources.Raw(id))}, nil)
		if err != nil {
			a.o.Log.Debug("delete a session in the runtime", "session", id, "error", err)
		}
	}
	if err := a.Archive.Remove(ctx, id); session.KindOf(err) != session.KindNotFound {
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
		return a.Archive.Fork(ctx, id, upTo)
	}
	params := map[string]any{"sessionId": string(id)}
	if upTo != "" {
		next, err := a.Archive.After(ctx, id, upTo)
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
	next, err := c.a.Archive.After(ctx, c.o.Session, after)
	if err != nil || next == "" {
		return err
	}
	if err := l.call(ctx, "session.history.truncate", map[string]any{"eventId": next}, nil); err != nil {
		return settingError(l, op, err)
	}
	return nil
}
