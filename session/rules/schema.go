package rules

import (
	"encoding/json"
	"slices"

	"parley/session"
	"parley/session/permission"
)

// Schema returns the JSON schema (draft 2020-12) of the files of the user's rules, for editors.
func Schema() []byte {
	return marshal("parley's permission rules", map[string]any{keyRules: ruleList(rulings)})
}

// PolicySchema returns the JSON schema of the administrator's policy.
func PolicySchema() []byte {
	mode := map[string]any{"enum": session.Modes}
	pin, bypass := map[string]any{"enum": session.Modes}, map[string]any{"const": forbid}
	pin["description"] = "The permission mode of every session; it cannot be changed."
	bypass["description"] = "Forbids the mode that bypasses permissions, everywhere."
	return marshal("parley's policy of an administrator", map[string]any{
		keyModes:  map[string]any{"type": "array", "items": mode, "minItems": 1, "description": "The permission modes that are allowed."},
		keyMode:   pin,
		keyBypass: bypass,
		keyRules:  ruleList(policyRulings),
	})
}

// ruleList returns the schema of the list of rules.
func ruleList(may []permission.Ruling) map[string]any {
	about := map[permission.Ruling]string{
		permission.Allow: "What runs without asking.",
		permission.Ask:   "What is asked about, whatever else allows it.",
		permission.Deny:  "What is refused, in every mode.",
	}
	props := map[string]any{keySince: map[string]any{
		"type": "string", "description": "When the rule was made, such as 2026-11-22 or 2026-11-22T20:15:00Z."}}
	var one []any
	for _, ruling := range may {
		props[string(ruling)] = map[string]any{"type": "string", "pattern": "^(command|edit|read|fetch|mcp|tool) .+$", "description": about[ruling]}
		one = append(one, map[string]any{"required": []string{string(ruling)}})
	}
	return map[string]any{
		"type": []string{"array", "null"}, "description": "The rules. deny comes before ask, and ask before allow.",
		"items": map[string]any{"type": "object", "additionalProperties": false, "properties": props, "oneOf": slices.Clip(one)},
	}
}

func marshal(title string, props map[string]any) []byte {
	b, err := json.MarshalIndent(map[string]any{
		"$schema": "https://json-schema.org/draft/2020-12/schema", "title": title,
		"type": "object", "additionalProperties": false, "properties": props,
	}, "", "  ")
	if err != nil {
		panic(err) // maps of plain values always marshal
	}
	return append(b, '\n')
}
