package copilot

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"parley/copilot/login"
	"parley/copilot/sim"
)

// simClock is a clock of the tests for the simulation, which never sleeps.
type simClock struct{ *clock }

func (c simClock) Now() time.Time { return c.now() }

func (c simClock) Sleep(ctx context.Context, d time.Duration) error {
	c.advance(d)
	return ctx.Err()
}

// simulated is a simulated GitHub and Copilot with a client of it, both on one clock.
type simulated struct {
	*sim.Server
	client *Client
	clock  *clock
}

func newSim(t testing.TB, account sim.Account, change ...func(*Options)) *simulated {
	t.Helper()
	s := &simulated{clock: newClock()}
	server, err := sim.Start(sim.Options{Account: account, Token: testToken, Clock: simClock{s.clock}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := server.Close(); err != nil {
			t.Error(err)
		}
	})
	s.Server = server
	o := Options{Credential: login.Credential{Token: login.NewSecret(testToken), Source: "GH_TOKEN", Host: "github.com"},
		GitHubAPIURL: server.GitHubURL(), Now: s.clock.now}
	for _, c := range change {
		c(&o)
	}
	if s.client, err = New(o); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.client.Close)
	return s
}

// ask sends a request for a model and reads the answer.
func (s *simulated) ask(ctx context.Context, model string) error {
	stream, err := s.client.StreamMessages(ctx, Request{Body: []byte(`{"model":"` + model + `","max_tokens":100,` +
		`"messages":[{"role":"user","content":"hello"}]}`)})
	if err != nil {
		return err
	}
	_, err = drain(stream)
	return err
}

// seen lists the requests so far, short: base, path, scheme and status.
func (s *simulated) seen() []string {
	var out []string
	for _, r := range s.Requests() {
		scheme, _, _ := strings.Cut(r.Header.Get("Authorization"), " ")
		line := strings.Join([]string{r.Header.Get("X-Sim-Base"), strings.TrimPrefix(r.Path, "/copilot_internal"), scheme,
			statusLine(r.Status)[:3]}, " ")
		out = append(out, strings.TrimSpace(line))
	}
	return out
}

// since returns what was seen after the first n requests, and how many there are now.
func (s *simulated) since(n *int) []string {
	all := s.seen()
	out := all[*n:]
	*n = len(all)
	return out
}

// expect compares the requests since the last time.
func (s *simulated) expect(t *testing.T, n *int, want ...string) {
	t.Helper()
	if got := s.since(n); !slices.Equal(got, want) {
		t.Errorf("the requests are\n\t%s\nwant\n\t%s", strings.Join(got, "\n\t"), strings.Join(want, "\n\t"))
	}
}
