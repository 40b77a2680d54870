package proxy

import (
	"strings"
	"testing"
)

func TestModelIDs(t *testing.T) {
	tests := []struct{ in, endpoint, sdk string }{ // empty: refused
		{"claude-sonnet-4-5-20250929", "claude-sonnet-4.5", "claude-sonnet-4-5"},
		{"claude-opus-4.6", "claude-opus-4.6", "claude-opus-4-6"},
		{"claude-opus-4-6", "claude-opus-4.6", "claude-opus-4-6"},
		{"Claude-Opus-4.6", "claude-opus-4.6", "claude-opus-4-6"},
		{"claude-3-5-sonnet-20241022", "claude-sonnet-3.5", "claude-sonnet-3-5"},
		{"claude-3-5-sonnet", "claude-sonnet-3.5", "claude-sonnet-3-5"},
		{"claude-sonnet-4-20250514", "claude-sonnet-4", "claude-sonnet-4"},
		{"claude-sonnet-4", "claude-sonnet-4", "claude-sonnet-4"},
		{"claude-3-opus", "claude-opus-3", "claude-opus-3"},
		{"claude-3-opus-20240229", "claude-opus-3", "claude-opus-3"},
		{"claude-fable-5", "claude-fable-5", "claude-fable-5"},
		{"claude-haiku-4-5-20251001", "claude-haiku-4.5", "claude-haiku-4-5"},
		{"claude-opus-4-6[1m]", "claude-opus-4.6", "claude-opus-4-6[1m]"},
		{"claude-opus-4-6-20260101[1m]", "claude-opus-4.6", "claude-opus-4-6[1m]"},
		{"claude-sonnet-4-5[2m]", "claude-sonnet-4.5", "claude-sonnet-4-5[2m]"},
		{"claude-opus-4.6-1m", "claude-opus-4.6-1m", "claude-opus-4-6-1m"},
		{"claude-opus-4-6-1m", "claude-opus-4.6-1m", "claude-opus-4-6-1m"},
		{"claude-opus-5-1m", "claude-opus-5-1m", "claude-opus-5-1m"},
		{"@provider=copilot:claude-opus-4.6", "claude-opus-4.6", "claude-opus-4-6"},
		{"@provider=copilot:claude-opus-4-6%5B1m%5D", "claude-opus-4.6", "claude-opus-4-6[1m]"},
		{"auto", "auto", "auto"},
		{"sonnet", "sonnet", "sonnet"},
		{"o3", "o3", "o3"},

		{"", "", ""},
		{"gpt-4o", "", ""},
		{"auto-x", "", ""},
		{"auto[1m]", "", ""},
		{"claude", "claude", "claude"},
		{"claude-", "", ""},
		{"claude-sonnet", "", ""},
		{"claude-4", "", ""},
		{"claude-4-5", "", ""},
		{"claude-sonnet-20250514", "", ""},
		{"claude-sonnet-4.6-1m", "", ""},
		{"claude-opus-4.8-fast", "", ""},
		{"claude-opus-4.7-1m-internal", "", ""},
		{"claude-3-5-sonnet-latest", "", ""},
		{"claude-3.5-sonnet", "", ""},
		{"claude-opus-4.", "", ""},
		{"claude-opus-.6", "", ""},
		{"claude-opus-4.6.1", "", ""},
		{"claude-opus-4.6[3m]", "", ""},
		{"claude--4", "", ""},
		{"claude-opus-4/../..", "", ""},
		{"4o", "", ""},
		{"@provider=copilot", "", ""},
		{"@provider=copilot:%zz", "", ""},
	}
	for _, test := range tests {
		id, ok := parseModelID(test.in)
		if ok != (test.endpoint != "") {
			t.Errorf("parse %q: ok %v", test.in, ok)
			continue
		}
		if !ok {
			if got := sdkModelID(test.in); got != test.in {
				t.Errorf("sdkModelID(%q) = %q, want it unchanged", test.in, got)
			}
			continue
		}
		if got := id.endpoint(); got != test.endpoint {
			t.Errorf("endpoint of %q = %q, want %q", test.in, got, test.endpoint)
		}
		if got := id.sdk(); got != test.sdk {
			t.Errorf("sdk form of %q = %q, want %q", test.in, got, test.sdk)
		}
	}
}

// Whatever can be read is the same model in either spelling, and spelling it again changes nothing.
func FuzzModelIDs(f *testing.F) {
	for _, s := range []string{"claude-opus-4-6[1m]", "claude-3-5-sonnet-20241022", "claude-opus-4.6-1m", "auto",
		"@provider=x:claude-opus-4%2E6", "claude-opus-4-6-1m-1m", "claude-1-1-a", "claude-a-1-00000000"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		id, ok := parseModelID(s)
		if !ok {
			return
		}
		for _, spelled := range []string{id.endpoint(), id.sdk()} {
			again, ok := parseModelID(spelled)
			if !ok {
				t.Fatalf("%q was spelled %q, which cannot be read", s, spelled)
			}
			if again.endpoint() != id.endpoint() {
				t.Fatalf("%q: endpoint form %q, but of %q it is %q", s, id.endpoint(), spelled, again.endpoint())
			}
		}
		if again, _ := parseModelID(id.sdk()); again != id {
			t.Fatalf("%q: %+v came back as %+v", s, id, again)
		}
		if strings.ContainsAny(id.endpoint(), "[]@%/\" \n") {
			t.Fatalf("%q: endpoint form %q", s, id.endpoint())
		}
	})
}
