//go:build contract

package claude

import (
	"context"
	"testing"

	"parley/session"
	scenes "parley/session/agenttest/scenario"
	"parley/session/builtin/instruct"
	"parley/session/permission"
	"parley/session/runtimes/runtimestest"
)

// TestContractInForceAfterASummary looks at what real runtimes send after a summary.
func TestContractInForceAfterASummary(t *testing.T) {
	dir := runtimestest.Installed(t)
	for _, rt := range driven() {
		t.Run(rt.version, func(t *testing.T) {
			t.Parallel()
			argv := runtimestest.Claude(t, dir, rt.version)
			w := newWhole(t, argv, func(o *Options) {
				o.TempDir, o.Trusted = t.TempDir(), func(string) bool { return true }
				o.Runtime = func(context.Context) (Program, error) { return Program{Argv: argv, Version: rt.version}, nil }
				o.Instructions = func(ctx context.Context, dir string) string { return instruct.Unread(ctx, o.Home, dir) }
			})
			scenes.InForceAfterASummary(w.stage(), scenes.Force{Plan: "Plan mode is active", Run: "run the line ",
				Trust: func(rules permission.Kept) { w.agent.o.Rules = func(string) permission.Kept { return rules } },
				Mode: func(m session.Mode) {
					if err := w.s.Configure(session.Settings{Mode: m}); err != nil {
						t.Fatal(err)
					}
				}})
		})
	}
}

// TestContractLiving lets definitions come and go while real runtimes have a session.
func TestContractLiving(t *testing.T) {
	dir := runtimestest.Installed(t)
	for _, rt := range driven() {
		t.Run(rt.version, func(t *testing.T) {
			t.Parallel()
			w := newWhole(t, runtimestest.Claude(t, dir, rt.version))
			scenes.Living(w.stage(), "claude", func(f func(ctx context.Context, dir string) string) { w.agent.o.Extends = f }, func() (n int) {
				for _, e := range w.all() {
					if r, is := e.(session.RuntimeChanged); is && (r.State == session.RuntimeStarting || r.State == session.RuntimeRestarting) {
						n++
					}
				}
				return n
			})
		})
	}
}
