package cli

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

// premium is the allowance that chats use up. Some headers call it by another name.
const premium = "premium_interactions"

// allowance is what is left of the account's plan, as far as it was told: by discovery, and then by every answer of the
// service, whichever session that was for. It is safe for concurrent use.
type allowance struct {
	mu     sync.Mutex
	login  string
	units  map[string]string // by name, as discovery knows them
	quotas []session.Quota   // by name
	told   map[string]bool   // those that an answer told of
}

// Quotas returns the newest figures, by name.
func (a *allowance) Quotas() []session.Quota {
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.Clone(a.quotas)
}

// account takes in what discovery says, which is up to half an hour old: what an answer told of the same account is newer.
func (a *allowance) account(acc session.Account) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if acc.Login != a.login || a.units == nil {
		a.login, a.units, a.told = acc.Login, map[string]string{}, map[string]bool{}
		a.quotas = nil
	}
	for _, q := range acc.Quotas {
		a.units[q.Name] = q.Unit
		if !a.told[q.Name] {
			a.put(q)
		}
	}
}

// answer takes in the header of an answer.
func (a *allowance) answer(h http.Header) {
	told := map[string]copilot.Snapshot{}
	for _, s := range copilot.QuotaHeaders(h) {
		name := s.Name
		if strings.HasPrefix(name, "premium") {
			name = premium
		}
		if _, known := told[name]; !s.RateLimit && (!known || s.Name == name) {
			told[name] = s
		}
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	for name, s := range told {
		q := session.Quota{Name: name, Unit: cmp.Or(a.units[name], quotaUnit(name, false)), Unlimited: s.Unlimited,
			Overage: s.OverageAllowed, ResetsAt: s.Reset}
		if !s.Unlimited {
			q.Entitlement, q.Percent = s.Entitlement, s.Percent
			q.Remaining = math.Round(s.Entitlement * s.Percent / 100)
		}
		if a.told == nil {
			a.told = map[string]bool{}
		}
		a.told[name] = true
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

// quotaUnit is what an allowance counts, "" if that is not known. Plans that are billed by tokens count credits.
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
