package sim

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// strictChecks refuse what only some backends of the service refuse, or what only unusual clients send. They run after
// the others; see [Options.Strict].
var strictChecks = []check{
	{"metadata", checkMetadata},
	{"tool schemas", checkToolSchemas},
	{"deferred marks", checkDeferredMarks},
	{"thinking fields", checkThinkingFields},
	{"forced tool", checkForcedTool},
	{"sampling", checkSampling},
	{"context edits", checkContextEdits},
	{"nested blocks", checkNested},
	{"result ids", checkResultIDs},
	{"reasoning marks", checkReasoningMarks},
	{"blank system", checkBlankSystem},
	{"output limit", checkWholeOutput},
}

func checkMetadata(c *checked) *problem {
	return extraIn("metadata", c.body.Raw["metadata"], []string{"user_id"})
}

// checkToolSchemas requires plain schemas of objects.
func checkToolSchemas(c *checked) *problem {
	for i, t := range c.body.Tools {
		var schema map[string]json.RawMessage
		if t.Type != "" && t.Type != "custom" || json.Unmarshal(t.Raw["input_schema"], &schema) != nil {
			continue
		}
		path := fmt.Sprintf("tools.%d.custom.input_schema.", i)
		if _, ok := schema["$schema"]; ok {
			return extraInput(path + "$schema")
		}
		if raw := schema["properties"]; len(raw) == 0 || raw[0] != '{' {
			return badRequest(path + "properties: Field required")
		}
	}
	return nil
}

func checkDeferredMarks(c *checked) *problem {
	for i, t := range c.body.Tools {
		if string(t.Raw["defer_loading"]) == "true" && len(t.Cache) > 0 {
			return badRequest(fmt.Sprintf("tools.%d.custom: Tools with `defer_loading` cannot have `cache_control`", i))
		}
	}
	return nil
}

// checkThinkingFields checks the fields of a kind of thinking besides its type.
func checkThinkingFields(c *checked) *problem {
	t := c.body.Thinking
	if t == nil {
		return nil
	}
	known := map[string][]string{"enabled": {"type", "budget_tokens", "display"}, "adaptive": {"type", "display"},
		"disabled": {"type"}}[t.Type]
	path := "thinking." + t.Type
	if p := extraIn(path, c.body.Raw["thinking"], known); p != nil {
		return p
	}
	if t.Display != "" && t.Display != "summarized" && t.Display != "omitted" {
		return badRequest(path + ".display: Input should be 'summarized' or 'omitted'")
	}
	if t.Type == "enabled" && c.model.MaxBudget > 0 && t.Budget > c.model.MaxBudget {
		return badRequest(fmt.Sprintf("%s.budget_tokens: Input should be less than or equal to %d", path, c.model.MaxBudget))
	}
	return nil
}

func (c *checked) thinks() bool {
	t := c.body.Thinking
	return t != nil && (t.Type == "enabled" || t.Type == "adaptive")
}

func checkForcedTool(c *checked) *problem {
	var choice struct {
		Type string `json:"type"`
	}
	if raw, ok := c.body.Raw["tool_choice"]; ok && json.Unmarshal(raw, &choice) != nil {
		return badRequest("tool_choice: Input should be a valid dictionary or object to extract fields from")
	}
	if c.thinks() && (choice.Type == "any" || choice.Type == "tool") {
		return badRequest("Thinking may not be enabled when tool_choice forces tool use.")
	}
	return nil
}

func checkSampling(c *checked) *problem {
	if !c.thinks() {
		return nil
	}
	var p float64
	if raw, ok := c.body.Raw["top_k"]; ok && string(raw) != "null" {
		return badRequest("`top_k` must be unset when thinking is enabled or in adaptive mode.")
	}
	if raw, ok := c.body.Raw["top_p"]; ok && json.Unmarshal(raw, &p) == nil && string(raw) != "null" && p < 0.95 {
		return badRequest("`top_p` must be greater than or equal to 0.95 or unset when thinking is enabled or in adaptive mode.")
	}
	return nil
}

