package proc

import (
	"runtime"
	"slices"
	"strings"
	"testing"
)

func TestAgentEnvironLeavesTokensOut(t *testing.T) {
	long := "0123456789abcdefghijABCDEFGHIJ"
	secrets := []string{
		"COPILOT_GITHUB_TOKEN=opaque-copilot", "GH_TOKEN=opaque-gh", "GITHUB_TOKEN=x", "GH_ENTERPRISE_TOKEN=x", "GITHUB_ENTERPRISE_TOKEN=x",
		"github_token=lower", "GITHUB_PERSONAL_ACCESS_TOKEN=x", "GITHUB_PAT=x", "GITHUB_COPILOT_API_TOKEN=x", "HOMEBREW_GITHUB_API_TOKEN=x",
		"INPUT_GITHUB-TOKEN=x", "ACTIONS_RUNTIME_TOKEN=x", "ACTIONS_ID_TOKEN_REQUEST_TOKEN=x", "GITHUB_APP_CLIENT_SECRET=x",
		"PARLEY_PROXY_BEARER_FILES=/b", "PARLEY_SECRET=x",
		"COPY_OF_IT=opaque-copilot", "ANOTHER=opaque-gh",
		"MINE=ghp_" + long, "OAUTH=gho_" + long, "FINE=github_pat_" + long, "URL=https://u:ghs_" + long + "@github.com/x",
	}
	harmless := []string{
		"PATH=/usr/bin:/home/ghost_hunters/bin", "HOME=/home/u", "GH_CONFIG_DIR=/c", "GH_HOST=github.com", "GITHUB_WORKSPACE=/w", "GITHUB_PATH=/p",
		"NPM_TOKEN=npm_x", "OPENAI_API_KEY=sk-x", "PARLEY_UI_KEYS=vim", "TOKENS=x", "NOTE=high_resolution_pictures_of_ghosts", "EMPTY=", "GITHUB_ACTOR=x", "noise",
	}
	all := slices.Concat(secrets, harmless)
	if got := AgentEnviron(all, nil); !slices.Equal(got, harmless) {
		t.Errorf("passed %q\nwant   %q", got, harmless)
	}
	if all[0] != "COPILOT_GITHUB_TOKEN=opaque-copilot" {
		t.Error("changed what it was given")
	}
	// Everything that is named passes, in its place, but for the one variable that never does.
	var names []string
	for _, kv := range secrets {
		name, _, _ := strings.Cut(kv, "=")
		names = append(names, name)
	}
	if got := AgentEnviron(all, names); !slices.Equal(got, all[1:]) {
		t.Errorf("passed %q", got)
	}
	if got := AgentEnviron([]string{"GH_TOKEN=a", "GITHUB_TOKEN=b"}, []string{"GITHUB_TOKEN"}); !slices.Equal(got, []string{"GITHUB_TOKEN=b"}) {
		t.Errorf("passed %q", got)
	}
}

// A token variable with a short value does not remove other variables with that value.
func TestAgentEnvironKeepsValuesLikeShortOnes(t *testing.T) {
	if got := AgentEnviron([]string{"GH_TOKEN=1", "DEBUG_LEVEL=1"}, nil); !slices.Equal(got, []string{"DEBUG_LEVEL=1"}) {
		t.Errorf("passed %q", got)
	}
}

// The last of several entries counts. Windows knows no case of names, and where it has no HOME, the profile is it.
func TestLookup(t *testing.T) {
	environ := []string{"A=1", "Path=one", "A=2", `USERPROFILE=C:\Users\ada`, "=C:=C:\\"}
	want := map[string]string{"A": "2", "Path": "one", "PATH": "", "HOME": "", "NONE": ""}
	if runtime.GOOS == "windows" {
		want["PATH"], want["HOME"] = "one", `C:\Users\ada`
	}
	for name, value := range want {
		if got := Lookup(environ, name); got != value {
			t.Errorf("%s: %q, not %q", name, got, value)
		}
	}
	if got := Lookup(append(environ, "HOME=/home/ada"), "HOME"); got != "/home/ada" {
		t.Errorf("HOME: %q", got)
	}
}
