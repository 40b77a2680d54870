package sim

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"parley/copilot/sim/seal"
)

// with returns a valid request with fields replaced, or removed where the value is nil.
func with(fields map[string]any) string {
	b := map[string]any{"model": "claude-sonnet-5", "max_tokens": 1000, "stream": true,
		"messages": []any{map[string]any{"role": "user", "content": "hi"}}}
	for k, v := range fields {
		if v == nil {
			delete(b, k)
		} else {
			b[k] = v
		}
	}
	return string(mustJSON(b))
}

type m = map[string]any
type l = []any

func user(content any) any      { return m{"role": "user", "content": content} }
func assistant(content any) any { return m{"role": "assistant", "content": content} }
func use(id string) any         { return m{"type": "tool_use", "id": id, "name": "Read", "input": m{}} }
func result(id string) any      { return m{"type": "tool_result", "tool_use_id": id, "content": "x"} }
func words(text string) any     { return m{"type": "text", "text": text} }
func messages(list ...any) string {
	return with(m{"messages": list})
}
func marked(text string) any {
	return m{"type": "text", "text": text, "cache_control": m{"type": "ephemeral"}}
}
func thought(text, signature string) any {
	return m{"type": "thinking", "thinking": text, "signature": signature}
}
func tool(name string) m {
	return m{"name": name, "input_schema": m{"type": "object", "properties": m{}}}
}

func manyTools(n int) l {
	var out l
	for i := range n {
		out = append(out, tool(fmt.Sprintf("t%d", i)))
	}
	return out
}

