package cloud

import (
	"strings"
	"testing"

	"parley/copilot/login"
)

func TestMissing(t *testing.T) {
	for _, tt := range []struct{ host, token, want string }{
		{"github.com", "gho_x", ""},
		{"github.com", "ghu_x", ""},
		{"acme.ghe.com", "gho_x", ""},
		{"github.com", "", ""},
		{"github.acme.example", "gho_x", "github.acme.example has no cloud agent"},
		{"github.acme.example", "", "github.acme.example has no cloud agent"},
		{"github.com", "github_pat_x", "not to the token from GH_TOKEN; run `gh auth login`"},
		{"github.com", "ghs_x", "not to the token from GH_TOKEN"},
		{"github.com", "something", "not to the token from GH_TOKEN"},
	} {
		c := login.Credential{Host: tt.host, Source: "GH_TOKEN"}
		if tt.token != "" {
			c.Token = login.NewSecret(tt.token)
		}
		if got := Missing(c); got != tt.want && (tt.want == "" || !strings.Contains(got, tt.want)) {
			t.Errorf("%s with %q: %q", tt.host, tt.token, got)
		}
	}
}
