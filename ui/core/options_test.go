package core

import (
	"testing"
	"time"

	"parley/session"
)

type reported struct {
	session.Catalog
	all []session.Quota
}

func (r reported) Quotas() []session.Quota { return append([]session.Quota(nil), r.all...) }

// What a runtime reports of the plan in its session counts where it is newer than what the account was asked for.
func TestQuotasAreTheNewest(t *testing.T) {
	month, before := time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC), time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
	account := session.Quota{Name: "premium_interactions", Unit: "credits", Entitlement: 1500, Remaining: 1490, Percent: 99, ResetsAt: month}
	for name, tc := range map[string]struct {
		own  session.Quota
		want float64
	}{
		"less":          {session.Quota{Name: account.Name, Entitlement: 1500, Remaining: 1480, ResetsAt: month}, 1480},
		"more":          {session.Quota{Name: account.Name, Entitlement: 1500, Remaining: 1499, ResetsAt: month}, 1490},
		"last month":    {session.Quota{Name: account.Name, Entitlement: 1500, Remaining: 3, ResetsAt: before}, 1490},
		"another plan":  {session.Quota{Name: account.Name, Entitlement: 300, Remaining: 3, ResetsAt: month}, 1490},
		"another quota": {session.Quota{Name: "chat", Entitlement: 1500, Remaining: 3, ResetsAt: month}, 1490},
	} {
		o := Options{Catalog: reported{all: []session.Quota{account}}}
		got := o.Quotas(&session.Transcript{Quotas: []session.Quota{tc.own}}, session.Account{})
		if len(got) != 1 || got[0].Remaining != tc.want || got[0].Unit != "credits" {
			t.Errorf("%s: %+v", name, got)
		}
	}
}
