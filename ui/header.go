package ui

import (
	"fmt"
	"slices"
	"strings"

	"parley/session"
	"parley/ui/style"
)

// headerInfo is what the first row says.
type headerInfo struct {
	agent, version, model, effort, dir, branch string
	context                                    session.ContextState
	quota, spent                               string
	demo                                       bool
}

// header is the first row: who talks, with which model, where; and at the right how full the context is and what is left
// of the quota, with what the session cost between them. Where the window is narrow it drops that, then the context, then the agent's version, then the branch, then the effort, then the path's front.
func header(h headerInfo, th style.Theme, m style.Measure, w int) string {
	model := style.Visible(style.ShortModel(h.model))
	if h.demo {
		model = strings.TrimSpace(model + " (simulated)")
	}
	where := func(branch bool) string {
		s := style.Visible(h.dir)
		if branch && h.branch != "" {
			s += " (" + style.Visible(h.branch) + ")"
		}
		return s
	}
	left := func(effort, branch, version bool) []string {
		mod := model
		if effort && h.effort != "" && mod != "" {
			mod += " " + style.Visible(h.effort)
		}
		agent := style.Visible(h.agent)
		if version && h.version != "" {
			agent += " " + h.version
		}
		parts := []string{"parley", agent}
		if mod != "" {
			parts = append(parts, mod)
		}
		return append(parts, where(branch))
	}
	ctx := contextShare(h.context)
	sep := " · "
	join := func(parts ...string) string {
		return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), sep)
	}
	right := join(ctx, h.quota)
	for _, try := range []struct {
		effort, branch, version bool
		right                   string
	}{{true, true, true, join(ctx, h.spent, h.quota)}, {true, true, true, right}, {true, true, true, h.quota}, {true, true, false, h.quota}, {true, false, false, h.quota},
		{false, false, false, h.quota}, {false, false, false, ""}} {
		parts := left(try.effort, try.branch, try.version)
		text := strings.Join(parts, sep)
		need := 2 + m.Width(text) + 2
		if try.right != "" {
			need += m.Width(try.right) + 1
		}
		if need <= w {
			return "  " + m.Spread(th.Bold.Of(parts[0])+th.Dim.Of(sep+strings.Join(parts[1:], sep)), th.Dim.Of(try.right), w-4)
		}
	}
	parts := left(false, false, false)
	if whole := strings.Join(parts[:len(parts)-1], sep); h.demo && 4+m.Width(whole) > w { // that it is one matters more than where
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

// contextShare says how full the context is, "" while that is nothing or unknown.
func contextShare(c session.ContextState) string {
	percent := c.Used * 100 / max(1, c.Window)
	if c.Window <= 0 || percent <= 0 {
		return ""
	}
	return fmt.Sprintf("ctx %d%%", min(100, percent))
}

// quotas are the newest figures of what is left of the plan.
func (m *Model) quotas() []session.Quota { return m.opts.Quotas(m.conv.Transcript(), m.account) }
