package builtin

import (
	"context"

	"parley/session"
	"parley/session/builtin/mapper"
	"parley/session/builtin/tool"
	"parley/session/toolview"
)

// keepImages lets the session keep what a call that may change files is about to change. The call is allowed by then. A
// command that only reads is spared the look at the work tree.
func (l *loop) keepImages(ctx context.Context, t *tool.Tool, one mapper.Call, j *tool.Job) {
	if l.c.open.Files == nil || j.Own || t.Kind != toolview.Edit && t.Kind != toolview.Command {
		return
	}
	if j.Ask.Command != "" && l.c.policy(ctx, l.ws).OnlyReads(j.Ask.Command) {
		return
	}
	turn := l.head().Turn
	l.c.mu.Lock()
	f := session.FileCall{Call: one.ID, Turn: turn, Child: l.child, Tool: t.Name, Input: one.Input, Command: j.Ask.Command, Model: l.c.told.Model}
	l.c.mu.Unlock()
	f.Paths = pathsOf(placesOf(j))
	l.c.open.Files.Before(ctx, f)
}
