package chat

import (
	"testing"

	"parley/session"
)

// How full the window is can be said also of a session that another program held, which says nothing of the window and
// spells the model its own way.
func TestContextOfAModelByItsSpelling(t *testing.T) {
	models := []session.Model{{ID: "claude-sonnet-4.6", ContextWindow: 200}, {ID: "gpt-1", ContextWindow: 100, Default: true}}
	for _, tc := range []struct {
		model  string
		told   session.ContextState
		window int64
	}{
		{"claude-sonnet-4.6", session.ContextState{Used: 5}, 200},
		{"claude-sonnet-4-6", session.ContextState{Used: 5}, 200},
		{"claude-sonnet-4-6-20250929", session.ContextState{Used: 5}, 200},
		{"claude-sonnet-4-5", session.ContextState{Used: 5}, 0},
		{"", session.ContextState{Used: 5}, 100},
		{"gpt-1", session.ContextState{Used: 5, Window: 50}, 50},
	} {
		told := &session.Transcript{}
		told.Context, told.Settings.Model = tc.told, tc.model
		if got := ContextOf(told, models); got.Used != 5 || got.Window != tc.window {
			t.Errorf("%s: %+v", tc.model, got)
		}
	}
}
