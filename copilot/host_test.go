package copilot

import (
	"errors"
	"strings"
	"testing"

	"parley/copilot/login"
)

func TestHosts(t *testing.T) {
	for _, tt := range []struct{ host, normal, rest, endpoint string }{
		{"", "github.com", "https://api.github.com", "https://api.githubcopilot.com"},
		{"GitHub.com", "github.com", "https://api.github.com", "https://api.githubcopilot.com"},
		{"api.github.com", "github.com", "https://api.github.com", "https://api.githubcopilot.com"},
		{"acme.ghe.com", "acme.ghe.com", "https://api.acme.ghe.com", "https://copilot-api.acme.ghe.com"},
		{"api.acme.ghe.com", "acme.ghe.com", "https://api.acme.ghe.com", "https://copilot-api.acme.ghe.com"},
		{"copilot-api.acme.ghe.com", "acme.ghe.com", "https://api.acme.ghe.com", "https://copilot-api.acme.ghe.com"},
		{"git.corp.example", "git.corp.example", "https://git.corp.example/api/v3",
			"https://api.enterprise.githubcopilot.com"},
		{"git.corp.example:8443", "git.corp.example:8443", "https://git.corp.example:8443/api/v3",
			"https://api.enterprise.githubcopilot.com"},
		{"ghe.com.evil.example", "ghe.com.evil.example", "https://ghe.com.evil.example/api/v3",
			"https://api.enterprise.githubcopilot.com"},
	} {
		h, err := describeHost(tt.host)
		if err != nil {
			t.Errorf("%q: %v", tt.host, err)
			continue
		}
		if h.name != tt.normal || h.rest != tt.rest || h.endpoint != tt.endpoint {
			t.Errorf("%q: got %+v", tt.host, h)
		}
	}
	for _, bad := range []string{"https://github.com", "user@github.com", "github.com/x", "a b", "x?y", "#", ":80", "ghe.com"} {
		if h, err := describeHost(bad); err == nil {
			t.Errorf("%q was taken as %+v", bad, h)
		}
	}
}

func TestOverridesAreLoopbackOnly(t *testing.T) {
	for raw, want := range map[string]string{
		"":                          "",
		"http://127.0.0.1:8080":     "http://127.0.0.1:8080",
		"http://127.8.9.10:1/":      "http://127.8.9.10:1",
		"https://localhost:8443/x/": "https://localhost:8443/x",
		"http://[::1]:80":           "http://[::1]:80",
		"http://LOCALHOST":          "http://LOCALHOST",
	} {
		if got, err := login.ParseOverride("GitHubAPIURL", raw); err != nil || got != want {
			t.Errorf("%q: got %q, %v", raw, got, err)
		}
	}
	for _, raw := range []string{
		"https://api.github.com", "http://10.0.0.1", "http://0.0.0.0:80", "http://[::]:80", "ftp://127.0.0.1", "127.0.0.1:80",
		"localhost", "http://", "http://127.0.0.1.evil.example", "http://localhost.evil.example", "http://2130706433",
		"http://127.0.0.1@evil.example", "http://me:secret@127.0.0.1", "http://127.0.0.1/?q", "http://127.0.0.1?",
		"http://127.0.0.1/#f", "http://%zz", "//127.0.0.1",
	} {
		for _, set := range []func(*Options){
			func(o *Options) { o.GitHubAPIURL = raw }, func(o *Options) { o.CopilotAPIURL = raw },
		} {
			o := Options{Credential: login.Credential{Token: login.NewSecret(testToken)}}
			set(&o)
			c, err := New(o)
			oe, ok := errors.AsType[*login.OverrideError](err)
			if c != nil || !ok {
				t.Errorf("%q was accepted: %v", raw, err)
				continue
			}
			if strings.Contains(oe.Error(), "secret") {
				t.Errorf("the password is in %q", oe.Error())
			}
		}
	}
}
