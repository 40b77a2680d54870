//go:build contract

package claude

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"parley/session"
	"parley/session/builtin/lsp"
	"parley/session/builtin/lsp/lsptest"
	"parley/session/clienttools/lookup"
	"parley/session/permission"
	"parley/session/runtimes/runtimestest"
)

// TestContractLookup lets the models of real runtimes ask a real language server, also those of child agents. Nobody is asked.
func TestContractLookup(t *testing.T) {
	programs, dir := lsptest.Gopls(t), runtimestest.Installed(t)
	for _, rt := range driven() {
		t.Run(rt.version, func(t *testing.T) {
			t.Parallel()
			w := newWhole(t, runtimestest.Claude(t, dir, rt.version))
			for name, content := range map[string]string{"go.mod": "module example.com/m\n\ngo 1.25\n",
				"main.go":        "package main\n\nimport \"example.com/m/greet\"\n\nfunc main() {\n\tprintln(greet.Hello(\"x\"), greet.Missing)\n}\n",
				"greet/greet.go": "// Package greet greets.\npackage greet\n\n// Hello greets someone.\nfunc Hello(name string) string { return \"hello \" + name }\n"} {
				path := filepath.Join(w.dir, name)
				if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			servers := lookup.New(lookup.Options{Processes: w.group, Home: w.home,
				Environ: append(os.Environ(), "PATH="+programs+string(filepath.ListSeparator)+os.Getenv("PATH")),
				LSP: lsp.Options{Bounds: lsp.Bounds{Start: patience, Load: patience, Base: patience, Settle: patience, Call: patience, Leave: patience,
					First: patience, Edit: patience, Quiet: time.Second}},
				Policy: func(dirs []string) permission.Policy { return permission.Policy{Dirs: dirs}.OnDisk(nil) }})
			tool, ok := servers.Tool(session.OpenOptions{Session: "s", Dir: w.dir})
			if !ok {
				t.Fatal("no language server is offered")
			}
			w.tools = []session.ClientTool{tool}
			w.answers(func(a session.Asked) (session.Answer, bool) {
				if a.Kind == session.AskPermission && strings.Contains(a.Permission.Tool, "code_lookup") {
					t.Errorf("asked %+v", a.Permission)
				}
				return session.Answer{Decision: session.Allow}, true
			})
			for _, from := range []string{"", "let a colleague "} {
				for prompt, want := range map[string]string{"definition of Hello in main.go": "greet/greet.go:5:6: func Hello(name string) string",
					"references of Hello in greet/greet.go": "main.go:6:16", "diagnostics of Missing in main.go": "undefined: greet.Missing"} {
					id := w.send(from + prompt)
					started := w.until("call", func(e session.Event) bool {
						s, ok := e.(session.ToolStarted)
						return ok && s.Turn == session.TurnID(id) && (s.Child != "") == (from != "") && clientTool(s.Name)
					}).(session.ToolStarted)
					end := w.until("end", func(e session.Event) bool {
						end, ok := e.(session.ToolEnded)
						return ok && end.Call == started.Call
					}).(session.ToolEnded)
					w.ends(id)
					if end.Outcome != session.ToolOK || !strings.Contains(end.Result.Text, want) {
						t.Errorf("%s%s: %+v", from, prompt, end)
					}
				}
			}
		})
	}
}
