package ui

import (
	"slices"
	"strings"
	"time"

	"parley/session"
	"parley/ui/chat"
	"parley/ui/keymap"
	"parley/ui/style"
)

// spinner is the one cell that moves.
var spinner = []string{"⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"}

// spinner is what stands in the cell now. Where nothing may move, or the font has no such characters, it is a mark.
func (m *Model) spinner() string {
	if m.opts.Appearance.ReducedMotion || m.look.Ascii {
		return "•"
	}
	return spinner[m.spin%len(spinner)]
}

// spinEvery is how often the spinner turns; while nobody looks it stands still.
const spinEvery = 100 * time.Millisecond

// silence is how long nothing may come from an agent that waits for its model before that is said. Nothing is stopped
// by it: the user decides.
const silence = time.Minute

// doing says what the agent is doing, and what only the screen can tell: that its runtime comes up, or that nothing has
// been heard of it for long.
func (m *Model) doing(t *session.Turn, now time.Time) string {
	switch s := m.conv.Transcript().Runtime; {
	case len(t.Entries) > 0:
	case s == session.RuntimeStarting && m.conv.Runtime() != "":
		return "starting " + style.Visible(style.OneLine(m.conv.Runtime()))
	case s == session.RuntimeStarting, m.version != "" && (s == "" || s == session.RuntimeExited):
		return strings.TrimSpace("starting " + style.Visible(m.agent()) + " " + m.version)
	case s == session.RuntimeRestarting:
		return "restarting " + style.Visible(m.agent())
	}
	doing := chat.Activity(t, len(m.conv.Transcript().Asks), now)
	if doing == "working" {
		if s := m.conv.Working(now, m.width); s != "" {
			doing = s
		}
	}
	if still := now.Sub(m.heard); still >= silence && len(m.conv.Transcript().Asks) == 0 && !toolRuns(t) {
		doing = waitsFor(t, doing) + ", nothing for " + style.Seconds(still)
	}
	return doing
}

// waitsFor says what is waited for while nothing comes: an agent's agent, the next attempt, or the model.
func waitsFor(t *session.Turn, doing string) string {
	if t.Retry != nil {
		return doing
	}
	for i := len(t.Entries) - 1; i >= 0; i-- {
		if c, ok := t.Entries[i].(*session.Child); ok && !c.Ended && !c.Background {
			return strings.TrimSpace("waiting for the agent " + style.Visible(style.OneLine(c.Name)))
		}
	}
	return "waiting for the model"
}

// toolRuns reports whether a call of the turn or of a child agent in it runs, which may well be silent for long. A call that
// the model still writes does not.
func toolRuns(t *session.Turn) bool { return callRuns(t.Entries) }

func callRuns(entries []session.Entry) bool {
	for i := len(entries) - 1; i >= 0; i-- {
		switch e := entries[i].(type) {
		case *session.Tool:
			if !e.Ended && e.Ready && !startedChild(entries, e.Call) {
				return true
			}
		case *session.Child:
			if !e.Ended && !e.Background && callRuns(e.Entries) {
				return true
			}
		}
	}
	return false
}

// startedChild reports whether a call started a child agent, which then says what it does itself.
func startedChild(entries []session.Entry, id session.CallID) bool {
	return slices.ContainsFunc(entries, func(e session.Entry) bool {
		c, ok := e.(*session.Child)
		return ok && c.Call == id && id != ""
	})
}

// mostDoing is how much of what the agent does is said before the hints beside it; the word alone for most of it.
const mostDoing = 44

// runHints says how long a turn has run and which keys act on it: all that may be said, and then less and less.
func runHints(t *session.Turn, stopping bool, ways string, now time.Time) []string {
	s := ""
	if d := now.Sub(t.Started); !t.Started.IsZero() && d >= style.Noticeable {
		s += " · " + style.Seconds(d)
	}
	switch {
	case stopping:
		return []string{s + " · stopping", " · stopping", ""}
	case ways != "":
		first, _, _ := strings.Cut(ways, " · ")
		return []string{s + " · esc stops · " + ways, s + " · esc stops · " + first, s + " · esc stops", " · esc stops", s, ""}
	}
	return []string{s + " · esc stops", " · esc stops", s, ""}
}

