package cli

import (
	"bytes"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/pflag"

	"parley/session"
)

// What an answer tells of the account is newer than what discovery says, has the account's unit, and ends with the login.
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

// The chat knows what is left after every answer, of whichever session, and before the session hears of it.
func TestAllowanceIsLive(t *testing.T) {
	w := newWorld(t).signIn("")
	var out bytes.Buffer
	a := newApp(Process{Environ: w.env, In: strings.NewReader(""), Out: &out, Err: &out})
	defer a.close()
	if err := a.load(pflag.NewFlagSet("", pflag.ContinueOnError), false); err != nil {
		t.Fatal(err)
	}
	client, err := a.signedIn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	s, err := a.newServices(t.Context(), client, true)
	if err != nil {
		t.Fatal(err)
	}
	defer s.close(t.Context())
	if _, err := s.catalog.Account(t.Context()); err != nil {
		t.Fatal(err)
	}
	before := s.allowance.Quotas()
	for i := range 3 {
		end, err := s.endpoints.Open(t.Context(), session.ID(string(rune('a'+i))))
		if err != nil {
			t.Fatal(err)
		}
		body := `{"model":"claude-sonnet-4-6","max_tokens":100,"stream":true,"messages":[{"role":"user","content":"hi"}]}`
		req, err := http.NewRequest(http.MethodPost, end.BaseURL+"/v1/messages", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Authorization", "Bearer "+end.Bearer)
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		if i < 2 {
			_, _ = io.Copy(io.Discard, resp.Body)
		} // else what is left is known as soon as the answer begins
		defer resp.Body.Close()
	}
	left := func(all []session.Quota) map[string]float64 {
		out := map[string]float64{}
		for _, q := range all {
			if !q.Unlimited {
				out[q.Name+" "+q.Unit] = q.Remaining
			}
		}
		return out
	}
	want := left(before)
	want["premium_interactions requests"] -= 3
	if diff := cmp.Diff(want, left(s.allowance.Quotas())); diff != "" {
		t.Error(diff)
	}
}
