package transcript

import (
	"cmp"
	"strings"
	"time"

	"parley/internal/human"
	"parley/session/toolview"
	"parley/ui/style"
)

// Working describes the call of the newest turn that has run longest, and how many others run, for a window of width columns.
// It returns "" while none has run for long. named is for a reader who may not see the call's row; others read the verb alone.
func (s Session) Working(now time.Time, width int, named bool) string {
	var longest *toolItem
	running := 0
	f := s.win.feed
	if len(f.turns) == 0 {
		return ""
	}
	for w := range f.t.Turns[len(f.turns)-1].Open() {
		if w.Tool == nil || w.Tool.Child != "" {
			continue
		}
		c := f.calls[w.Tool.Call]
		if c == nil || c.tool == nil || !c.tool.row.Counting() || c.tool.row.Since().IsZero() {
			continue
		}
		tool := c.tool
		running++
		if longest == nil || tool.row.Since().Before(longest.row.Since()) {
			longest = tool
		}
	}
	if longest == nil {
		return ""
	}
	if now.Sub(longest.row.Since()) < style.Noticeable {
		return ""
	}
	d := toolview.Describe(longest.row.Tool.Name, longest.row.Tool.Input, s.win.look.Dir)
	if !named {
		return style.Capital(style.Visible(d.Present))
	}
	// The hint how to stop it needs room too.
	room, what := max(6, min(40, width-52)), d.Present+" "+d.Subject
	if width < 60 { // only the subject, without the verb
		room, what = max(6, width-33), cmp.Or(d.Subject, d.Present)
	}
	more := ""
	if running > 1 && width >= 80 {
		more = " and " + human.Number(running-1) + " more"
		room = max(6, room-len(more))
	}
	return s.win.look.Measure.Clip(style.Visible(style.OneLine(strings.TrimSpace(what))), room) + more
}
