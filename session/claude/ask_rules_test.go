package claude

import (
	"testing"
	"testing/synctest"

	"parley/session"
)

func TestAllowancesOfTheHistory(t *testing.T) {
	past := &session.Transcript{Gen: 4, Title: "Old", Turns: []*session.Turn{{ID: "old", Entries: []session.Entry{&session.Ask{
		Asked: session.Asked{Ask: "a", Kind: session.AskPermission, Permission: &session.PermissionAsk{Tool: "WebFetch",
			Rules: []session.Rule{{Tool: "mcp__x__y", Label: "all calls of mcp__x__y"}}}},
		Settled: true, Settlement: session.Settled{How: session.SettledAnswered,
			Answer: session.Answer{Decision: session.Allow, Scope: session.ScopeSession}},
	}}}}}
	inTurn(t, func(t *testing.T, ch *chat) {
		ch.rt().ask("ask-1", `{"subtype":"can_use_tool","tool_name":"mcp__x__y","tool_use_id":"t1","input":{}}`)
		synctest.Wait()
		if got := ch.rt().replies["ask-1"]; got.Behavior != "allow" {
			t.Errorf("%+v", got)
		}
	}, func(_ *Options, o *session.OpenOptions) { o.History, o.Gen = past, 5 })
}