// statusLine is the row above the composer: what runs and how to stop it, or what just happened, and at the right how
// much there is below.
func (m *Model) statusLine(w int) string {
	th, ms := m.look.Theme, m.look.Measure
	right, where := "", " below"+m.keys.Hint(keymap.Bottom)
	if w < 60 && m.conv.Running() != nil {
		where = "" // how to stop what runs matters more
	}
	copyBar, copying := m.conv.CopyBar(w - 4)
	if more, fresh := m.conv.Below(); copying {
		// The cursor shows where the reader is.
	} else if fresh > 0 {
		right = th.Accent.Of("↓ " + style.Group(fresh) + " new" + where)
	} else if more {
		right = th.Dim.Of("↓ more" + where)
	} else if share := m.fetchedShare(); share != "" && m.conv.Running() != nil {
		right = th.Dim.Of("installing " + share)
	}
	if row, _, ok := m.conv.FindBar(w); ok {
		return row
	}
	left := ""
	now := m.now()
	switch t := m.conv.Running(); {
	case copying && m.notices.Text() == "":
		left = copyBar
	case m.notices.Text() != "":
		st := th.Dim
		if m.notices.Warns() {
			st = th.Warn
		}
		if ms.Width(m.notices.Text())+1+ms.Width(right) > w-4 {
			right = "" // it is soon gone, and what it says is said once
		}
		left = st.Of(ms.Clip(m.notices.Text(), max(10, w-4-ms.Width(right)-1)))
	case t != nil:
		doing := m.doing(t, now)
		room := w - 4 - 2 - 1 - ms.Width(right)
		var hints string
		for _, hints = range runHints(t, m.stopping, m.waysIn(w, t), now) {
			if ms.Width(hints)+min(ms.Width(doing), mostDoing) <= room {
				break
			}
		}
		doing = ms.Clip(doing, max(10, room-ms.Width(hints)))
		left = th.Accent.Of(m.spinner()) + " " + doing + th.Dim.Of(hints)
	case m.busy != "":
		left = th.Dim.Of(m.busy)
	case m.install.Running():
		left = th.Dim.Of(m.installing(max(10, w-4-ms.Width(right)-1)))
	}
	if left == "" && right == "" {
		return ""
	}
	return "  " + ms.Spread(left, right, w-4)
}

// footer is the last row: the permission mode at the left, keys at the right.
func (m *Model) footer(w int) string {
	th, ms := m.look.Theme, m.look.Measure
	mode := chat.ModeName(m.settings().Mode) + " mode"
	st := th.Dim
	switch m.settings().Mode {
	case session.ModeBypass:
		st = th.Warn
	case session.ModePlan:
		st = th.Accent
	}
	left := st.Of(mode)
	if vim := m.input.VimMode(); vim != "" {
		left, mode = th.Accent.Of(vim)+th.Dim.Of(" · ")+left, vim+" · "+mode
	}
	if n := m.conv.Background(); n > 0 {
		badge := " · " + style.Count(n, "agent", "agents") + " in the background"
		if w < 60 {
			badge = " · " + style.Group(n) + " behind"
		}
		mode, left = mode+badge, left+th.Dim.Of(badge)
	}
	newline, help := m.keys.Newline(m.kitty), m.keys.Help()
	right := strings.TrimPrefix(newline+" newline · ", " newline · ") + help
	if m.input.Begins("!") && !m.input.Begins("!!") && m.shell.Available() {
		right = m.keys.Key(keymap.Send) + " runs it in your shell"
		help = "runs in your shell"
	}
	hint := m.keys.Hint(keymap.Mode)
	if 4+ms.Width(mode+hint)+1+ms.Width(right) > w {
		hint = ""
	}
	if 4+ms.Width(mode)+1+ms.Width(right) > w || w < 60 {
		right = help
	}
	if m.inlineHere() { // the header scrolls away
		hint += m.about(w - 4 - ms.Width(mode+hint) - 1 - ms.Width(right))
	}
	return "  " + ms.Spread(left+th.Dim.Of(hint), th.Dim.Of(right), w-4)
}

// about is what of the header changes and is not said elsewhere, as far as there is room: the model, how full the context is,
// what is left of the quota.
func (m *Model) about(room int) string {
	h := m.headerInfo()
	s := ""
	for _, part := range []string{strings.TrimSpace(style.Visible(style.ShortModel(h.model)) + " " + style.Visible(h.effort)), contextShare(h.context), h.quota} {
		if part != "" && m.look.Measure.Width(s+" · "+part) <= room {
			s += " · " + part
		}
	}
	return s
}
