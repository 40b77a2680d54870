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

// The chat knows what is left after every answer, of whichever session, and before the session hears of it.
func TestAllowanceIsLive(t *testing.T) {
	w := newWorld(t).signIn("")
	w.env = without(w.env, "PARLEY_COPILOT_API_URL") // the first figures come with discovery
	var out bytes.Buffer
	a := newApp(Process{Environ: w.env, In: strings.NewReader(""), Out: &out, Err: &out})
	defer a.close()
	if err := a.load(pflag.NewFlagSet("", pflag.ContinueOnError), false); err != nil {
		t.Fatal(err)
	}
	client, err := a.signIn().Client(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	s, err := newServices(t.Context(), a, client, run{headless: true})
	if err != nil {
		t.Fatal(err)
	}
	defer s.close(t.Context())
	if _, err := s.catalog.Account(t.Context()); err != nil {
		t.Fatal(err)
	}
	before := s.catalog.Quotas()
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
	if diff := cmp.Diff(want, left(s.catalog.Quotas())); diff != "" {
		t.Error(diff)
	}
}
