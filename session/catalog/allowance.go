package catalog

import (
	"cmp"
	"math"
	"net/http"
	"slices"
	"strings"
	"sync"

	"parley/copilot"
	"parley/session"
)

// premium is the name of the quota that chats use. Some headers spell it differently.
const premium = "premium_interactions"

// allowance tracks what is left of the account's plan, from discovery and from every answer of the service to any
// session. It is safe for concurrent use.
type allowance struct {
	mu     sync.Mutex
	login  string
	units  map[string]string // by name, as discovery knows them
	quotas []session.Quota   // by name
	fresh  map[string]bool   // those that an answer reported
}

// Quotas returns the newest figures, by name.
func (a *allowance) Quotas() []session.Quota {
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.Clone(a.quotas)
}

// account applies the report of discovery, which may be half an hour old: figures from an answer for the same account
// are newer.
func (a *allowance) account(acc session.Account) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if acc.Login != a.login || a.units == nil {
		a.login, a.units, a.fresh = acc.Login, map[string]string{}, map[string]bool{}
		a.quotas = nil
	}
	for _, q := range acc.Quotas {
		a.units[q.Name] = q.Unit
		if !a.fresh[q.Name] {
			a.put(q)
		}
	}
}

// answer applies the header of an answer.
func (a *allowance) answer(h http.Header) {
	snapshots := map[string]copilot.Snapshot{}
	for _, s := range copilot.QuotaHeaders(h) {
		name := s.Name
		if strings.HasPrefix(name, "premium") {
			name = premium
		}
		if _, known := snapshots[name]; !s.RateLimit && (!known || s.Name == name) {
			snapshots[name] = s
		}
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	for name, s := range snapshots {
		q := session.Quota{Name: name, Unit: cmp.Or(a.units[name], quotaUnit(name, false)), Unlimited: s.Unlimited,
			Overage: s.OverageAllowed, ResetsAt: s.Reset}
		if !s.Unlimited {
			q.Entitlement, q.Percent = s.Entitlement, s.Percent
			q.Remaining = math.Round(s.Entitlement * s.Percent / 100)
		}
		if a.fresh == nil {
			a.fresh = map[string]bool{}
		}
		a.fresh[name] = true
		a.put(q)
	}
}

// put sets one quota. The lock is held.
func (a *allowance) put(q session.Quota) {
	i, found := slices.BinarySearchFunc(a.quotas, q.Name, func(o session.Quota, name string) int { return cmp.Compare(o.Name, name) })
	if found {
		a.quotas[i] = q
		return
	}
	a.quotas = slices.Insert(a.quotas, i, q)
}

// quotaUnit returns the unit of a quota, "" if unknown. Plans billed by tokens count credits.
func quotaUnit(name string, byTokens bool) string {
	switch {
	case strings.HasPrefix(name, "premium") && byTokens:
		return "credits"
	case strings.HasPrefix(name, "premium"):
		return "requests"
	case name == "chat":
		return "messages"
	case name == "completions":
		return "completions"
	}
	return ""
}
