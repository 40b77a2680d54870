package catalog

import (
	"net/http"
	"testing"

	"parley/session"
)

// An answer of the service is newer than discovery, has the account's unit, and ends with the login.
func TestAllowance(t *testing.T) {
	header := func(name, value string) http.Header { return http.Header{"X-Quota-Snapshot-" + name: {value}} }
	acc := func(login, unit string, left float64) session.Account {
		return session.Account{Login: login, Quotas: []session.Quota{{Name: premium, Unit: unit, Entitlement: 1500, Remaining: left, Percent: left / 15}}}
	}
	var a allowance
	check := func(name string, unit string, left float64) {
		t.Helper()
		all := a.Quotas()
		if len(all) != 1 || all[0].Name != premium || all[0].Unit != unit || all[0].Remaining != left {
			t.Errorf("%s: %+v", name, all)
		}
	}
	if len(a.Quotas()) != 0 {
		t.Error("something is known before anything was told")
	}
	a.answer(header("Premium_models", "ent=1500&rem=99.9"))
	check("an answer before discovery", "requests", 1499)
	a.account(acc("ada", "credits", 1498))
	check("discovery of the account", "credits", 1498)
	a.answer(header("Premium_interactions", "ent=1500&rem=99.8"))
	check("an answer", "credits", 1497)
	a.account(acc("ada", "credits", 1500))
	check("an older discovery", "credits", 1497)
	a.answer(http.Header{"X-Usage-Ratelimit-Session": {"ent=0&rem=3"}, "X-Quota-Snapshot-Chat": {"nonsense"}})
	check("a rate limit and nonsense", "credits", 1497)
	a.answer(http.Header{"X-Quota-Snapshot-Premium_models": {"ent=1500&rem=1"}, "X-Quota-Snapshot-Premium_interactions": {"ent=1500&rem=50"}})
	check("two names of it", "credits", 750)
	a.account(acc("bob", "requests", 3))
	check("another login", "requests", 3)
}
