package live

import (
	"context"

	"parley/session"
)

// tools returns the tools of parley for a conversation.
func (r *runtime) tools(o session.OpenOptions) []session.ClientTool {
	if r.d.Tools == nil {
		return nil
	}
	return r.d.Tools(r.agent, o)
}

// equip gives an open conversation the tools that it is to have with its next prompt, if they differ. It takes the lock.
func (r *runtime) equip(ctx context.Context, conv session.Conversation) error {
	c, can := conv.(session.ClientTools)
	if r.d.Tools == nil || !can {
		return nil
	}
	r.state.Lock()
	o := session.OpenOptions{Session: r.state.id, Dir: r.state.meta.Dir, Dirs: r.state.meta.Dirs, Settings: r.state.settings}
	given := r.given
	r.state.Unlock()
	now := r.tools(o)
	if session.SameTools(given, now) {
		return nil
	}
	r.state.Lock()
	r.given = now
	r.state.Unlock()
	return c.SetTools(ctx, now)
}
