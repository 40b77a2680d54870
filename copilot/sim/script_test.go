package sim

import (
	"strings"
	"testing"
)

// Each case is a conversation; the script answers with the name of what matched.
func TestMatching(t *testing.T) {
	sc := parseScript(t, `
rules:
  - when: {format: true}
    reply: format
  - when: {tool: Bash, result: /exit (\d+)/, failed: true}
    reply: bash failed
  - when: {failed: true}
    reply: "failed: {{tool_result}}"
  - when: {tool: Read, result: true}
    reply: "read {{tool_result}} in round {{round}} of turn {{turn}}"
  - when: {result: secret}
    reply: secret
  - when: [{prompt: /^alpha (\w+) (\w+)$/i}, {prompt: BETA}]
    reply: "one of two: {{0}}, {{2}}"
  - when: {model: haiku}
    reply: "small {{model}}"
  - when: {system: special}
    reply: special
  - when: {offers: [A, B]}
    reply: "offers {{tools}}"
  - when: {tools: true}
    reply: tools
  - when: {turn: ">=3"}
    reply: late
  - when: {turn: 2, round: 0}
    reply: second
  - when: {prompt: once}
    times: 1
    reply: only once
  - when: {prompt: again}
    tries: 1
    reply: first attempt
  - reply: "else {{last_user}} {{dir}} {{tools}}"
`)
	call := assistant(l{m{"type": "tool_use", "id": "c", "name": "Read", "input": m{}}})
	bash := assistant(l{m{"type": "tool_use", "id": "c", "name": "Bash", "input": m{}}})
	failed := func(text string) any {
		return user(l{m{"type": "tool_result", "tool_use_id": "c", "is_error": true, "content": l{words(text)}}})
	}
	ok := func(text string) any { return user(l{m{"type": "tool_result", "tool_use_id": "c", "content": text}}) }
	tests := []struct{ name, body, want string }{
		{"format", with(m{"output_config": m{"format": m{"type": "json_schema", "schema": m{}}}}), "format"},
		{"failed command", messages(user("x"), bash, failed("exit 3")), "bash failed"},
		{"failed", messages(user("x"), call, failed("exit 3")), "failed: exit 3"},
		{"read", messages(user("x"), call, ok("lines")), "read lines in round 1 of turn 1"},
		{"result text", messages(user("x"), bash, ok("the SECRET word")), "secret"},
		{"old results do not count", messages(user("x"), call, ok("lines"), assistant("ok"), user("y")), "second"},
		{"alternative one", ask("Alpha b c"), "one of two: Alpha b c, c"},
		{"alternative two", ask("say beta"), "one of two: BETA, "},
		{"model", with(m{"model": "claude-haiku-4.5"}), "small claude-haiku-4.5"},
		{"system", with(m{"system": "a special one"}), "special"},
		{"offers", with(m{"tools": l{tool("B"), tool("A")}}), "offers B, A"},
		{"tools", with(m{"tools": l{tool("A")}}), "tools"},
		{"third turn", messages(user("a"), assistant("b"), user("c"), assistant("d"), user("e")), "late"},
		{"two messages are one turn", messages(user("a"), user("c"), assistant("d"), user("e")), "second"},
		{"once", ask("once"), "only once"},
		{"once again", ask("once"), "else once . none"},
		{"tries", ask("again"), "first attempt"},
		{"tries, repeated", ask("again"), "else again . none"},
		{"tries, another conversation", ask("again please"), "first attempt"},
		{"reminders are not the user's words", messages(user(l{words("<system-reminder>\nPrimary working directory: /w/d\nonce</system-reminder>"), words("hey")})), "else hey /w/d none"},
		{"a note about a switched model is none", messages(user(l{words("<local-command-caveat>Caveat: …</local-command-caveat>\n"),
			words("<command-name>/model</command-name>\n <command-message>model</command-message>\n <command-args>claude-x</command-args>\n"),
			words("<local-command-stdout>Set model to claude-x</local-command-stdout>\n"), words("again please")})), "first attempt"},
		{"directory with spaces", with(m{"system": "x\n - Working directory: /tmp/a b\nmore"}), "else hi /tmp/a b none"},
		{"words beside results are a prompt", messages(user("x"), bash, user(l{result("c"), words("once more")})), "second"},
		{"an interrupt note is none", messages(user("x"), bash, user(l{m{"type": "tool_result", "tool_use_id": "c", "content": "secret"}, words("[Request interrupted by user for tool use]")})), "secret"},
		{"directory in the system prompt", with(m{"system": "Current working directory is `/tmp/a b`."}), "else hi /tmp/a none"},
	}
	s := start(t, Options{Script: sc})
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if r := post(t, s, tt.body); r.text() != tt.want {
				t.Errorf("got %q, want %q (%d %s)", r.text(), tt.want, r.status, r.body)
			}
		})
	}
}