func TestRefusals(t *testing.T) {
	extraTool := tool("a")
	extraTool["eager_input_streaming"] = true
	tests := []struct {
		name  string
		body  string
		beta  string
		check string // that refused
		want  string // part of the answer
	}{
		{"not JSON", "{", "", "json", "invalid_request_body"},
		{"no model", with(m{"model": nil}), "", "model", "model: Field required"},
		{"model of another type", with(m{"model": 3}), "", "shape", "model: Input should be a valid string"},
		{"unknown model", with(m{"model": "claude-opus-9"}), "", "model", "model_not_supported"},
		{"dashed model", with(m{"model": "claude-opus-4-6"}), "", "model", "The requested model is not supported."},
		{"a model whose terms are open", with(m{"model": "claude-opus-4.7"}), "", "model", "model_not_supported"},
		{"auto", with(m{"model": "auto"}), "", "model", "model_not_supported"},
		{"no messages endpoint", with(m{"model": "gpt-5.4"}), "", "endpoint", "unsupported_api_for_model"},
		{"embedding model", with(m{"model": "text-embedding-3-small"}), "", "endpoint", "unsupported_api_for_model"},
		{"unknown beta", with(nil), "claude-code-20250219", "betas", "Unexpected value(s) `claude-code-20250219`"},
		{"unknown among known", with(nil), "interleaved-thinking-2025-05-14,effort-2025-11-24", "betas", "effort-2025-11-24"},
		{"no max_tokens", with(m{"max_tokens": nil}), "", "required fields", "max_tokens: Field required"},
		{"no messages", with(m{"messages": nil}), "", "required fields", "messages: Field required"},
		{"empty messages", with(m{"messages": l{}}), "", "required fields", "at least one message"},
		{"messages no list", with(m{"messages": "hi"}), "", "shape", "messages: Input should be a valid list"},
		{"content missing", messages(m{"role": "user"}), "", "shape", "messages.0.content: Field required"},
		{"unknown field", with(m{"foo": 1}), "", "extra fields", "foo: Extra inputs are not permitted"},
		{"inference_geo", with(m{"inference_geo": "us"}), "", "extra fields", "inference_geo: Extra inputs"},
		{"top-level cache_control", with(m{"cache_control": m{"type": "ephemeral"}}), "", "extra fields", "cache_control: Extra inputs"},
		{"context_management without beta", with(m{"context_management": m{}}), "", "extra fields", "context_management: Extra inputs"},
		{"unknown output field", with(m{"output_config": m{"x": 1}}), "", "extra fields", "output_config.x: Extra inputs"},
		{"field in a message", messages(m{"role": "user", "content": "hi", "output_config": m{}}), "", "extra fields", "messages.0.output_config: Extra inputs"},
		{"cache scope", with(m{"system": l{m{"type": "text", "text": "s", "cache_control": m{"type": "ephemeral", "scope": "global"}}}}), "", "extra fields", "scope: Extra inputs"},
		{"129 tools", with(m{"tools": manyTools(129)}), "", "tool count", "Bad Request"},
		{"web search", with(m{"tools": l{m{"type": "web_search_20250305", "name": "web_search"}}}), "", "server tools", "unsupported_value"},
		{"eager tool", with(m{"tools": l{extraTool}}), "", "tools", "tools.0.custom.eager_input_streaming: Extra inputs"},
		{"tool name", with(m{"tools": l{tool("a b")}}), "", "tools", "tools.0.custom.name"},
		{"tool twice", with(m{"tools": l{tool("a"), tool("a")}}), "", "tools", "unique"},
		{"tool without schema", with(m{"tools": l{m{"name": "a"}}}), "", "tools", "tools.0.custom.input_schema: Field required"},
		{"tool schema type", with(m{"tools": l{m{"name": "a", "input_schema": m{}}}}), "", "tools", "input_schema.type"},
		{"effort not listed", with(m{"model": "claude-opus-4.6", "output_config": m{"effort": "xhigh"}}), "", "effort", "invalid_reasoning_effort"},
		{"effort of a model without", with(m{"model": "claude-haiku-4.5", "output_config": m{"effort": "low"}}), "", "effort", "invalid_reasoning_effort"},
		{"max_tokens too large", with(m{"max_tokens": 64001}), "", "max_tokens", "max_tokens: 64001 > 64000"},
		{"max_tokens zero", with(m{"max_tokens": 0}), "", "max_tokens", "greater than or equal to 1"},
		{"manual thinking", with(m{"thinking": m{"type": "enabled", "budget_tokens": 1024}, "max_tokens": 2000}), "", "thinking", "thinking.type.enabled"},
		{"adaptive on haiku", with(m{"model": "claude-haiku-4.5", "thinking": m{"type": "adaptive"}}), "", "thinking", "adaptive thinking is not supported"},
		{"small budget", with(m{"model": "claude-haiku-4.5", "thinking": m{"type": "enabled", "budget_tokens": 3}}), "", "thinking", "greater than or equal to 1024"},
		{"budget over max_tokens", with(m{"model": "claude-haiku-4.5", "thinking": m{"type": "enabled", "budget_tokens": 2000}}), "", "thinking", "must be greater than `thinking.budget_tokens`"},
		{"unknown thinking", with(m{"thinking": m{"type": "deep"}}), "", "thinking", "Input tag 'deep'"},
		{"temperature while thinking", with(m{"thinking": m{"type": "adaptive"}, "temperature": 0.5}), "", "thinking", "temperature"},
		{"system role", messages(m{"role": "system", "content": "s"}, user("hi")), "", "roles", "messages.0.role: Input should be 'user' or 'assistant'"},
		{"no role", messages(m{"content": "s"}), "", "roles", "messages.0.role: Field required"},
		{"assistant first", messages(assistant("hi"), user("hi")), "", "roles", "first message must use"},
		{"empty text", messages(user(l{words("")})), "", "blocks", "text content blocks must be non-empty"},
		{"empty string", messages(user("")), "", "blocks", "messages.0"},
		{"only spaces", messages(user(l{words(" \n")})), "", "blocks", "non-whitespace"},
		{"no blocks", messages(user(l{})), "", "blocks", "non-empty content"},
		{"tool_use by the user", messages(user(l{use("a")})), "", "blocks", "tool_use"},
		{"tool id", messages(user("hi"), assistant(l{use("a.b")}), user(l{result("a.b")})), "", "blocks", "tool_use.id: String should match"},
		{"tool input null", messages(user("hi"), assistant(l{m{"type": "tool_use", "id": "a", "name": "b", "input": nil}}), user(l{result("a")})), "", "blocks", "tool_use.input"},
		{"empty system block", with(m{"system": ""}), "", "blocks", "system: text content blocks"},
		{"image by URL", messages(user(l{m{"type": "image", "source": m{"type": "url", "url": "http://x/y.png"}}})), "", "images", "external image URLs"},
		{"image by URL in a result", messages(user("hi"), assistant(l{use("a")}), user(l{m{"type": "tool_result", "tool_use_id": "a", "content": l{m{"type": "image", "source": m{"type": "url", "url": "x"}}}}})), "", "images", "external image URLs"},
		{"call without result", messages(user("hi"), assistant(l{use("a"), use("b")}), user(l{result("a")})), "", "tool pairing", "messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: b."},
		{"result too late", messages(user("hi"), assistant(l{use("a")}), user("no"), assistant("ok"), user(l{result("a")})), "", "tool pairing", "without `tool_result`"},
		{"result without call", messages(user(l{result("a")})), "", "tool pairing", "messages.0.content.0: unexpected `tool_use_id` found in `tool_result` blocks: a."},
		{"result of another message", messages(user("hi"), assistant("x"), user(l{result("a")})), "", "tool pairing", "unexpected `tool_use_id`"},
		{"two results", messages(user("hi"), assistant(l{use("a")}), user(l{result("a"), result("a")})), "", "tool pairing", "single result"},
		{"call twice", messages(user("hi"), assistant(l{use("a")}), user(l{result("a")}), assistant(l{use("a")}), user(l{result("a")})), "", "tool pairing", "must be unique"},
		{"reasoning changed", messages(user("hi"), assistant(l{thought("changed", seal.Sign("thought")), words("x")}), user("go")), "", "signatures", "messages.1.content.0: Invalid `signature` in `thinking` block"},
		{"reasoning unsigned", messages(user("hi"), assistant(l{thought("thought", ""), words("x")}), user("go")), "", "signatures", "Invalid `signature`"},
		{"five cache marks", messages(user(l{marked("1"), marked("2"), marked("3"), marked("4"), marked("5")})), "", "cache marks", "Found 5."},
		{"prefill", messages(user("hi"), assistant("I")), "", "prefill", "does not support assistant message prefill"},
		{"prefill with a space", with(m{"model": "claude-haiku-4.5", "messages": l{user("hi"), assistant("I ")}}), "", "prefill", "trailing whitespace"},
		{"too long", with(m{"model": "claude-haiku-4.5", "messages": l{user(strings.Repeat("word", 137000))}}), "", "prompt size", "model_max_prompt_tokens_exceeded"},
	}
	s := start(t, Options{})
	seen := map[string]bool{}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := request(t, s, http.MethodPost, "/v1/messages?beta=true", tt.body)
			if tt.beta != "" {
				r.Header.Set("Anthropic-Beta", tt.beta)
			}
			got := do(t, r)
			all := s.Requests()
			refused := all[len(all)-1].Refused
			seen[refused] = true
			if got.status != 400 || !strings.Contains(got.body, jsonText(tt.want)) || refused != tt.check {
				t.Errorf("got %d by %q: %s\nwant 400 by %q with %s", got.status, refused, got.body, tt.check, tt.want)
			}
		})
	}
	for _, c := range bodyChecks {
		if !seen[c.name] {
			t.Errorf("no case is refused by the check %q", c.name)
		}
	}
}

