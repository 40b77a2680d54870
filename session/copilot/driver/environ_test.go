package driver

import (
	"slices"
	"testing"

	"parley/session/proc"
)

func TestEnviron(t *testing.T) {
	got := Environ(Options{Home: "/home", Dir: "/project", APIURL: "http://127.0.0.1:1", GitHubURL: "http://127.0.0.1:2", PassEnv: []string{"GH_TOKEN"},
		Environ: []string{"PATH=/bin", "GH_TOKEN=gho_a", "GITHUB_TOKEN=ghp_b", "COPILOT_GITHUB_TOKEN=c", "COPILOT_SDK_AUTH_TOKEN=d",
			"COPILOT_PROVIDER_BASE_URL=http://x", "COPILOT_PROVIDER_API_KEY=k", "COPILOT_ALLOW_ALL=true", "COPILOT_HMAC_KEY=h",
			"COPILOT_API_URL=http://y", "COPILOT_CACHE_HOME=/cache", "COPILOT_OTEL_ENABLED=1", "OTEL_EXPORTER_OTLP_ENDPOINT=z", "COPILOT_CLI=1",
			"COPILOT_NEW_SWITCH=1", "NODE_OPTIONS=--inspect", "PWD=/old", "COPILOT_HOME=/old", "LANG=C"}})
	want := []string{"PATH=/bin", "GH_TOKEN=gho_a", "COPILOT_CACHE_HOME=/cache", "COPILOT_OTEL_ENABLED=1", "OTEL_EXPORTER_OTLP_ENDPOINT=z", "LANG=C",
		"PWD=/project", "COPILOT_HOME=/home", "COPILOT_API_URL=http://127.0.0.1:1", "COPILOT_DEBUG_GITHUB_API_URL=http://127.0.0.1:2", "COPILOT_DISABLE_KEYTAR=1"}
	if !slices.Equal(got, want) {
		t.Errorf("%q\nwant %q", got, want)
	}
}

func TestEnvironReachesThisMachineDirectly(t *testing.T) {
	for in, want := range map[string]string{"": "127.0.0.1,localhost", "example.com": "example.com,127.0.0.1,localhost", "localhost, 127.0.0.1": "localhost,127.0.0.1", "*": "*"} {
		env := Environ(Options{Environ: []string{"https_proxy=http://proxy", "NO_PROXY=" + in}})
		if proc.Lookup(env, "NO_PROXY") != want || proc.Lookup(env, "no_proxy") != want {
			t.Errorf("%q: %q, %q", in, proc.Lookup(env, "NO_PROXY"), proc.Lookup(env, "no_proxy"))
		}
	}
	if env := Environ(Options{}); proc.Lookup(env, "NO_PROXY") != "" {
		t.Errorf("%q", env)
	}
}
