package transcript

import (
	"time"

	"parley/ui/core"
	"parley/ui/style"
)

// Notice is a notice in the conversation.
type Notice struct {
	At      time.Time
	Text    string // in one row, visible
	Problem bool
	Item    int // for ShowItem
}

// Notices returns the notices of the session in order, those without rows included.
func (s Session) Notices() []Notice {
	var all []Notice
	for i, it := range s.win.feed.list {
		n, ok := it.(*noticeItem)
		if !ok {
			continue
		}
		if text, problem := core.NoticeText(n.mark.Event, s.win.feed.look.Home); text != "" {
			all = append(all, Notice{n.mark.At, style.Visible(style.OneLine(text)), problem, i})
		}
	}
	return all
}

// ShowItem reveals an item of the session, and reports whether there is such an item.
func (s Session) ShowItem(i int) bool {
	if i < 0 || i >= len(s.win.feed.list) {
		return false
	}
	s.win.feed.rows.Reveal(i)
	return true
}
