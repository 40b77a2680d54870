package session

import "testing"

func TestSameModel(t *testing.T) {
	for _, tc := range []struct {
		a, b string
		same bool
	}{
		{"claude-opus-4.6", "claude-opus-4-6", true},
		{"claude-opus-4.6", "claude-opus-4-6-20260115", true},
		{"claude-opus-4.6", "claude-opus-4-6[1m]", true},
		{"claude-opus-4.6", "claude-opus-4.5", false},
		{"claude-opus-4.6", "Claude-Opus-4.6", true},
		{"gpt-5.1", "gpt-5-1", true},
		{"gpt-5.1", "gpt-5", false},
		{"", "", true},
	} {
		if SameModel(tc.a, tc.b) != tc.same {
			t.Errorf("%q and %q: not %v", tc.a, tc.b, tc.same)
		}
	}
}

func TestFindModel(t *testing.T) {
	models := []Model{{ID: "gpt-5.1"}, {ID: "claude-opus-4-6"}, {ID: "claude-opus-4.6", Default: true}}
	for id, want := range map[string]string{
		"": "claude-opus-4.6", "claude-opus-4-6": "claude-opus-4-6", "claude-opus-4.6[1m]": "claude-opus-4-6", "gpt-5-1": "gpt-5.1", "other": "",
	} {
		got := ""
		if m := FindModel(models, id); m != nil {
			got = m.ID
		}
		if got != want {
			t.Errorf("%q: %q, want %q", id, got, want)
		}
	}
	if m := FindModel(models[:1], ""); m != nil {
		t.Errorf("a default model that is not listed: %+v", m)
	}
}
