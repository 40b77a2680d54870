package session

import "testing"

func TestFilledPrompts(t *testing.T) {
	for _, tc := range [][3]string{
		{"Fix it.", "", "Fix it."},
		{"Fix it.", "main.go", "Fix it.\n\nmain.go"},
		{"Fix ${input:file} and ${input:file:which}.", "main.go", "Fix main.go and main.go."},
		{"Fix $ARGUMENTS, not $ARGUMENTSX.", " a $1 b ", "Fix a $1 b, not $ARGUMENTSX."},
		{"Fix ${input:file}", "", "Fix"},
	} {
		if got := (CustomPrompt{Text: tc[0]}).Filled(tc[1]); got != tc[2] {
			t.Errorf("%q with %q: %q", tc[0], tc[1], got)
		}
	}
}

func TestPickModel(t *testing.T) {
	models := []Model{{ID: "claude-haiku-4.5", Name: "Claude Haiku 4.5"}, {ID: "claude-haiku-3", Unusable: "no"}, {ID: "gpt-5.4", Name: "GPT-5.4", Default: true}}
	for _, tc := range []struct {
		agent CustomAgent
		want  string
	}{
		{CustomAgent{}, ""}, {CustomAgent{Model: "inherit"}, ""}, {CustomAgent{Model: "haiku"}, "claude-haiku-4.5"}, {CustomAgent{Model: "opus"}, ""},
		{CustomAgent{Model: "GPT-5.4 (copilot)"}, "gpt-5.4"}, {CustomAgent{Model: "Claude Haiku 4.5 (copilot)"}, "claude-haiku-4.5"},
		{CustomAgent{Model: "claude-haiku-3", Others: []string{"nope", "gpt-5.4"}}, "gpt-5.4"}, {CustomAgent{Model: "claude-haiku-4-5-20251001"}, "claude-haiku-4.5"},
	} {
		if got := tc.agent.PickModel(models); got != tc.want {
			t.Errorf("%+v: %q", tc.agent, got)
		}
	}
}
