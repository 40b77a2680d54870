package ui

import (
	"fmt"
	"strings"
	"time"

	"parley/session/toolview"
	"parley/ui/style"
)

// working says which call of the newest turn has run for a while, for how long, and how many run besides it; "" while none has.
// The row of the call says so too, but it may be anywhere, and this is always on the screen.
func (m *Model) working(now time.Time) string {
	var longest *toolItem
	running := 0
	if len(m.feed.turns) == 0 {
		return ""
	}
	for _, it := range m.feed.turns[len(m.feed.turns)-1].entries {
		tool, ok := it.(*toolItem)
		if !ok || !tool.running() || tool.tool.Child != "" || tool.since().IsZero() {
			continue
		}
		running++
		if longest == nil || tool.since().Before(longest.since()) {
			longest = tool
		}
	}
	if longest == nil {
		return ""
	}
	took := now.Sub(longest.since())
	if took < style.Noticeable {
		return ""
	}
	d := toolview.Describe(longest.tool.Name, longest.tool.Input, m.look.Dir)
	// How to stop it matters more than all of what it is.
	room := max(6, min(40, m.width-52))
	more := ""
	if running > 1 && m.width >= 80 {
		more = " and " + style.Group(running-1) + " more"
		room = max(6, room-len(more))
	}
	s := m.look.Measure.Clip(style.Visible(style.OneLine(strings.TrimSpace(d.Present+" "+d.Subject))), room) + " " + style.Seconds(took)
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
