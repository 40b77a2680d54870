package role

import "testing"

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
