package role

import (
	"testing"

	"parley/session"
	"parley/session/builtin/tool"
)

// TestRolesHaveOtherNames finds a kind of agent by the names that models know from other agents.
func TestRolesHaveOtherNames(t *testing.T) {
	for name, want := range map[string]string{"": "general", "general": "general", "general-purpose": "general", "Explore": "explore", "explore": "explore", "plan": ""} {
		got := ""
		if r := Find(t.Context(), nil, "").Named(name); r != nil {
			got = r.Name
		}
		if got != want {
			t.Errorf("%q is %q", name, got)
		}
	}
}

// Tools that are private are not for agents of limited tools, even where their lists name them.
func TestPrivateToolsAreWithheld(t *testing.T) {
	search := &tool.Tool{Name: "session_search", Private: true}
	for _, tc := range []struct {
		a    session.CustomAgent
		want bool
	}{{session.CustomAgent{}, true}, {session.CustomAgent{Tools: []string{"session_search"}}, false}, {session.CustomAgent{Denied: []string{"session_search"}}, false}} {
		if got := Held(tc.a).Fits(search); got != tc.want {
			t.Errorf("%+v: %v", tc.a, got)
		}
	}
}
