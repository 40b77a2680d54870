package sim

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
)

// What only the strict service refuses, each time in words that say why.
func TestStrictRefusesMore(t *testing.T) {
	const user = `"messages":[{"role":"user","content":"hi"}]`
	tools := func(schema string) string {
		return `{"model":"claude-sonnet-4.6","max_tokens":9000,"tools":[{"name":"a","input_schema":` + schema + `}],` + user + `}`
	}
	with := func(fields string) string {
		return `{"model":"claude-sonnet-4.6","max_tokens":9000,` + fields + `,` + user + `}`
	}
	result := func(content, id string) string {
		return `{"model":"claude-sonnet-4.6","max_tokens":9,"messages":[{"role":"user","content":"hi"},{"role":"assistant","content":[` +
			`{"type":"tool_use","id":"` + id + `","name":"a","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"` + id + `","content":[` + content + `]}]}]}`
	}
	const marked = `{"type":"text","text":"x","cache_control":{"type":"ephemeral"}}`
	for _, tt := range []struct{ body, beta, check, words string }{
		{with(`"metadata":{"user_id":"u","x":1}`), "", "metadata", "metadata.x: Extra inputs are not permitted"},
		{tools(`{"$schema":"s","type":"object","properties":{}}`), "", "tool schemas", "input_schema.$schema: Extra inputs"},
		{tools(`{"type":"object"}`), "", "tool schemas", "input_schema.properties: Field required"},
		{with(`"tools":[{"name":"a","defer_loading":true,"cache_control":{"type":"ephemeral"},"input_schema":{"type":"object","properties":{}}}]`), "",
			"deferred marks", "cannot have `cache_control`"},
		{with(`"thinking":{"type":"adaptive","budget_tokens":2000}`), "", "thinking fields", "thinking.adaptive.budget_tokens: Extra inputs"},
		{with(`"thinking":{"type":"adaptive","display":"updates"}`), "", "thinking fields", "Input should be 'summarized' or 'omitted'"},
		{strings.Replace(with(`"stream":true,"thinking":{"type":"enabled","budget_tokens":40000}`), "9000", "64000", 1), "", "thinking fields",
			"less than or equal to 32000"},
		{with(`"thinking":{"type":"adaptive"},"tool_choice":{"type":"any"}`), "", "forced tool", "when tool_choice forces tool use"},
		{with(`"tool_choice":"any"`), "", "forced tool", "tool_choice: Input should be a valid dictionary"},
		{with(`"thinking":{"type":"adaptive"},"top_k":3`), "", "sampling", "`top_k` must be unset"},
		{with(`"thinking":{"type":"adaptive"},"top_p":0.5`), "", "sampling", "`top_p` must be"},
		{with(`"context_management":{"edits":[{"type":"compact_20260112"}]}`), "context-management-2025-06-27", "context edits", "compact_20260112"},
		{with(`"context_management":{"edits":[{"type":"clear_thinking_20251015"}]}`), "context-management-2025-06-27", "context edits", "requires `thinking`"},
		{with(`"context_management":7`), "context-management-2025-06-27", "context edits", "valid dictionary"},
		{result(`{"type":"text","text":" "}`, "t"), "", "nested blocks", "must be non-empty"},
		{result(`{"type":"image","source":{"type":"file","file_id":"f"}}`, "t"), "", "nested blocks", "expected tags: 'base64'"},
		{result(`{"type":"text","text":"x","cache_control":{"type":"ephemeral","scope":"global"}}`, "t"), "", "nested blocks", "scope: Extra inputs"},
		{result(strings.Repeat(marked+",", 4)+marked, "t"), "", "nested blocks", "A maximum of 4 blocks with cache_control may be provided. Found 5."},
		{with(`"system":[{"type":"text","text":"\n"}]`), "", "blank system", "non-whitespace"},
		{strings.Replace(with(`"stream":false`), "9000", "16001", 1), "", "output limit", "exceeds the model limit"},
	} {
		for _, strict := range []bool{false, true} {
			s := start(t, Options{Strict: strict})
			r := request(t, s, http.MethodPost, pathMessages, tt.body)
			r.Header.Set("Anthropic-Beta", tt.beta)
			got := do(t, r)
			status, answer := got.status, unquoted(got.body)
			all := s.Requests()
			refused := all[len(all)-1].Refused
			switch {
			case !strict && status != http.StatusOK:
				t.Errorf("%s: refused although not strict: %d %s", tt.body, status, answer)
			case strict && (status != http.StatusBadRequest || refused != tt.check || !strings.Contains(answer, tt.words)):
				t.Errorf("%s: %d by %q: %s, want %q by %q", tt.body, status, refused, answer, tt.words, tt.check)
			}
		}
	}
}

// unquoted is the message of an error as it was before it was put into JSON.
func unquoted(body string) string {
	var e struct {
		Error struct{ Message string }
	}
	if json.Unmarshal([]byte(body), &e) != nil || e.Error.Message == "" {
		return body
	}
	return e.Error.Message
}
