package login

import (
	"strings"
	"testing"
)

func TestEndpointsMustBeSafe(t *testing.T) {
	for _, tt := range []struct {
		raw        string
		overridden bool
		ok         bool
	}{
		{"https://api.business.githubcopilot.com", false, true},
		{"https://copilot-api.acme.ghe.com/", false, true},
		{"http://api.githubcopilot.com", false, false},
		{"http://api.githubcopilot.com", true, false},
		{"http://127.0.0.1:1", false, false},
		{"http://127.0.0.1:1", true, true},
		{"https://u:p@api.githubcopilot.com", false, false},
		{"https://api.githubcopilot.com?x=1", false, false},
		{"https://api.githubcopilot.com/#x", false, false},
		{"https://", false, false},
		{"api.githubcopilot.com", false, false},
		{"ftp://api.githubcopilot.com", true, false},
		{"https://%zz", false, false},
	} {
		got, err := CheckEndpoint(tt.raw, tt.overridden)
		if (err == nil) != tt.ok {
			t.Errorf("%q, overridden %v: got %q, %v", tt.raw, tt.overridden, got, err)
		}
		if strings.HasSuffix(got, "/") {
			t.Errorf("%q keeps its slash", got)
		}
	}
}
