package mcp

import (
	"encoding/json"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

func TestNewTool(t *testing.T) {
	long := strings.Repeat("x", 100_000)
	var any1 any
	if err := json.Unmarshal([]byte(`{"anyOf":[{"type":"object"}],"properties":{"a":{"type":"string"}}}`), &any1); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		tool   *sdk.Tool
		called string // "" for none
		schema string
	}{
		"plain":            {&sdk.Tool{Name: "list issues", InputSchema: map[string]any{"type": "object"}}, "mcp__my_server__list_issues", `{"properties":{},"type":"object"}`},
		"no schema":        {&sdk.Tool{Name: "a"}, "mcp__my_server__a", `{"properties":{},"type":"object"}`},
		"top-level any":    {&sdk.Tool{Name: "a", InputSchema: any1}, "mcp__my_server__a", `{"properties":{"a":{"type":"string"}},"type":"object"}`},
		"no object":        {&sdk.Tool{Name: "a", InputSchema: map[string]any{"type": "string"}}, "", ""},
		"no schema at all": {&sdk.Tool{Name: "a", InputSchema: "yes"}, "", ""},
		"huge schema":      {&sdk.Tool{Name: "a", InputSchema: map[string]any{"description": long}}, "", ""},
		"no name":          {&sdk.Tool{InputSchema: map[string]any{}}, "", ""},
		"hostile name":     {&sdk.Tool{Name: "a\x1b[2J\n" + long[:100], InputSchema: map[string]any{}}, ("mcp__my_server__a__2J_" + long)[:maxNameLength], `{"properties":{},"type":"object"}`},
	} {
		t.Run(name, func(t *testing.T) {
			got := newTool("my.server", c.tool)
			if got == nil {
				if c.called != "" {
					t.Fatal("none")
				}
				return
			}
			if got.Name != c.called || got.Schema != c.schema || got.Own != c.tool.Name {
				t.Errorf("%+v", got)
			}
		})
	}
	if got := newTool("s", &sdk.Tool{Name: "a", Description: "hi\x1b]0;x\x07" + long}).About; len(got) > maxAbout+5 || strings.ContainsAny(got, "\x1b\x07") {
		t.Errorf("%d bytes", len(got))
	}
}

func TestUniqueNames(t *testing.T) {
	got := unique([]*Tool{{Name: "mcp__a__x"}, {Name: "mcp__a__x"}, {Name: strings.Repeat("y", 64)}, {Name: strings.Repeat("y", 64)}})
	seen := map[string]bool{}
	for _, one := range got {
		if seen[one.Name] || len(one.Name) > maxNameLength {
			t.Errorf("%q", one.Name)
		}
		seen[one.Name] = true
	}
}
