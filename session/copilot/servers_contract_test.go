//go:build contract && unix

package copilot

import (
	"encoding/json"
	"net/http"
	"os"
	"testing"

	"parley/session"
	"parley/session/mcp/mcptest"
	"parley/session/runtimes/runtimestest"
)

// TestContractServers shows, switches and signs in to the MCP servers of real runtimes.
func TestContractServers(t *testing.T) {
	dir := runtimestest.Installed(t)
	for _, version := range runtimestest.Copilots {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			gate := mcptest.NewGated()
			t.Cleanup(gate.Close)
			w := newWhole(t, runtimestest.Copilot(t, dir, version), true)
			servers, err := json.Marshal(map[string]any{
				"depot": map[string]any{"type": "local", "command": os.Args[0], "args": []string{}, "env": map[string]string{serverVariable: "1"}, "tools": []string{"*"}},
				"door":  map[string]any{"type": "http", "url": gate.URL + "/mcp", "tools": []string{"*"}}})
			if err != nil {
				t.Fatal(err)
			}
			w.agent.o.Servers = func(string, bool) json.RawMessage { return servers }
			w.completes("hello", "")
			keeper := w.conv.Extensions().Servers
			is := func(name string, states ...session.ServerState) {
				t.Helper()
				w.eventually(name+" is "+string(states[0]), func() bool {
					for _, s := range keeper.Servers(t.Context(), false) {
						for _, state := range states {
							if s.Name == name && s.State == state {
								return true
							}
						}
					}
					return false
				})
			}
			do := func(name string, on bool) {
				t.Helper()
				if err := keeper.SwitchServer(t.Context(), name, on); err != nil {
					t.Fatal(err)
				}
			}
			is("depot", session.ServerConnected)
			do("depot", false)
			is("depot", session.ServerOff)
			do("depot", true)
			is("depot", session.ServerConnected)
			do("depot", true) // again
			is("depot", session.ServerConnected)
			is("door", session.ServerSignIn)
			do("door", true)
			for _, s := range keeper.Servers(t.Context(), true) {
				if s.Name == "door" {
					visitPage(t, s.Page)
				}
			}
			is("door", session.ServerConnected)
		})
	}
}

// visitPage opens a page as a browser does.
func visitPage(t *testing.T, page string) {
	t.Helper()
	resp, err := http.Get(page)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		t.Fatal(resp.Status)
	}
}
