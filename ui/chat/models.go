package chat

import (
	"slices"
	"strings"

	"parley/session"
)

// FindModel returns the model with an id, also as a runtime spells it: with dashes for dots, and perhaps with a date. An empty
// id is the default model. It returns nil if there is none.
func FindModel(models []session.Model, id string) *session.Model {
	at := slices.IndexFunc(models, func(m session.Model) bool { return m.ID == id || id == "" && m.Default })
	if at < 0 {
		at = slices.IndexFunc(models, func(m session.Model) bool { return undated(dashed(m.ID)) == undated(dashed(id)) })
	}
	if at < 0 {
		return nil
	}
	return &models[at]
}

func dashed(id string) string { return strings.ReplaceAll(id, ".", "-") }

// undated removes a date such as -20250101 from the end.
func undated(id string) string {
	if cut := len(id) - len("-20250101"); cut > 0 && strings.HasPrefix(id[cut:], "-20") {
		return id[:cut]
	}
	return id
}

// ContextOf returns how full the context window of a session is. Where the session does not say how large it is, as one that
// another program held, the model's own size counts.
func ContextOf(t *session.Transcript, models []session.Model) session.ContextState {
	c := t.Context
	if m := FindModel(models, t.Settings.Model); c.Window == 0 && m != nil {
		c.Window = m.ContextWindow
	}
	return c
}
