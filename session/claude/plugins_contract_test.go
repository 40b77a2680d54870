//go:build contract

package claude

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"parley/session"
	scenes "parley/session/agenttest/scenario"
	"parley/session/extensions/inventory"
	"parley/session/extensions/plugin"
	"parley/session/runtimes/runtimestest"
	"parley/session/trust"
)

// TestContractPlugins gives real runtimes a plugin that parley has installed: its hook runs, the model loads its skill and calls the tool of
// its server, whether the directory is trusted or not.
func TestContractPlugins(t *testing.T) {
	dir := runtimestest.Installed(t)
	for _, rt := range driven() {
		for _, form := range []string{scenes.FormClaude, scenes.FormOpen} {
			for _, trusted := range []bool{true, false} {
				t.Run(rt.version+"/"+form+map[bool]string{true: "/trusted", false: "/untrusted"}[trusted], func(t *testing.T) {
					t.Parallel()
					argv := runtimestest.Claude(t, dir, rt.version)
					var off atomic.Pointer[inventory.Off]
					off.Store(&inventory.Off{})
					w := newWhole(t, argv, func(o *Options) {
						o.TempDir, o.Trusted = t.TempDir(), func(string) bool { return trusted }
						o.Runtime = func(context.Context) (Program, error) { return Program{Argv: argv, Version: rt.version}, nil }
						found := scenes.Installed(scenes.Stage{TB: t, Home: o.Home}, form, stdioServer("plain"))
						o.OwnServers = func(dir string) json.RawMessage {
							return trust.OwnServers("", dir, o.Home, found.FolderServers(context.Background(), plugin.Claude))
						}
						o.Off = func(session.ID) inventory.Off { return *off.Load() }
						o.Plugins = func(ctx context.Context) []string { return found.Folders(ctx, plugin.Claude) }
					})
					w.answers(func(a session.Asked) (session.Answer, bool) {
						return session.Answer{Decision: session.Allow, Scope: session.ScopeOnce}, true
					})
					w.completes("hello", "You said: hello")
					if body, _ := w.newest(); !strings.Contains(string(body), "demo:greet") {
						t.Error("the model does not know of the skill")
					}
					w.completes("use the skill demo:greet", "BODY-greet")
					w.completes("use the tool of the plugin", `The tool said: echo {"words":"beans"}`)
					if got, err := os.ReadFile(filepath.Join(w.home, "hook-ran")); form == scenes.FormClaude && (err != nil || !strings.Contains(string(got), "mcp__plugin_demo_depot__echo")) {
						t.Errorf("the hook: %q, %v", got, err)
					}
					off.Store(&inventory.Off{{Kind: inventory.Plugin, Name: "demo", From: w.agent.o.Plugins(t.Context())[0]}})
					w.completes("hello again", "You said: hello again")
					if got := w.conv.Extensions().Servers.Servers(t.Context(), true); slices.ContainsFunc(got, func(s session.Server) bool { return strings.Contains(s.Name, "depot") }) {
						t.Errorf("the plugin is off, and there are %+v", got)
					}
				})
			}
		}
	}
}