// checkContextEdits requires the beta of every edit, and thinking if thinking is to be cleared.
func checkContextEdits(c *checked) *problem {
	var field struct {
		Edits []struct {
			Type string `json:"type"`
		} `json:"edits"`
	}
	if raw, ok := c.body.Raw["context_management"]; ok && json.Unmarshal(raw, &field) != nil {
		return badRequest("context_management: Input should be a valid dictionary or object to extract fields from")
	}
	for i, e := range field.Edits {
		family := "context-management"
		if strings.HasPrefix(e.Type, "compact_") {
			family = "compact"
		}
		if !c.hasBeta(family) {
			return badRequest(fmt.Sprintf("context_management.edits.%d: Input tag '%s' found using 'type' does not match any "+
				"of the expected tags", i, e.Type))
		}
		if strings.HasPrefix(e.Type, "clear_thinking_") && !c.thinks() {
			return badRequest(fmt.Sprintf("context_management.edits.%d: `%s` strategy requires `thinking` to be enabled or "+
				"adaptive", i, e.Type))
		}
	}
	return nil
}

// checkNested checks the blocks within tool results like the others.
func checkNested(c *checked) *problem {
	marks := len(c.marks())
	for i, m := range c.body.Messages {
		for j, outer := range m.Blocks {
			for k, blk := range outer.Content {
				path := fmt.Sprintf("messages.%d.content.%d.%s.content.%d.%s", i, j, outer.Type, k, blk.Type)
				if blk.Type == "text" && strings.TrimSpace(blk.Text) == "" {
					return badRequest("messages: text content blocks must be non-empty")
				}
				if len(blk.Cache) > 0 && string(blk.Cache) != "null" {
					marks++
				}
				if p := extraIn(path+".cache_control.ephemeral", blk.Cache, cacheFields); p != nil {
					return p
				}
			}
			for k, blk := range append(outer.Content[:len(outer.Content):len(outer.Content)], outer) {
				if blk.Type == "image" && (blk.Source == nil || blk.Source.Type != "base64") {
					return badRequest(fmt.Sprintf("messages.%d.content.%d.%d.image.source: Input tag found using 'type' does not "+
						"match any of the expected tags: 'base64'", i, j, k))
				}
			}
		}
	}
	if marks > maxMarks {
		return tooManyMarks(marks)
	}
	return nil
}

func checkResultIDs(c *checked) *problem {
	for i, m := range c.body.Messages {
		for j, blk := range m.Blocks {
			if blk.Type == "tool_result" && !toolID.MatchString(blk.ToolUseID) {
				return badRequest(fmt.Sprintf("messages.%d.content.%d.tool_result.tool_use_id: String should match pattern "+
					"'^[a-zA-Z0-9_-]+$'", i, j))
			}
		}
	}
	return nil
}

func checkReasoningMarks(c *checked) *problem {
	for _, m := range c.marks() {
		if slices.Contains([]string{"thinking", "redacted_thinking"}, m.path[strings.LastIndexByte(m.path, '.')+1:]) {
			return extraInput(m.path + ".cache_control")
		}
	}
	return nil
}

func checkBlankSystem(c *checked) *problem {
	for _, blk := range c.body.System {
		if strings.TrimSpace(blk.Text) == "" {
			return badRequest("system: text content blocks must contain non-whitespace text")
		}
	}
	return nil
}

// wholeOutput bounds an answer that is not streamed, in tokens.
const wholeOutput = 16000

func checkWholeOutput(c *checked) *problem {
	if !c.body.Stream && *orZero(c.body.MaxTokens) > wholeOutput {
		return refusal("invalid_request_body", "max_tokens", "maximum tokens you requested exceeds the model limit")
	}
	return nil
}
