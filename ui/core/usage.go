package core

import (
	"cmp"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"parley/internal/human"
	"parley/session"
	"parley/ui/style"
)

// UsageLines describe what a session cost and what is left of the plan, each as a name and its figures, as visible text. What has
// no limit is left out.
func UsageLines(t *session.Transcript, quotas []session.Quota, models []session.Model, now time.Time) [][2]string {
	lines := [][2]string{{"This session", sessionCost(t, quotas, models)}}
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
		if !q.Unlimited {
			lines = append(lines, [2]string{quotaName(q), quotaState(q, now)})
		}
	}
	return lines
}

// sessionCost returns what a session cost: in requests where the plan counts these and the models' share is known, and in credits.
func sessionCost(t *session.Transcript, quotas []session.Quota, models []session.Model) string {
	cost := Credits(t.NanoAIU)
	if cost != "" {
		cost += " (" + dollars(float64(t.NanoAIU)/nanosPerCredit) + ")"
	}
	if q, ok := PlanQuota(quotas); ok && q.Unit == "requests" {
		if n, known := requests(t, models); known {
			return strings.TrimSuffix(amountOf(n, q.Unit)+" of the plan, "+cost, ", ")
		}
	}
	return cmp.Or(cost, "no cost reported yet")
}

// requests returns how many requests of the plan the user's prompts cost, false if that is not known.
func requests(t *session.Transcript, models []session.Model) (n float64, known bool) {
	for _, turn := range t.Turns {
		if turn.Origin != session.OriginUser {
			continue
		}
		m := session.FindModel(models, turn.Model)
		if m == nil || m.Multiplier == 0 && !m.Free {
			return 0, false
		}
		n, known = n+m.Multiplier, true
	}
	return n, known
}

// amountOf returns a number that may have a fraction, of a unit in the plural.
func amountOf(n float64, unit string) string {
	if n == math.Trunc(n) {
		return amount(n, unit)
	}
	return strings.TrimRight(strconv.FormatFloat(n, 'f', 2, 64), "0") + " " + unit
}

// creditsPerDollar is what GitHub bills: a credit is a cent.
const creditsPerDollar = 100

// dollars returns what credits cost, such as "$3", "$0.25" or "<$0.01".
func dollars(credits float64) string {
	d := credits / creditsPerDollar
	switch {
	case d <= 0:
		return "$0"
	case d < 0.01:
		return "<$0.01"
	case d == math.Trunc(d):
		return "$" + human.Number(int(d))
	}
	return fmt.Sprintf("$%.2f", d)
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
	text := fmt.Sprintf("%.0f%% left", q.Percent)
	if q.Entitlement > 0 {
		text = human.Number(int(q.Remaining)) + " of " + amount(q.Entitlement, q.Unit) + " left"
	}
	if q.ResetsAt.After(now) {
		text += ", renews " + q.ResetsAt.In(now.Location()).Format("2 Jan")
	}
	if q.Overage {
		text += ", more is billed"
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
