//go:build contract

package claude

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"parley/copilot"
	"parley/copilot/login"
	"parley/copilot/sim"
	"parley/copilot/sim/script"
	"parley/proxy"
	"parley/session"
	"parley/session/claude/claudetest"
	"parley/session/runtimes/runtimestest"
)

// runtimes are the real ones with recordings, which are in folders of these names.
var runtimes = []struct{ name, version string }{
	{"sdk-0.2.112", runtimestest.ClaudeScript},
	{"native", runtimestest.ClaudeNative},
	{newest, runtimestest.ClaudeNewest},
}

// driven are those of them that this run drives.
func driven() (drives []struct{ name, version string }) {
	for _, rt := range runtimes {
		if runtimestest.Drives(rt.version) {
			drives = append(drives, rt)
		}
	}
	return drives
}

// TestContractClaudeRuntimes runs every scenario on the real runtimes, through our proxy and the simulated Copilot, and
// compares what the mapper makes of it with the recorded fixtures. With -update it records them.
func TestContractClaudeRuntimes(t *testing.T) {
	dir := runtimestest.Installed(t)
	for _, rt := range driven() {
		for _, sc := range scenarios {
			if !sc.on(rt.name) {
				continue
			}
			t.Run(rt.version+"/"+sc.name, func(t *testing.T) {
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
				lines := record(t, argv, sc)
				got := replay(t, lines)
				if err := claudetest.CheckOrder(got); err != nil {
					t.Fatalf("%v\n%s", err, lines)
				}
				if err := compare(got, replay(t, want), sc.unordered); err != nil {
					t.Errorf("%v\n%s", err, lines)
				}
			})
		}
	}
}

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

// compare returns how events differ from the recorded ones. What two sides say at the same time comes in any order, so each
// side is compared for itself; unordered compares only which events there are.
func compare(got, want []session.Event, unordered bool) error {
	g, w := sides(got), sides(want)
	if unordered {
		g, w = outline{"": g.all()}, outline{"": w.all()}
	}
	if d := cmp.Diff(w, g); d != "" {
		return fmt.Errorf("events changed (-want +got)\n%s", d)
	}
	return nil
}

// outline names the events of each side in order, with repeated ones once, so that chunking and timing do not matter.
type outline map[string][]string

// sides separates what the runtime's turns say from what parley's queue and the runtime's reports about itself say. CheckOrder
// holds what must come before what among them.
func sides(events []session.Event) outline {
	o := outline{}
	for _, e := range events {
		name, side := session.EventType(e), "turns"
		switch e := e.(type) {
		case session.ToolEnded:
			name += ":" + string(e.Outcome)
		case session.TurnEnded:
			name += ":" + string(e.Outcome)
		case session.Asked:
			name += ":" + string(e.Kind)
		case session.Queued, session.Unqueued, session.Steered:
			side = "queue"
		case session.RuntimeChanged, session.ModelChanged, session.ModeChanged, session.TitleChanged, session.ContextReported:
			side = name
		}
		if s := o[side]; len(s) == 0 || s[len(s)-1] != name {
			o[side] = append(s, name)
		}
	}
	return o
}

// all returns the names of all events, each once.
func (o outline) all() []string {
	var names []string
	for _, s := range o {
		names = append(names, s...)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// simulated is a simulated Copilot with our proxy before it.
type simulated struct {
	*sim.Server
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
	sim, err := sim.Start(sim.Options{Script: rules})
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
