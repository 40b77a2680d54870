package ui

import (
	"fmt"
	"strings"
	"time"

	"parley/session"
)

// working says which call of a turn has run for a while, for how long, and how many run besides it; "" while none has.
// The row of the call says so too, but it may be anywhere, and this is always on the screen.
func (m *Model) working(t *session.Turn, now time.Time) string {
	var longest *session.Tool
	running := 0
	for i := len(t.Entries) - 1; i >= 0; i-- {
		tool, ok := t.Entries[i].(*session.Tool)
		if !ok || tool.Ended || !tool.Ready || tool.Child != "" || tool.Started.IsZero() {
			continue
		}
		running++
		if longest == nil || tool.Started.Before(longest.Started) {
			longest = tool
		}
	}
	if longest == nil {
		return ""
	}
	took := now.Sub(longest.Started)
	if took < showSeconds {
		return ""
	}
	d := session.Describe(longest.Name, longest.Input, m.look.dir)
	// How to stop it matters more than all of what it is.
	room := max(6, min(40, m.width-52))
	more := ""
	if running > 1 && m.width >= 80 {
		more = " and " + group(running-1) + " more"
		room = max(6, room-len(more))
	}
	s := m.look.measure.clip(visible(oneLine(strings.TrimSpace(d.Present+" "+d.Subject))), room) + " " + seconds(took)
	return s + more
}

// fetchedShare is how much of what is being installed is there, such as "42%"; "" while nothing is, or nobody knows.
func (m *Model) fetchedShare() string {
	done, total := m.fetchedSoFar()
	if total <= 0 {
		return ""
	}
	return fmt.Sprintf("%d%%", min(done, total)*100/total)
}
