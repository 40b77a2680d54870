//go:build contract

package claude

import (
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parley/session"
	"parley/session/mcp/mcptest"
	"parley/session/runtimes/runtimestest"
)

func init() { mcptest.ServeIfAsked() }

// TestContractServers shows, switches and signs in to the MCP servers of real runtimes.
func TestContractServers(t *testing.T) {
	dir := runtimestest.Installed(t)
	for _, rt := range driven() {
		t.Run(rt.version, func(t *testing.T) {
			t.Parallel()
			gate := mcptest.NewGated()
			t.Cleanup(gate.Close)
			w := newWhole(t, runtimestest.Claude(t, dir, rt.version))
			w.useServers(map[string]any{"depot": stdioServer("plain"), "door": map[string]any{"type": "http", "url": gate.URL + "/mcp"}})
			w.completes("hello", "You said: hello")
			keeper := w.conv.Extensions().Servers
			is := func(name string, state session.ServerState) {
				t.Helper()
				w.eventually(name+" is "+string(state), func() bool {
					for _, s := range keeper.Servers(t.Context(), false) {
						if s.Name == name && s.State == state {
							return true
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
					visit(t, s.Page)
				}
			}
			is("door", session.ServerConnected)
			if _, err := keeper.SignOut(t.Context(), "door"); err != nil {
				t.Error(err)
			}
			is("door", session.ServerSignIn)
		})
	}
}

// TestContractToolSearch lets real runtimes begin with a small part of 107 tools and find one, and logs the size of the first
// request with 0, 20 and 107 tools, with and without the search.
func TestContractToolSearch(t *testing.T) {
	dir := runtimestest.Installed(t)
	for _, rt := range driven() {
		sizes := map[string]int{}
		for _, value := range []string{"true", "false"} {
			for _, kind := range []string{"", "twenty", "many"} {
				t.Run(rt.version+"/"+value+"/"+kind, func(t *testing.T) {
					w := newWhole(t, runtimestest.Claude(t, dir, rt.version), func(o *Options) {
						o.Environ = append(o.Environ, "ENABLE_TOOL_SEARCH="+value)
					})
					w.answers(always(yes))
					if kind != "" {
						w.useServers(map[string]any{"depot": stdioServer(kind)})
					}
					w.completes("hello", "You said: hello")
					if kind != "" {
						w.eventually("the server is connected", func() bool { return strings.Contains(w.mcpStatus(), `"connected"`) })
					}
					w.completes("hello again", "You said: hello again")
					last, tools := w.newest()
					sizes[value+kind] = len(last)
					t.Logf("%s tools of servers: %d tools, about %d tokens", kind, tools, len(last)/4)
					if kind == "many" && value == "true" {
						w.completes("find the tool mcp__depot__tool_7", "")
						w.completes("use the tool mcp__depot__tool_7", "The tool said: handled")
					}
				})
			}
		}
		for _, kind := range []string{"", "many"} {
			if sizes["true"+kind]+4*8000 > sizes["false"+kind] {
				t.Errorf("%s, %q: %d bytes with the search, %d without", rt.version, kind, sizes["true"+kind], sizes["false"+kind])
			}
		}
	}
}

// newest returns the newest long request of the runtime's model, and how many tools it had.
func (w *whole) newest() (body []byte, tools int) {
	for _, r := range w.sim.Requests() {
		var in struct{ Tools []json.RawMessage }
		if json.Unmarshal(r.Body, &in) == nil && len(in.Tools) > 0 {
			body, tools = r.Body, len(in.Tools)
		}
	}
	return body, tools
}

// stdioServer is this program as a server of a kind of [mcptest].
func stdioServer(kind string) map[string]any {
	return map[string]any{"command": os.Args[0], "args": []string{}, "env": map[string]string{mcptest.Variable: kind}}
}

// useServers gives the project servers.
func (w *whole) useServers(servers map[string]any) {
	w.t.Helper()
	config, err := json.Marshal(map[string]any{"mcpServers": servers})
	if err == nil {
		err = os.WriteFile(filepath.Join(w.dir, ".mcp.json"), config, 0o600)
	}
	if err != nil {
		w.t.Fatal(err)
	}
	w.agent.o.Trusted = func(dir string) bool { return dir == w.dir }
}

// visit opens a page as a browser does.
func visit(t *testing.T, page string) {
	t.Helper()
	resp, err := http.Get(page)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if said, _ := io.ReadAll(resp.Body); resp.StatusCode != http.StatusOK {
		t.Fatalf("%s: %s", resp.Status, said)
	}
}
