package mapper

import "testing"

func TestListSpelling(t *testing.T) {
	for id, want := range map[string]string{"claude-sonnet-4-6": "claude-sonnet-4.6", "claude-haiku-4-5-20251001": "claude-haiku-4.5",
		"claude-opus-4-8[1m]": "claude-opus-4.8", "claude-sonnet-5": "claude-sonnet-5", "claude-opus-4-20250514": "claude-opus-4",
		"claude-sonnet-4.6": "claude-sonnet-4.6", "gpt-5-4": "gpt-5-4", "": ""} {
		if got := ListedModel(id); got != want {
			t.Errorf("%q is spelled %q, want %q", id, got, want)
		}
	}
}
