//go:build contract

package claude

import (
	"context"
	"testing"

	"parley/session"
	scenes "parley/session/agenttest/scenario"
	"parley/session/builtin/lsp/lsptest"
	"parley/session/runtimes/runtimestest"
)

// stage returns what scenarios for all runtimes work with.
func (w *whole) stage() scenes.Stage {
	return scenes.Stage{TB: w.t, Home: w.home, Dir: w.dir, Group: w.group, Patience: patience, Send: w.send, Ends: w.ends, Until: w.until, Answers: w.answers,
		Delegate: "let a colleague ", Tools: func(all ...session.ClientTool) { w.tools = all },
		Further: w.further,
		Newest: func() string {
			body, _ := w.newest()
			return string(body)
		}}
}

// TestContractLookup lets the models of real runtimes ask a real language server, also those of child agents. Nobody is asked.
func TestContractLookup(t *testing.T) {
	programs, dir := lsptest.Gopls(t), runtimestest.Installed(t)
	for _, rt := range driven() {
		t.Run(rt.version, func(t *testing.T) {
			t.Parallel()
			scenes.Lookup(newWhole(t, runtimestest.Claude(t, dir, rt.version)).stage(), programs, clientTool)
		})
	}
}

// further sets the further directories of the session.
func (w *whole) further(dirs ...string) {
	w.t.Helper()
	v := w.s.Settings()
	v.Dirs = session.DirsOf(dirs)
	if err := w.s.Configure(v); err != nil {
		w.t.Fatal(err)
	}
}

// TestContractDirs gives a session of real runtimes another directory, and takes it back.
func TestContractDirs(t *testing.T) {
	dir := runtimestest.Installed(t)
	for _, rt := range driven() {
		t.Run(rt.version, func(t *testing.T) {
			t.Parallel()
			argv := runtimestest.Claude(t, dir, rt.version)
			scenes.Dirs(newWhole(t, argv, func(o *Options) {
				o.Runtime = func(context.Context) (Program, error) { return Program{Argv: argv, Version: rt.version}, nil }
			}).stage())
		})
	}
}
