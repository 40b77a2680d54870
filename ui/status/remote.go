package status

import (
	"fmt"
	"strings"

	"parley/session"
	"parley/ui/core"
	"parley/ui/style"
)

// The widths of the window from which the header names the title of a pull request, and its checks in words.
const (
	checksFrom = 70
	titleFrom  = 130
	maxTitle   = 40
)

// work returns the state of work at a service, its pull request and the checks of that, as much as w columns of the window
// leave room for; "" for work on this machine.
func (h Header) work(l *style.Look, w int) string {
	r := h.Remote
	if r == nil {
		return ""
	}
	th := l.Theme
	parts := []string{stateStyle(th, r.State).Of(core.RemoteState(r.State))}
	if p := r.Pull; p != nil {
		name := fmt.Sprintf("#%d", p.Number)
		if title := style.Visible(style.OneLine(p.Title)); w >= titleFrom && title != "" {
			name += " " + l.Measure.Clip(title, maxTitle)
		}
		switch {
		case p.State == "merged", p.State == "closed":
			name += " " + p.State
		case p.Draft && w >= checksFrom:
			name += " draft"
		}
		parts = append(parts, name)
	}
	if c := checks(th, r.Checks); c != "" && w >= checksFrom {
		parts = append(parts, c)
	}
	return strings.Join(parts, th.Dim.Of(" · "))
}

// stateStyle returns the style of a state: it marks what needs the user.
func stateStyle(th style.Theme, s session.RemoteState) style.Style {
	switch s {
	case session.RemoteFailed, session.RemoteTimedOut:
		return th.Bad
	case session.RemoteWaiting, session.RemoteCancelled:
		return th.Warn
	case session.RemoteCompleted:
		return th.Good
	}
	return th.Accent
}

// checks returns how many checks passed, failed and are still to come, "" without checks.
func checks(th style.Theme, c session.Checks) string {
	var parts []string
	add := func(n int, mark string, st style.Style) {
		if n > 0 {
			parts = append(parts, st.Of(fmt.Sprintf("%s%d", mark, n)))
		}
	}
	add(c.Failed, "✗", th.Bad)
	add(c.Pending, "○", th.Dim)
	add(c.Passed, "✓", th.Good)
	return strings.Join(parts, " ")
}

// briefWork returns the state of work at a service and its pull request without styles, "" for work on this machine.
func (h Header) briefWork() string {
	if h.Remote == nil {
		return ""
	}
	s := core.RemoteState(h.Remote.State)
	if p := h.Remote.Pull; p != nil {
		s += fmt.Sprintf(" #%d", p.Number)
	}
	return s
}
