package ui

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/ui/style"
)

// amount says a number of a unit in the plural, such as "1,499 requests".
func amount(n float64, unit string) string {
	text := style.Group(int(n))
	if unit == "" {
		return text
	}
	if int(n) == 1 {
		unit = strings.TrimSuffix(unit, "s")
	}
	return text + " " + style.Visible(style.OneLine(unit))
}

// usageLines say what a session cost and what is left of the plan, each as what it is about and the figures.
func usageLines(t *session.Transcript, quotas []session.Quota, now time.Time) [][2]string {
	cost := cmp.Or(credits(t.NanoAIU), "no cost reported yet")
	lines := [][2]string{{"This session", cost}}
	var usage session.Usage
	for _, turn := range t.Turns {
		usage = usage.Add(turn.Usage)
	}
	if in := usage.Input + usage.CacheRead + usage.CacheWrite; in+usage.Output > 0 {
		cached := ""
		if usage.CacheRead > 0 {
			cached = " (" + style.Thousands(usage.CacheRead) + " cached)"
		}
		lines = append(lines, [2]string{"Tokens", style.Thousands(in) + " in" + cached + ", " + style.Thousands(usage.Output) + " out"})
	}
	for _, q := range quotas {
		lines = append(lines, [2]string{quotaName(q), quotaState(q, now)})
	}
	return lines
}

// quotaName is what a person calls an allowance.
func quotaName(q session.Quota) string {
	switch q.Name {
	case "premium_interactions", "premium_models":
		return "Plan"
	case "chat":
		return "Chat"
	case "completions":
		return "Completions"
	}
	return style.Visible(style.OneLine(q.Name))
}

// quotaState says what is left of an allowance, and when it is renewed.
func quotaState(q session.Quota, now time.Time) string {
	if q.Unlimited {
		return "unlimited"
	}
	text := fmt.Sprintf("%.0f%% left", q.Percent)
	if q.Entitlement > 0 {
		text = style.Group(int(q.Remaining)) + " of " + amount(q.Entitlement, q.Unit) + " left"
	}
	if q.ResetsAt.After(now) {
		text += " until " + q.ResetsAt.In(now.Location()).Format("2 Jan")
	}
	if q.Overage {
		text += ", more is allowed"
	}
	return text
}

// openUsage shows what the session cost and what is left.
func (m *Model) openUsage() tea.Cmd {
	p := &picker{title: "Usage", keys: "esc goes back", none: "nothing is known",
		pick: func(*Model, pickRow) tea.Cmd { return nil }}
	m.openPicker(p, pickUsage)
	var rows []pickRow
	for _, line := range usageLines(m.feed.t, m.quotas(), m.now()) {
		rows = append(rows, pickRow{id: line[0], cells: []string{line[0] + ": " + line[1]}})
	}
	p.setRows(rows)
	return nil
}

// usage says the same in lines.
func (p *lineChat) usage(string) bool {
	for _, line := range usageLines(p.a.t, newestQuotas(p.opts, p.a.t, session.Account{}), p.opts.Now()) {
		p.say("note", line[0]+": "+line[1])
	}
	return false
}
