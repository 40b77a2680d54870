package core

import (
	"cmp"
	"fmt"
	"math"
	"strings"
	"time"

	"parley/internal/human"
	"parley/session"
	"parley/ui/style"
)

// UsageLines describe what a session cost and what is left of the plan, each as a name and its figures, as visible text.
func UsageLines(t *session.Transcript, quotas []session.Quota, now time.Time) [][2]string {
	cost := cmp.Or(Credits(t.NanoAIU), "no cost reported yet")
	lines := [][2]string{{"This session", cost}}
	var usage session.Usage
	for _, turn := range t.Turns {
		usage = usage.Add(turn.Usage)
	}
	if in := usage.Input + usage.CacheRead + usage.CacheWrite; in+usage.Output > 0 {
		cached := ""
		if usage.CacheRead > 0 {
			cached = " (" + human.Tokens(usage.CacheRead) + " cached)"
		}
		lines = append(lines, [2]string{"Tokens", human.Tokens(in) + " in" + cached + ", " + human.Tokens(usage.Output) + " out"})
	}
	for _, q := range quotas {
		lines = append(lines, [2]string{quotaName(q), quotaState(q, now)})
	}
	return lines
}

// QuotaLeft describes what is left of the allowance that chats use up, "" where that is unknown or without limit.
func QuotaLeft(quotas []session.Quota) string {
	q, ok := PlanQuota(quotas)
	switch {
	case !ok:
		return ""
	case q.Entitlement > 0 || q.Remaining != 0:
		return amount(q.Remaining, q.Unit) + " left"
	}
	return fmt.Sprintf("%.0f%% left", q.Percent)
}

// PlanQuota returns the allowance that chats use up, false where that is unknown or without limit.
func PlanQuota(quotas []session.Quota) (session.Quota, bool) {
	for _, q := range quotas {
		if !q.Unlimited && strings.HasPrefix(q.Name, "premium") {
			return q, true
		}
	}
	return session.Quota{}, false
}

// quotaName returns the name of an allowance for people.
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

// quotaState describes what is left of an allowance and when it is renewed.
func quotaState(q session.Quota, now time.Time) string {
	if q.Unlimited {
		return "unlimited"
	}
	text := fmt.Sprintf("%.0f%% left", q.Percent)
	if q.Entitlement > 0 {
		text = human.Number(int(q.Remaining)) + " of " + amount(q.Entitlement, q.Unit) + " left"
	}
	if q.ResetsAt.After(now) {
		text += " until " + q.ResetsAt.In(now.Location()).Format("2 Jan")
	}
	if q.Overage {
		text += ", more is allowed"
	}
	return text
}

// amount returns a number of a unit, which is given in the plural, such as "1,499 requests".
func amount(n float64, unit string) string {
	text := human.Number(int(n))
	if unit == "" {
		return text
	}
	if int(n) == 1 {
		unit = strings.TrimSuffix(unit, "s")
	}
	return text + " " + style.Visible(style.OneLine(unit))
}

// nanosPerCredit is the number of nano AI units in one credit.
const nanosPerCredit = 1e9

// Credits returns a cost in credits, "" if it is not known.
func Credits(nano int64) string {
	switch n := float64(nano) / nanosPerCredit; {
	case nano <= 0:
		return ""
	case n < 0.01:
		return "<0.01 credits"
	case n < 100:
		return fmt.Sprintf("%.2f credits", n)
	default:
		return human.Number(int(math.Round(n))) + " credits"
	}
}