// jsonText is how text looks within a JSON string.
func jsonText(s string) string {
	q := mustJSON(s)
	return string(q[1 : len(q)-1])
}

func TestAccepted(t *testing.T) {
	reasoning := m{"type": "adaptive", "display": "summarized"}
	tests := []struct{ name, body, beta string }{
		{"plain", with(nil), ""},
		{"everything a runtime sends", with(m{
			"system": l{words("billing"), marked("identity"), marked("long")}, "tools": l{tool("Read"), tool("Bash")},
			"metadata": m{"user_id": "{}"}, "thinking": reasoning, "output_config": m{"effort": "xhigh"},
			"context_management": m{"edits": l{}}, "tool_choice": m{"type": "auto"},
			"messages": l{user(l{words("hi"), marked("there")})}}),
			"interleaved-thinking-2025-05-14, context-management-2025-06-27,advanced-tool-use-2025-11-20,per-turn-control-2026-07-01"},
		{"parallel calls", messages(user("hi"), assistant(l{words("both"), use("a"), use("b")}), user(l{result("b"), result("a"), words("and more")})), ""},
		{"reasoning returned", messages(user("hi"), assistant(l{thought("thought", seal.Sign("thought")), words("x")}), user("go")), ""},
		{"reasoning not shown", messages(user("hi"), assistant(l{thought("", seal.Sign("thought")), words("x")}), user("go")), ""},
		{"base64 image", messages(user(l{m{"type": "image", "source": m{"type": "base64", "media_type": "image/png", "data": "aGk="}}, words("what")})), ""},
		{"prefill where accepted", with(m{"model": "claude-haiku-4.5", "messages": l{user("hi"), assistant("I")}}), ""},
		{"manual thinking", with(m{"model": "claude-haiku-4.5", "max_tokens": 4000, "temperature": 1, "thinking": m{"type": "enabled", "budget_tokens": 1024}}), ""},
		{"a tool the backend knows", with(m{"tools": l{m{"type": "bash_20250124", "name": "bash"}}}), ""},
		{"128 tools", with(m{"tools": manyTools(128)}), ""},
		{"one hour cache", with(m{"system": l{m{"type": "text", "text": "s", "cache_control": m{"type": "ephemeral", "ttl": "1h"}}}}), "extended-cache-ttl-2025-04-11"},
		{"two user messages in a row", messages(user("hi"), user("there")), ""},
	}
	s := start(t, Options{})
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := request(t, s, http.MethodPost, "/v1/messages", tt.body)
			r.Header.Set("Anthropic-Beta", tt.beta)
			if got := do(t, r); got.status != 200 || !strings.Contains(got.names(), "message_stop") {
				t.Errorf("got %d %s", got.status, got.body)
			}
		})
	}
}

