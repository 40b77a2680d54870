package auth

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"parley/internal/cli/output"
	"parley/internal/human"
	"parley/session"
	"parley/ui/md/cells"
)

// planNames are the plans of Copilot, as GitHub's pages call them.
var planNames = map[string]string{
	"free": "Copilot Free", "individual": "Copilot Pro", "individual_pro": "Copilot Pro+", "business": "Copilot Business",
	"enterprise": "Copilot Enterprise",
}

// quotaNames are the allowances of a plan, in words.
var quotaNames = map[string]string{
	"premium_interactions": "Premium requests", "premium_models": "Premium requests", "chat": "Chat", "completions": "Completions",
}

// PlanName returns the name of a plan of Copilot, "unknown" for none.
func PlanName(plan string) string { return named(planNames, output.OrUnknown(plan)) }

// named returns the name of something that a service calls by an identifier.
func named(names map[string]string, id string) string {
	if name := names[id]; name != "" {
		return name
	}
	return strings.ReplaceAll(cells.OneLine(id), "_", " ")
}

// printAccount prints who is signed in, and below it the plan and what is left of it.
func printAccount(w *output.Stream, acc session.Account, now time.Time) error {
	err := w.Sentence("Signed in to %s as %s, with the token from %s.", acc.Host, output.OrUnknown(acc.Login), acc.Source)
	facts := []output.Pair{{Name: "Plan", Text: PlanName(acc.Plan)}}
	for _, f := range Left(acc, now) {
		facts = append(facts, output.Pair{Name: f[0], Text: f[1]})
	}
	c := w.Canvas()
	if c.Terminal {
		return c.Print(append([]string{""}, output.Pairs(facts, 0, c.Prose(), output.Faint, output.Plain)...))
	}
	for _, f := range facts {
		w.Line("%s: %s", f.Name, f.Text)
	}
	return err
}

// Left returns what is left of an account's plan: the names of its allowances with their texts.
func Left(acc session.Account, now time.Time) (facts [][2]string) {
	limited := slices.ContainsFunc(acc.Quotas, func(q session.Quota) bool { return !q.Unlimited })
	for _, q := range acc.Quotas {
		if q.Unlimited && limited {
			continue // what never ends tells nothing beside what does
		}
		name := named(quotaNames, q.Name)
		if q.Unit == "credits" && name == "Premium requests" {
			name = "Credits"
		}
		facts = append(facts, [2]string{name, cells.OneLine(quotaText(q, now))})
	}
	return facts
}

// quotaText returns what is left of an allowance and when it is renewed, in whole numbers: what is left is never more than it was.
func quotaText(q session.Quota, now time.Time) string {
	if q.Unlimited {
		return "unlimited"
	}
	unit := q.Unit
	if unit != "" {
		unit += " "
	}
	text := fmt.Sprintf("%s of %s %sleft (%d %%)", whole(q.Remaining), whole(q.Entitlement), unit, int(math.Floor(q.Percent)))
	if q.Overage {
		text += ", more is allowed"
	}
	if !q.ResetsAt.IsZero() && q.ResetsAt.After(now) {
		text += ", renews " + q.ResetsAt.Local().Format("2 Jan")
	}
	return text
}

// whole returns a number without its fraction.
func whole(n float64) string { return human.Number(int(math.Floor(n + 1e-6))) }