func TestNoRuleMatches(t *testing.T) {
	alone := start(t, Options{Script: parseScript(t, "rules: [{when: {prompt: x}, reply: y}]")})
	if r := post(t, alone, ask("hi")); !strings.Contains(r.text(), "no rule of my script matches turn 1") {
		t.Errorf("text %q", r.text())
	}
	joined := start(t, Options{Script: parseScript(t, "builtin: true\nrules: [{when: {prompt: x}, reply: y}]")})
	if r := post(t, joined, ask("hi")); !strings.Contains(r.text(), "**simulated**") {
		t.Errorf("text %q", r.text())
	}
	if r := post(t, joined, ask("x")); r.text() != "y" {
		t.Errorf("text %q", r.text())
	}
}

func TestFaultSteps(t *testing.T) {
	s := start(t, Options{Script: parseScript(t, `
rules:
  - when: {prompt: status}
    reply: [fault: {kind: status, status: 429, retry_after: "5", header: {x-more: "1"}}]
  - when: {prompt: first cut}
    reply: [{fault: {kind: cut}}, {text: never}]
  - when: {prompt: late cut}
    reply: [{text: some}, {fault: {kind: cut}}, {text: never}]
  - when: {prompt: event}
    reply: [{text: some}, {fault: {kind: error_event, code: api_error, message: broke}}]
  - when: {prompt: html}
    reply: [{fault: {kind: content_type, content_type: text/html}}, {text: page}]
  - when: {prompt: junk}
    reply: [{fault: {kind: junk}}, {text: fine}]
`)})
	if r := post(t, s, ask("status")); r.status != 429 || r.header.Get("Retry-After") != "5" || r.header.Get("X-More") != "1" {
		t.Errorf("status: %d %v", r.status, r.header)
	}
	if r := post(t, s, ask("first cut")); r.err == nil || r.status != 0 {
		t.Errorf("first cut: %d %v", r.status, r.err)
	}
	if r := post(t, s, ask("late cut")); r.err == nil || r.text() != "some" {
		t.Errorf("late cut: %q %v", r.text(), r.err)
	}
	if r := post(t, s, ask("event")); r.text() != "some" || !strings.Contains(r.body, `"message":"broke"`) || strings.Contains(r.body, "message_stop") {
		t.Errorf("event: %s", r.body)
	}
	if r := post(t, s, ask("html")); r.header.Get("Content-Type") != "text/html" || r.text() != "page" {
		t.Errorf("html: %v %q", r.header, r.text())
	}
	if r := post(t, s, ask("junk")); r.text() != "fineafter the end" {
		t.Errorf("junk: %q", r.text())
	}
}

func TestStopReasons(t *testing.T) {
	s := start(t, Options{Script: parseScript(t, `
rules:
  - {when: {prompt: cut off}, stop: max_tokens, reply: some}
  - {when: {prompt: no}, stop: refusal, reply: []}
`)})
	if r := post(t, s, ask("cut off")); !strings.Contains(r.body, `"stop_reason":"max_tokens"`) {
		t.Errorf("body %s", r.body)
	}
	if r := post(t, s, ask("no")); !strings.Contains(r.body, `"stop_reason":"refusal"`) || r.names() != "message_start message_delta message_stop" {
		t.Errorf("body %s", r.body)
	}
}

func TestStructuredAnswer(t *testing.T) {
	s := start(t, Options{})
	r := post(t, s, with(m{"stream": false, "messages": l{user("Fix the  lamp")}, "output_config": m{"format": m{"type": "json_schema",
		"schema": m{"type": "object", "required": l{"title"}, "properties": m{"title": m{"type": "string"},
			"mood": m{"enum": l{"calm"}}, "parts": m{"type": "array"}, "n": m{"type": "integer"}, "yes": m{"type": "boolean"}}}}}}))
	if got := dig(r.object(t), "content", 0, "text"); got != `{"mood":"calm","n":1,"parts":[],"title":"Fix the lamp","yes":true}` {
		t.Errorf("got %v", got)
	}
}
