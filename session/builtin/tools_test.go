package builtin

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
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

// GPT models are held to the schemas that every service can hold them to, others to none, and the bytes stay the same.
func TestStrictTools(t *testing.T) {
	for model, want := range map[string]string{"gpt-5.4": "Write KillShell ExitPlanMode apply_patch", "claude-test": ""} {
		first, again := paramsOf(offered(tools, model, true), model), paramsOf(offered(tools, model, true), model)
		if !reflect.DeepEqual(first, again) {
			t.Errorf("%s: the tools differ from request to request", model)
		}
		var strict []string
		for _, tool := range first {
			if tool.Strict {
				strict = append(strict, tool.Name)
			}
		}
		names := strings.Fields(want)
		slices.Sort(names)
		slices.Sort(strict)
		if !slices.Equal(strict, names) {
			t.Errorf("%s: %v", model, strict)
		}
	}
}
