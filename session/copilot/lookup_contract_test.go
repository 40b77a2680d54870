//go:build contract && unix

package copilot

import (
	"encoding/json"
	"testing"

	"parley/session"
	"parley/session/agenttest/scenario"
	"parley/session/builtin/lsp/lsptest"
	"parley/session/runtimes/runtimestest"
)

// stage returns what scenarios for all runtimes work with.
func (w *whole) stage() scenario.Stage {
	return scenario.Stage{TB: w.t, Home: w.home, Dir: w.dir, Group: w.group, Patience: patience, Send: w.send, Ends: w.ends, Until: w.until, Answers: w.answers,
		Delegate: "delegate ", Tools: func(all ...session.ClientTool) { w.tools = all },
		Further: w.further,
		Newest: func() (body string) {
			for _, r := range w.sim.Requests() {
				var in struct{ Tools []json.RawMessage }
				if json.Unmarshal(r.Body, &in) == nil && len(in.Tools) > 0 {
					body = string(r.Body)
				}
			}
			return body
		}}
}

// TestContractLookup lets the models of real runtimes ask a real language server, also those of child agents. Nobody is asked.
func TestContractLookup(t *testing.T) {
	programs, dir := lsptest.Gopls(t), runtimestest.Installed(t)
	for _, version := range runtimestest.Copilots {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			scenario.Lookup(newWhole(t, runtimestest.Copilot(t, dir, version), true).stage(), programs, clientTool)
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
	for _, version := range runtimestest.Copilots {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			scenario.Dirs(newWhole(t, runtimestest.Copilot(t, dir, version), true).stage())
		})
	}
}