func TestAuthentication(t *testing.T) {
	tests := []struct {
		name   string
		path   string
		header m
		status int
		want   string
	}{
		{"github without", "/copilot_internal/user", m{}, 401, `"message":"Requires authentication"`},
		{"github wrong", "/copilot_internal/user", m{"Authorization": "Bearer gho_wrong"}, 401, `"message":"Bad credentials"`},
		{"github token scheme", "/copilot_internal/user", m{"Authorization": "token gho_right"}, 200, `"login"`},
		{"github needs no integration id", "/copilot_internal/user", m{"Authorization": "Bearer gho_right"}, 200, `"endpoints"`},
		{"exchange wrong", "/copilot_internal/v2/token", m{"Authorization": "Bearer x"}, 401, "Bad credentials"},
		{"copilot without", "/models", m{}, 401, textUnauthorized},
		{"copilot wrong", "/models", m{"Authorization": "Bearer x", "Copilot-Integration-Id": "i"}, 401, textUnauthorized},
		{"copilot other scheme", "/models", m{"Authorization": "token gho_right", "Copilot-Integration-Id": "i"}, 400, textBadAuthHeader},
		{"copilot no integration id", "/models", m{"Authorization": "Bearer gho_right"}, 400, textNoIntegration},
		{"copilot one model", "/models/claude-opus-4.6", m{"Authorization": "Bearer gho_right", "Copilot-Integration-Id": "i"}, 200, `"claude-opus-4.6"`},
		{"copilot no such model", "/models/nothing", m{"Authorization": "Bearer gho_right", "Copilot-Integration-Id": "i"}, 404, "model_not_found"},
		{"messages with a key", "/v1/messages", m{"X-Api-Key": "gho_right"}, 401, textUnauthorized},
		{"unknown path", "/v1/files", m{}, 404, "404 page not found"},
		{"batches", "/v1/messages/batches", m{}, 404, "404 page not found"},
		{"count_tokens", "/v1/messages/count_tokens", m{}, 404, "404 page not found"},
		{"not simulated", "/embeddings", m{}, 501, "/v1/messages"},
		{"ping", "/_ping", m{}, 200, "OK"},
	}
	s := start(t, Options{Token: "gho_right"})
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			method := http.MethodGet
			if strings.HasPrefix(tt.path, "/v1/") || tt.path == "/chat/completions" {
				method = http.MethodPost
			}
			r, err := http.NewRequestWithContext(t.Context(), method, s.CopilotURL()+tt.path, nil)
			if err != nil {
				t.Fatal(err)
			}
			for k, v := range tt.header {
				r.Header.Set(k, v.(string))
			}
			got := do(t, r)
			if got.status != tt.status || !strings.Contains(got.body, tt.want) {
				t.Errorf("got %d %s", got.status, got.body)
			}
			if got.header.Get("X-Request-Id") == "" || got.header.Get("X-Github-Request-Id") == "" {
				t.Errorf("no request ids: %v", got.header)
			}
		})
	}
}

func TestPersonalAccessTokens(t *testing.T) {
	s := start(t, Options{Token: "github_pat_x"})
	for id, want := range map[string]int{"copilot-developer-cli": 200, "parley": 400} {
		r := request(t, s, http.MethodGet, "/models", "")
		r.Header.Set("Copilot-Integration-Id", id)
		if got := do(t, r); got.status != want || want == 400 && !strings.Contains(got.body, textPAT) {
			t.Errorf("%s: %d %s", id, got.status, got.body)
		}
	}
	if got := get(t, s, "/copilot_internal/v2/token"); got.status != 403 || !strings.Contains(got.body, "personal access token") {
		t.Errorf("exchange: %d %s", got.status, got.body)
	}
}

func TestErrorsLookLikeTheService(t *testing.T) {
	s := start(t, Options{})
	own := post(t, s, with(m{"model": "nothing"}))
	if own.header.Get("Content-Type") != typeJSON || dig(own.object(t), "error", "param") != "model" {
		t.Errorf("the service's own refusal: %v %s", own.header, own.body)
	}
	backend := post(t, s, with(m{"foo": 1}))
	var e anthropicError
	if err := json.Unmarshal([]byte(backend.body), &e); err != nil || backend.header.Get("Content-Type") != typeText ||
		e.Type != "error" || e.Error.Type != "invalid_request_error" || !strings.HasPrefix(e.RequestID, "req_vrtx_") {
		t.Errorf("a backend's refusal: %v %s", backend.header, backend.body)
	}
}
