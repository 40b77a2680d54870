package ui

import (
	"slices"
	"strings"
	"time"

	"parley/session"
)

// spinner is the one cell that moves.
var spinner = []string{"⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"}

// spinner is what stands in the cell now. Where nothing may move, or the font has no such characters, it is a mark.
func (m *Model) spinner() string {
	if m.opts.Appearance.ReducedMotion || m.look.ascii {
		return "•"
	}
	return spinner[m.spin%len(spinner)]
}

// spinEvery is how often the spinner turns; while nobody looks it stands still.
const spinEvery = 100 * time.Millisecond

// activity says what the agent is doing, in a word or a few.
func activity(t *session.Turn, asks int, now time.Time) string {
	if r := t.Retry; r != nil {
		s := "trying again"
		if left := r.At.Add(r.Delay).Sub(now); left > 0 {
			s += " in " + seconds(left+time.Second-1)
		}
		if r.Of > 0 {
			s += " (" + group(r.Attempt) + " of " + group(r.Of) + ")"
		}
		if r.Why != "" {
			s += ": " + visible(oneLine(r.Why))
		}
		return s
	}
	if asks > 0 {
		return "waiting for you"
	}
	for i := len(t.Entries) - 1; i >= 0; i-- {
		switch e := t.Entries[i].(type) {
		case *session.Part:
			switch {
			case e.Retracted:
			case e.Ended:
				return "working"
			case e.Kind == session.PartReasoning:
				return "thinking"
			default:
				return "writing"
			}
		case *session.Tool:
			if !e.Ready && !e.Ended {
				return "preparing " + visible(e.Name)
			}
			return "working"
		case *session.Child:
			return "working"
		}
	}
	return "waiting for the model"
}

// silence is how long nothing may come from an agent that waits for its model before that is said. Nothing is stopped
// by it: the user decides.
const silence = time.Minute

// doing says what the agent is doing, and what only the screen can tell: that its runtime comes up, or that nothing has
// been heard of it for long.
func (m *Model) doing(t *session.Turn, now time.Time) string {
	switch s := m.feed.t.Runtime; {
	case len(t.Entries) > 0:
	case s == session.RuntimeStarting && m.feed.runtime != "":
		return "starting " + visible(oneLine(m.feed.runtime))
	case s == session.RuntimeStarting, m.version != "" && (s == "" || s == session.RuntimeExited):
		return strings.TrimSpace("starting " + visible(m.agent()) + " " + m.version)
	case s == session.RuntimeRestarting:
		return "restarting " + visible(m.agent())
	}
	doing := activity(t, len(m.feed.t.Asks), now)
	if doing == "working" {
		if s := m.working(now); s != "" {
			doing = s
		}
	}
	if still := now.Sub(m.heard); still >= silence && len(m.feed.t.Asks) == 0 && !toolRuns(t) {
		doing = waitsFor(t, doing) + ", nothing for " + seconds(still)
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
			return strings.TrimSpace("waiting for the agent " + visible(oneLine(c.Name)))
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
	if d := now.Sub(t.Started); !t.Started.IsZero() && d >= showSeconds {
		s += " · " + seconds(d)
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
	th, ms := m.look.theme, m.look.measure
	right, where := "", " below"+m.keys.hint(actBottom)
	if w < 60 && m.feed.running() != nil {
		where = "" // how to stop what runs matters more
	}
	if more, fresh := m.below(); m.walking.on {
		// The cursor shows where the reader is.
	} else if fresh > 0 {
		right = th.accent.of("↓ " + group(fresh) + " new" + where)
	} else if more {
		right = th.dim.of("↓ more" + where)
	} else if share := m.fetchedShare(); share != "" && m.feed.running() != nil {
		right = th.dim.of("installing " + share)
	}
	if m.finding.open {
		row, _ := m.findBar(w)
		return row
	}
	left := ""
	now := m.now()
	switch t := m.feed.running(); {
	case m.walking.on && m.flash.text == "":
		left = m.walkBar(w - 4)
	case m.flash.text != "":
		st := th.dim
		if m.flash.warn {
			st = th.warn
		}
		if ms.width(m.flash.text)+1+ms.width(right) > w-4 {
			right = "" // it is soon gone, and what it says is said once
		}
		left = st.of(ms.clip(m.flash.text, max(10, w-4-ms.width(right)-1)))
	case t != nil:
		doing := m.doing(t, now)
		room := w - 4 - 2 - 1 - ms.width(right)
		var hints string
		for _, hints = range runHints(t, m.stopping, m.waysIn(w, t), now) {
			if ms.width(hints)+min(ms.width(doing), mostDoing) <= room {
				break
			}
		}
		doing = ms.clip(doing, max(10, room-ms.width(hints)))
		left = th.accent.of(m.spinner()) + " " + doing + th.dim.of(hints)
	case m.busy != "":
		left = th.dim.of(m.busy)
	case m.install.cancel != nil:
		left = th.dim.of(m.installing(max(10, w-4-ms.width(right)-1)))
	}
	if left == "" && right == "" {
		return ""
	}
	return "  " + ms.spread(left, right, w-4)
}

// footer is the last row: the permission mode at the left, keys at the right.
func (m *Model) footer(w int) string {
	th, ms := m.look.theme, m.look.measure
	mode := modeName(m.settings().Mode) + " mode"
	st := th.dim
	switch m.settings().Mode {
	case session.ModeBypass:
		st = th.warn
	case session.ModePlan:
		st = th.accent
	}
	left := st.of(mode)
	if vim := m.vimMode(); vim != "" {
		left, mode = th.accent.of(vim)+th.dim.of(" · ")+left, vim+" · "+mode
	}
	if n := m.feed.runningChildren(); n > 0 {
		badge := " · " + count(n, "agent", "agents") + " in the background"
		if w < 60 {
			badge = " · " + group(n) + " behind"
		}
		mode, left = mode+badge, left+th.dim.of(badge)
	}
	newline, help := m.keys.newline(m.kitty), m.keys.help()
	right := strings.TrimPrefix(newline+" newline · ", " newline · ") + help
	if m.composer.Begins("!") && !m.composer.Begins("!!") && m.opts.Shell != nil {
		right = m.keys.key(actSend) + " runs it in your shell"
		help = "runs in your shell"
	}
	hint := m.keys.hint(actMode)
	if 4+ms.width(mode+hint)+1+ms.width(right) > w {
		hint = ""
	}
	if 4+ms.width(mode)+1+ms.width(right) > w || w < 60 {
		right = help
	}
	if m.inlineHere() { // the header scrolls away
		hint += m.about(w - 4 - ms.width(mode+hint) - 1 - ms.width(right))
	}
	return "  " + ms.spread(left+th.dim.of(hint), th.dim.of(right), w-4)
}

// about is what of the header changes and is not said elsewhere, as far as there is room: the model, how full the context is,
// what is left of the quota.
func (m *Model) about(room int) string {
	h := m.headerInfo()
	s := ""
	for _, part := range []string{strings.TrimSpace(visible(shortModel(h.model)) + " " + visible(h.effort)), contextShare(h.context), h.quota} {
		if part != "" && m.look.measure.width(s+" · "+part) <= room {
			s += " · " + part
		}
	}
	return s
}
