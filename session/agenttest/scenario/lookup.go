package scenario

import (
	"os"
	"path/filepath"
	"strings"
	"time"

	"parley/session"
	"parley/session/builtin/lsp"
	"parley/session/clienttools/lookup"
	"parley/session/permission"
)

// Lookup lets a model ask a real language server for Go in the folder programs, also from a child agent. Nobody is asked. is reports
// whether a name is that of a tool of parley's.
func Lookup(s Stage, programs string, is func(name string) bool) {
	s.files(s.Dir, map[string]string{"go.mod": "module example.com/m\n\ngo 1.25\n",
		"main.go":        "package main\n\nimport \"example.com/m/greet\"\n\nfunc main() {\n\tprintln(greet.Hello(\"x\"), greet.Missing)\n}\n",
		"greet/greet.go": "// Package greet greets.\npackage greet\n\n// Hello greets someone.\nfunc Hello(name string) string { return \"hello \" + name }\n"})
	p := s.Patience
	servers := lookup.New(lookup.Options{Processes: s.Group, Home: s.Home,
		Environ: func(session.ID) []string {
			return append(os.Environ(), "PATH="+programs+string(filepath.ListSeparator)+os.Getenv("PATH"))
		},
		LSP:    lsp.Options{Bounds: lsp.Bounds{Start: p, Load: p, Base: p, Settle: p, Call: p, Leave: p, First: p, Edit: p, Quiet: time.Second}},
		Policy: func(dirs []string) permission.Policy { return permission.Policy{Dirs: dirs}.OnDisk(nil) }})
	tool, ok := servers.Tool(session.OpenOptions{Session: "s", Dir: s.Dir})
	if !ok {
		s.Fatal("no language server is offered")
	}
	s.Tools(tool)
	s.Answers(func(a session.Asked) (session.Answer, bool) {
		if a.Kind == session.AskPermission && strings.Contains(a.Permission.Tool, "code_lookup") {
			s.Errorf("asked %+v", a.Permission)
		}
		return session.Answer{Decision: session.Allow}, true
	})
	for _, from := range []string{"", s.Delegate} {
		for prompt, want := range map[string]string{"definition of Hello in main.go": "greet/greet.go:5:6: func Hello(name string) string",
			"references of Hello in greet/greet.go": "main.go:6:16", "diagnostics of Missing in main.go": "undefined: greet.Missing"} {
			end := s.call(from+prompt, func(e session.ToolStarted) bool { return (e.Child != "") == (from != "") && is(e.Name) })
			if end.Outcome != session.ToolOK || !strings.Contains(end.Result.Text, want) {
				s.Errorf("%s%s: %+v", from, prompt, end)
			}
		}
	}
}
