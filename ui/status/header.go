package status

import (
	"fmt"
	"slices"
	"strings"

	"parley/internal/human"
	"parley/session"
	"parley/ui/style"
)

// Header is the first row: the agent, the model, the directory; and at the right how full the context is, what the session
// cost and what is left of the quota.
type Header struct {
	Agent, Version, Model, Effort, Dir, Branch string
	Context                                    session.ContextState
	Quota, Spent                               string
	Demo                                       bool
	// Unaccepted is the number of files with changes that the user has not accepted.
	Unaccepted int
	// Remote is the work at a service, nil for work on this machine.
	Remote *session.Remote
}

// The widths of the window from which the number of files that are not accepted has its words.
const (
	countFrom  = 70
	countsFrom = 100
)

// count returns how many files are not accepted in a window of w columns, "" for none.
func (h Header) count(w int) string {
	switch n := human.Number(h.Unaccepted); {
	case h.Unaccepted == 0:
		return ""
	case w >= countsFrom:
		return human.Count(h.Unaccepted, "file", "files") + " not accepted"
	case w >= countFrom:
		return n + " not accepted"
	default:
		return "●" + n
	}
}

// CountAt returns the cells of a row of the header in which the number of files that are not accepted stands; from is to
// where it does not.
func (h Header) CountAt(l *style.Look, w int, row string) (from, to int) {
	text := h.count(w)
	row = style.Unstyled(row)
	at := strings.LastIndex(row, text)
	if text == "" || at < 0 {
		return 0, 0
	}
	from = l.Measure.Width(row[:at])
	return from, from + l.Measure.Width(text)
}

// Row returns the row in w columns. In a narrow window it leaves out the costs, then the context, the agent's version, the
// branch, the effort, and the front of the path.
func (h Header) Row(l *style.Look, w int) string {
	th, m := l.Theme, l.Measure
	model := style.Visible(style.ShortModel(h.Model))
	if h.Demo {
		model = strings.TrimSpace(model + " (simulated)")
	}
	where := func(branch bool) string {
		s := style.Visible(h.Dir)
		if branch && h.Branch != "" {
			s += " (" + style.Visible(h.Branch) + ")"
		}
		return s
	}
	left := func(effort, branch, version bool) []string {
		mod := model
		if effort && h.Effort != "" && mod != "" {
			mod += " " + style.Visible(h.Effort)
		}
		agent := style.Visible(h.Agent)
		if version && h.Version != "" {
			agent += " " + h.Version
		}
		parts := []string{"parley", agent}
		if mod != "" {
			parts = append(parts, mod)
		}
		return append(parts, where(branch))
	}
	ctx := contextShare(h.Context)
	if w >= gaugeFrom {
		ctx = gauge(th, h.Context)
	}
	sep := " · "
	join := func(parts ...string) string {
		return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), sep)
	}
	count := join(h.work(l, w), th.Accent.Of(h.count(w)))
	right := join(count, ctx, h.Quota)
	quota := join(count, h.Quota)
	for _, try := range []struct {
		effort, branch, version bool
		right                   string
	}{{true, true, true, join(count, ctx, h.Spent, h.Quota)}, {true, true, true, right}, {true, true, true, quota}, {true, true, false, quota}, {true, false, false, quota},
		{false, false, false, quota}, {false, false, false, count}} {
		parts := left(try.effort, try.branch, try.version)
		text := strings.Join(parts, sep)
		need := 2 + m.Width(text) + 2
		if try.right != "" {
			need += m.Width(try.right) + 1
		}
		if need <= w {
			return "  " + m.Spread(th.Bold.Of(parts[0])+th.Dim.Of(sep+strings.Join(parts[1:], sep)), th.Dim.Over(try.right), w-4)
		}
	}
	if n := m.Width(count); n > 0 && w > 2*n+8 {
		h.Unaccepted, h.Remote = 0, nil
		return m.Pad(h.Row(l, w-n-1), w-n-3) + " " + count
	}
	parts := left(false, false, false)
	if whole := strings.Join(parts[:len(parts)-1], sep); h.Demo && 4+m.Width(whole) > w { // that it is one matters more than where
		model = strings.TrimSuffix(model, " (simulated)") + " (demo)"
		parts = left(false, false, false)
	}
	head := strings.Join(parts[:len(parts)-1], sep) + sep
	dir, room := parts[len(parts)-1], w-4-m.Width(head)
	if at := strings.LastIndexByte(dir, '/'); at >= 0 && at < len(dir)-1 {
		if last := dir[at+1:]; m.Width(last) <= room && m.Width(last)+2 > room { // a part of a name is none
			dir = last
		}
	}
	text := strings.TrimSuffix(head, sep)
	if room > 1 {
		text = head + m.ClipLeft(dir, room)
	}
	return "  " + m.Clip(th.Bold.Of("parley")+th.Dim.Of(strings.TrimPrefix(text, "parley")), w-4)
}

// gaugeFrom is the width of the window from which the header has a gauge, gaugeCells is how long it is, and fullFrom the
// share from which it warns.
const (
	gaugeFrom  = 90
	gaugeCells = 5
	fullFrom   = 80
)

// gauge returns how full the context is as a gauge with its number, "" while that is nothing or unknown.
func gauge(th style.Theme, c session.ContextState) string {
	text := contextShare(c)
	if text == "" {
		return ""
	}
	percent := min(100, c.Used*100/c.Window)
	full := int(percent*gaugeCells+50) / 100
	look := th.Dim
	if percent >= fullFrom {
		look = th.Warn
	}
	return "ctx " + look.Of(strings.Repeat("▰", full)+strings.Repeat("▱", gaugeCells-full)) + " " + look.Of(strings.TrimPrefix(text, "ctx "))
}

// contextShare returns how full the context is, "" while that is nothing or unknown.
func contextShare(c session.ContextState) string {
	percent := c.Used * 100 / max(1, c.Window)
	if c.Window <= 0 || percent <= 0 {
		return ""
	}
	return fmt.Sprintf("ctx %d%%", min(100, percent))
}

// brief returns what of the header changes during a session, as much as fits into room columns.
func (h Header) brief(ms style.Measure, room int) string {
	s := ""
	for _, part := range []string{h.briefWork(), h.count(0), strings.TrimSpace(style.Visible(style.ShortModel(h.Model)) + " " + style.Visible(h.Effort)), contextShare(h.Context), h.Quota} {
		if part != "" && ms.Width(s+" · "+part) <= room {
			s += " · " + part
		}
	}
	return s
}
