package chat

import (
	"parley/session"
)

// ContextOf returns how full the context window of a session is. Where the session does not say how large it is, as one that
// another program held, the model's own size counts.
func ContextOf(t *session.Transcript, models []session.Model) session.ContextState {
	c := t.Context
	if m := session.FindModel(models, t.Settings.Model); c.Window == 0 && m != nil {
		c.Window = m.ContextWindow
	}
	return c
}
