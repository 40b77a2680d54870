package mapper

import "testing"

// TestReasonsOfTheParserAreLeftOut: which node of its syntax tree made the runtime ask tells a user nothing.
func TestReasonsOfTheParserAreLeftOut(t *testing.T) {
	for reason, want := range map[string]string{
		"Contains simple_expansion":                   "",
		"Contains subshell":                           "",
		"Unhandled node type: string_end":             "",
		"Contains control characters":                 "Contains control characters",
		"Path is outside allowed working directories": "Path is outside allowed working directories",
		"This command requires approval":              "This command requires approval",
	} {
		if got := permissionOf(request{Tool: "Bash", Reason: reason}).Reason; got != want {
			t.Errorf("%q is told as %q", reason, got)
		}
	}
}
