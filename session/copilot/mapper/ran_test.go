package mapper

import (
	"testing"

	"parley/session"
)

func TestRan(t *testing.T) {
	const (
		start    = `{"toolCallId":"c","toolName":"bash","arguments":{"command":"ls *"}}`
		replaced = `{"requestId":"r","permissionRequest":{"kind":"shell","toolCallId":"c","fullCommandText":"'ls' *"}}`
		same     = `{"requestId":"r","permissionRequest":{"kind":"shell","toolCallId":"c","fullCommandText":"ls *"}}`
		approved = `{"requestId":"r","toolCallId":"c","result":{"kind":"approved"}}`
		denied   = `{"requestId":"r","toolCallId":"c","result":{"kind":"denied-interactively-by-user"}}`
		done     = `{"toolCallId":"c","success":true,"result":{"content":"x"}}`
		failed   = `{"toolCallId":"c","success":false,"error":{"message":"no","code":"denied"}}`
		behind   = `{"toolCallId":"c","success":true,"result":{"content":"<command started in background with shellId: 4>"}}`
		ended    = `{"kind":{"type":"shell_completed","shellId":"4","exitCode":0}}`
	)
	for name, c := range map[string]struct {
		pairs []string
		want  []string // of each end of the call
	}{
		"replaced": {[]string{"tool.execution_start", start, "permission.requested", replaced, "permission.completed", approved,
			"tool.execution_complete", done}, []string{"'ls' *"}},
		"as it was": {[]string{"tool.execution_start", start, "permission.requested", same, "permission.completed", approved,
			"tool.execution_complete", done}, []string{""}},
		"refused": {[]string{"tool.execution_start", start, "permission.requested", replaced, "permission.completed", denied,
			"tool.execution_complete", failed}, []string{""}},
		"interrupted before the answer": {[]string{"tool.execution_start", start, "permission.requested", replaced, "abort", `{}`}, []string{""}},
		"interrupted while it runs": {[]string{"tool.execution_start", start, "permission.requested", replaced, "permission.completed", approved,
			"abort", `{}`}, []string{"'ls' *"}},
		"in the background": {[]string{"tool.execution_start", start, "permission.requested", replaced, "permission.completed", approved,
			"tool.execution_complete", behind, "system.notification", ended}, []string{"'ls' *", "'ls' *"}},
		"asked before its start": {[]string{"permission.requested", replaced, "permission.completed", approved, "tool.execution_start", start,
			"tool.execution_complete", done}, []string{"'ls' *"}},
		"without a request": {[]string{"tool.execution_start", start, "tool.execution_complete", done}, []string{""}},
		"an edit": {[]string{"tool.execution_start", `{"toolCallId":"c","toolName":"edit","arguments":{"path":"a"}}`,
			"permission.requested", `{"requestId":"r","permissionRequest":{"kind":"write","toolCallId":"c","fileName":"a"}}`,
			"permission.completed", approved, "tool.execution_complete", done}, []string{""}},
	} {
		m := begun(t)
		var got []string
		for _, e := range feed(m, c.pairs...) {
			if e, ok := e.(session.ToolEnded); ok {
				got = append(got, e.Result.Ran)
			}
		}
		if len(got) != len(c.want) || got[0] != c.want[0] || got[len(got)-1] != c.want[len(c.want)-1] {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
