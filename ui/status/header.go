package status

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"parley/internal/human"
	"parley/session"
	"parley/ui/style"
)

// Header is the first row: the title of the session, the agent, the model, the directory; and at the right how many files changed,
// how full the context is, what the session cost and what is left of the quota.
type Header struct {
	// Title is the session's, "" while it has none. Agent is the agent's name for people.
	Title, Agent, Version, Model, Effort, Dir, Branch string
	Context                                           session.ContextState
	Quota, Spent                                      string
	Demo                                              bool
	// Changed is the number of files with changes that the user has not kept or undone.
	Changed int
	// Remote is the work at a service, nil for work on this machine.
	Remote *session.Remote
}

// The widths of the window from which the number of changed files has its words.
const (
	countFrom  = 70
	countsFrom = 100
)

// count returns how many files changed in a window of w columns, "" for none.
func (h Header) count(w int) string {
	switch n := human.Number(h.Changed); {
	case h.Changed == 0:
		return ""
	case w >= countsFrom:
		return human.Count(h.Changed, "file", "files") + " changed"
	case w >= countFrom:
		return n + " changed"
	default:
		return "±" + n
	}
}

// CountAt returns the cells of a row of the header in which the number of changed files stands; from is to
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

// fit is what of a header is shown: parts of the left end, and the right end.
type fit struct {
	effort, branch, version bool
	right                   string
}

// Row returns the row in w columns. In a narrow window it leaves out what is left of the quota, then the agent's version, the
// branch, the context, the effort, and the front of the path; what the session cost and changed stays longest.
func (h Header) Row(l *style.Look, w int) string {
	th, m := l.Theme, l.Measure
	ctx := contextShare(h.Context)
	if w >= gaugeFrom {
		ctx = gauge(th, h.Context)
	}
	count := joined(h.work(l, w), th.Accent.Of(h.count(w)))
	cost := cmp.Or(h.Spent, h.Quota)
	least, used := joined(count, cost), joined(count, ctx, cost)
	for _, f := range []fit{{true, true, true, joined(count, ctx, h.Spent, h.Quota)}, {true, true, true, used}, {true, true, false, used},
		{true, false, false, used}, {true, false, false, least}, {false, false, false, least}} {
		parts := h.left(f.effort, f.branch, f.version)
		text := strings.Join(parts, sep)
		need := 2 + m.Width(text) + 2
		if f.right != "" {
			need += m.Width(f.right) + 2
		}
		if need <= w {
			return "  " + m.Spread(th.Bold.Of(parts[0])+th.Dim.Of(strings.TrimPrefix(text, parts[0])), th.Dim.Over(f.right), w-4)
		}
	}
	if w < 60 {
		least = count
	}
	if n := m.Width(least); n > 0 && w > 2*n+8 {
		h.Changed, h.Remote, h.Spent, h.Quota = 0, nil, "", ""
		return m.Pad(h.clipped(l, w-n-1), w-n-3) + " " + th.Dim.Over(least)
	}
	return h.clipped(l, w)
}

// sep stands between the parts of the row.
const sep = " · "

// joined joins the parts that are not empty.
func joined(parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), sep)
}

// minDir is the least number of columns in which a path tells something.
const minDir = 4

// maxSession is the most columns of a title beside other parts.
const maxSession = 48

// who returns the agent and the model, which may be "".
func (h Header) who(effort, version bool) (agent, model string) {
	model = style.Visible(style.ShortModel(h.Model))
	if h.Demo {
		model = strings.TrimSpace(model + " (simulated)")
	}
	if effort && h.Effort != "" && model != "" {
		model += " " + style.Visible(h.Effort)
	}
	agent = style.Visible(h.Agent)
	if version && h.Version != "" {
		agent += " " + h.Version
	}
	return agent, model
}

// Using returns the row of the first page below the field in w columns: who answers, with which model, and what is left of the plan.
func (h Header) Using(l *style.Look, w int) string {
	agent, model := h.who(false, true)
	return "  " + l.Theme.Dim.Of(l.Measure.Spread(joined(agent, model, style.Visible(h.Effort)), h.Quota, w-4))
}

// left returns the parts of the left end, the title first. Where there is no title the program's name stands in its place, once.
func (h Header) left(effort, branch, version bool) []string {
	agent, model := h.who(effort, version)
	where := style.Visible(h.Dir)
	if branch && h.Branch != "" {
		where += " (" + style.Visible(h.Branch) + ")"
	}
	title := style.Measure{}.Clip(style.Visible(style.OneLine(h.Title)), maxSession)
	if title == "" {
		title = "parley"
	}
	if agent == title {
		agent = ""
	}
	return slices.DeleteFunc([]string{title, agent, model, where}, func(s string) bool { return s == "" })
}

// clipped returns the left end alone, cut to w columns: the path at its front, and the title where even that is too much.
func (h Header) clipped(l *style.Look, w int) string {
	th, m := l.Theme, l.Measure
	parts := h.left(false, false, false)
	if h.Demo && 4+m.Width(strings.Join(parts[:len(parts)-1], sep)) > w { // that it is one matters more than where
		for i := range parts {
			parts[i] = strings.Replace(parts[i], " (simulated)", " (demo)", 1)
		}
	}
	head := strings.Join(parts[:len(parts)-1], sep) + sep
	dir, room := parts[len(parts)-1], w-4-m.Width(head)
	if at := strings.LastIndexByte(dir, '/'); at >= 0 && at < len(dir)-1 {
		if last := dir[at+1:]; m.Width(last) <= room && m.Width(last)+2 > room { // a part of a name is none
			dir = last
		}
	}
	text := strings.TrimSuffix(head, sep)
	if room >= min(m.Width(dir), minDir) {
		text = head + m.ClipLeft(dir, room)
	}
	return "  " + m.Clip(th.Bold.Of(parts[0])+th.Dim.Of(strings.TrimPrefix(text, parts[0])), w-4)
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
	for _, part := range []string{h.briefWork(), h.count(0), strings.TrimSpace(style.Visible(style.ShortModel(h.Model)) + " " + style.Visible(h.Effort)), contextShare(h.Context), h.Spent, h.Quota} {
		if part != "" && ms.Width(s+" · "+part) <= room {
			s += " · " + part
		}
	}
	return s
}
