//go:build contract

package claude

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"parley/copilot"
	"parley/copilot/copilottest"
	"parley/copilot/copilottest/script"
	"parley/copilot/login"
	"parley/proxy"
	"parley/session"
	"parley/session/claude/claudetest"
	"parley/session/runtimes/runtimestest"
)

// runtimes are the real ones that are driven: the oldest supported, which is a script for node, and a native one.
var runtimes = []struct{ name, version string }{
	{"sdk-0.2.112", runtimestest.ClaudeScript},
	{"native", runtimestest.ClaudeNative},
	{newest, runtimestest.ClaudeNewest},
}

// TestContractClaudeRuntimes runs every scenario on the real runtimes, through our proxy and the simulated Copilot, and
// compares what the mapper makes of it with the recorded fixtures. With -update it records them.
func TestContractClaudeRuntimes(t *testing.T) {
	dir := runtimestest.Installed(t)
	for _, rt := range runtimes {
		for _, sc := range scenarios {
			if !sc.on(rt.name) {
				continue
			}
			t.Run(rt.name+"/"+sc.name, func(t *testing.T) {
				t.Parallel()
				argv, fixture := runtimestest.Claude(t, dir, rt.version), filepath.Join("testdata", rt.name, sc.name+".jsonl")
				if *update {
					keep(t, fixture, record(t, argv, sc))
					return
				}
				want, err := os.ReadFile(fixture)
				if err != nil {
					t.Fatal(err)
				}
				// What two sides say at the same time can come in another order. A changed message is another one every time.
				var lines []byte
				var changed error
				for range attempts {
					lines = record(t, argv, sc)
					got := replay(t, lines)
					if err := claudetest.CheckOrder(got); err != nil {
						t.Fatalf("%v\n%s", err, lines)
					}
					if changed = compare(got, replay(t, want), sc.unordered); changed == nil {
						return
					}
					t.Logf("not as recorded: %v", changed)
				}
				t.Errorf("%v, %d times\n%s", changed, attempts, lines)
			})
		}
	}
}

// attempts is how often a scenario may come out otherwise than it is recorded before that counts as a change.
const attempts = 3

// keep writes a fixture.
func keep(t *testing.T, fixture string, lines []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(fixture), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(fixture, lines, 0o644); err != nil {
		t.Fatal(err)
	}
}

// compare returns how events differ from the recorded ones.
func compare(got, want []session.Event, unordered bool) error {
	g, w := outline(got), outline(want)
	if unordered {
		slices.Sort(g)
		slices.Sort(w)
		g, w = slices.Compact(g), slices.Compact(w)
	}
	if !slices.Equal(g, w) {
		return fmt.Errorf("events changed\n got %s\nwant %s", strings.Join(g, " "), strings.Join(w, " "))
	}
	return nil
}

// outline names the events in order, with repeated ones once, so that chunking and timing do not matter.
func outline(events []session.Event) []string {
	var names []string
	for _, e := range events {
		name := session.EventType(e)
		switch e := e.(type) {
		case session.ToolEnded:
			name += ":" + string(e.Outcome)
		case session.TurnEnded:
			name += ":" + string(e.Outcome)
		case session.Asked:
			name += ":" + string(e.Kind)
		}
		if len(names) == 0 || names[len(names)-1] != name {
			names = append(names, name)
		}
	}
	return names
}

// simulated is a simulated Copilot with our proxy before it.
type simulated struct {
	*copilottest.Server
	url, bearer string
}

func simulate(t *testing.T) simulated {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", "scenarios.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	rules, err := script.Parse(bytes.NewReader(data), "scenarios.yaml")
	if err != nil {
		t.Fatal(err)
	}
	sim, err := copilottest.Start(copilottest.Options{Script: rules})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { sim.Close() })
	client, err := copilot.New(copilot.Options{
		Credential:    login.Credential{Token: login.NewSecret(sim.Token()), Source: "test", Host: "github.com"},
		CopilotAPIURL: sim.CopilotURL(),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	srv, err := proxy.Start(proxy.Options{Upstream: client})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { srv.Close(context.Background()) })
	bearer, err := srv.Open("contract", proxy.WithMarker())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if t.Failed() {
			for _, r := range sim.Requests() {
				t.Logf("upstream saw %s %s: %d", r.Method, r.Path, r.Status)
			}
		}
	})
	return simulated{sim, srv.URL(), bearer}
}
