package builtin

import (
	"encoding/json"
	"testing"

	"parley/session/toolview"
)

type obj = map[string]any

func TestSchemasAreJSON(t *testing.T) {
	for _, tool := range tools {
		var s struct {
			Type       string         `json:"type"`
			Properties map[string]any `json:"properties"`
			Required   []string       `json:"required"`
		}
		if err := json.Unmarshal([]byte(tool.Schema), &s); err != nil || s.Type != "object" {
			t.Errorf("%s: %v", tool.Name, err)
		}
		for _, r := range s.Required {
			if s.Properties[r] == nil {
				t.Errorf("%s requires %s, which it does not have", tool.Name, r)
			}
		}
		if d := toolview.Describe(tool.Name, nil, ""); d.Kind != tool.Kind {
			t.Errorf("%s is shown as %s and decided on as %s", tool.Name, d.Kind, tool.Kind)
		}
	}
}
