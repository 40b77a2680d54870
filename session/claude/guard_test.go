package claude

import (
	"strings"
	"testing"
	"testing/synctest"

	"parley/session"
)

// The question before a tool is answered at once, also between turns and while the user is asked something.
func TestTheQuestionBeforeAToolIsAnswered(t *testing.T) {
	inTurn(t, func(t *testing.T, ch *chat) {
		ch.rt().ask("hook-1", `{"subtype":"hook_callback","callback_id":"before-tool","input":{"tool_name":"Write","tool_input":{"file_path":"/x/.envrc"},"permission_mode":"acceptEdits"}}`)
		ch.rt().ask("hook-2", `{"subtype":"hook_callback","callback_id":"before-tool","input":{"tool_name":"Bash","tool_input":{"command":"ls"},"permission_mode":"default"}}`)
		synctest.Wait()
		if got := string(ch.rt().raw["hook-1"]); !strings.Contains(got, `"permissionDecision":"ask"`) {
			t.Error(got)
		}
		if got := string(ch.rt().raw["hook-2"]); !strings.Contains(got, `"permissionDecision":"ask","permissionDecisionReason":"Asked: `) {
			t.Error(got) // no shell is known here
		}
		if asked := eventsOf[session.Asked](ch); len(asked) > 0 {
			t.Errorf("%+v", asked)
		}
		// The user reads why, and can allow it for this once only.
		ch.rt().ask("ask-1", `{"subtype":"can_use_tool","tool_name":"Write","tool_use_id":"t1","decision_reason":"Hook","input":{"file_path":"/x/.envrc","content":"x"},`+
			`"permission_suggestions":[{"type":"setMode","mode":"acceptEdits","destination":"session"}]}`)
		synctest.Wait()
		asked := eventsOf[session.Asked](ch)
		if len(asked) != 1 || !strings.HasPrefix(asked[0].Permission.Reason, "Always asked: ") || len(asked[0].Permission.Rules) > 0 {
			t.Fatalf("%+v", asked)
		}
		if err := ch.answers("ask-1", session.Answer{Decision: session.Allow, Scope: session.ScopeSession}); err != nil {
			t.Fatal(err)
		}
		if got := string(ch.rt().raw["ask-1"]); strings.Contains(got, "updatedPermissions") {
			t.Error(got)
		}
	})
}
