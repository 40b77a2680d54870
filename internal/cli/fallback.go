package cli

import (
	"fmt"

	"parley/proxy"
	"parley/session"
	"parley/session/live"
)

// reportFallback says in the turn of a session that a fallback model answers.
func reportFallback(m *live.Manager, f proxy.Fallback) {
	why := "has no capacity just now"
	if f.Gone {
		why = "is not available"
	}
	m.Notify(session.ID(f.Session), session.Warning,
		fmt.Sprintf("%s %s, %s answers instead. The next turn tries %s first.", f.Wanted, why, f.Used, f.Wanted))
}
