package copilottest

import (
	"os"
	"strings"
	"testing"
)

func TestParseErrorsHaveLines(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"empty", "", "s.yaml:1: the script is empty"},
		{"not YAML", "rules: [", "s.yaml: yaml: line 1"},
		{"no rules", "pace: {rate: 3}", "s.yaml:1: the script has no rules"},
		{"unknown key", "rules:\n  - reply: x\nrulez: 1", `s.yaml:3: unknown key "rulez" in the script; known: builtin, pace, rules`},
		{"rules no list", "rules: 3", "s.yaml:1: rules must be a list"},
		{"rule no mapping", "rules:\n  - 3", "s.yaml:2: a rule must be a mapping"},
		{"no reply", "rules:\n  - name: x", "s.yaml:2: a rule needs a reply"},
		{"unknown condition", "rules:\n  - when: {promt: x}\n    reply: x", `s.yaml:2: unknown key "promt" in when`},
		{"bad regexp", "rules:\n  - reply: x\n    when:\n      prompt: /(/", "s.yaml:4: error parsing regexp"},
		{"bad turn", "rules:\n  - reply: x\n    when: {turn: soon}", `s.yaml:3: "soon" is neither a count nor a bound`},
		{"bad bool", "rules:\n  - reply: x\n    when: {failed: 3}", `s.yaml:3: "3" is neither true nor false`},
		{"bad offers", "rules:\n  - reply: x\n    when: {offers: {a: b}}", "s.yaml:3: offers must be"},
		{"reply no steps", "rules:\n  - reply: {text: x}", "s.yaml:2: reply must be a text or a list of steps"},
		{"unknown step", "rules:\n  - reply:\n      - say: x", `s.yaml:3: unknown key "say" in a step`},
		{"empty step", "rules:\n  - reply:\n      - {}", "s.yaml:3: a step needs one of"},
		{"pace alone", "rules:\n  - reply:\n      - pace: {rate: 1}", "s.yaml:3: a step needs one of"},
		{"two things", "rules:\n  - reply:\n      - text: x\n        tool: y", "s.yaml:3: a step is one thing"},
		{"input without tool", "rules:\n  - reply:\n      - text: x\n        input: {}", "s.yaml:4: only a tool step has input"},
		{"input no mapping", "rules:\n  - reply:\n      - tool: x\n        input: [1]", "s.yaml:4: input must be a mapping"},
		{"bad pause", "rules:\n  - reply:\n      - pause: soon", `s.yaml:3: "soon" is not a duration`},
		{"negative pause", "rules:\n  - reply:\n      - pause: -1s", `s.yaml:3: "-1s" is not a duration`},
		{"bad rate", "rules:\n  - reply: x\n    pace: {rate: -1}", "s.yaml:3: rate must be a number"},
		{"bad chars", "rules:\n  - reply: x\n    pace: {chars: x}", `s.yaml:3: "x" is not a count`},
		{"unknown fault", "rules:\n  - reply:\n      - fault: {kind: flood}", `s.yaml:3: unknown fault "flood"; known: status`},
		{"bad status", "rules:\n  - reply:\n      - fault: {kind: status, status: 200}", "s.yaml:3: a status fault needs"},
		{"late status", "rules:\n  - reply:\n      - text: x\n      - fault: {kind: status, status: 500}", "s.yaml:4: a status fault must be the first step"},
		{"placeholder", "rules:\n  - reply: 'hi {{name}}'", "s.yaml:2: unknown placeholder {{name}}; known: {{last_user}}"},
		{"placeholder in input", "rules:\n  - reply:\n      - tool: x\n        input:\n          a: ['{{b}}']", "s.yaml:5: unknown placeholder {{b}}"},
		{"twice", "rules:\n  - reply: x\n    reply: y", "s.yaml:3: key \"reply\" stands twice"},
		{"bad stop", "rules:\n  - reply: x\n    stop: maybe", `s.yaml:3: unknown stop reason "maybe"`},
		{"several at once", "rules:\n  - replay: x\n  - when: 3\n    reply: x", "s.yaml:3: when must be a mapping"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			sc, err := ParseScript(strings.NewReader(tt.text), "s.yaml")
			if err == nil || !strings.Contains(err.Error(), tt.want) || sc != nil {
				t.Errorf("got %v, want %q", err, tt.want)
			}
		})
	}
}

// Each case is a conversation; the script answers with the name of what matched.
func TestMatching(t *testing.T) {
	sc := script(t, `
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
	alone := start(t, Options{Script: script(t, "rules: [{when: {prompt: x}, reply: y}]")})
	if r := post(t, alone, ask("hi")); !strings.Contains(r.text(), "no rule of my script matches turn 1") {
		t.Errorf("text %q", r.text())
	}
	joined := start(t, Options{Script: script(t, "builtin: true\nrules: [{when: {prompt: x}, reply: y}]")})
	if r := post(t, joined, ask("hi")); !strings.Contains(r.text(), "**simulated**") {
		t.Errorf("text %q", r.text())
	}
	if r := post(t, joined, ask("x")); r.text() != "y" {
		t.Errorf("text %q", r.text())
	}
}

func TestFaultSteps(t *testing.T) {
	s := start(t, Options{Script: script(t, `
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
	s := start(t, Options{Script: script(t, `
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

// The description of the format must not promise what the parser does not take.
func TestDocumentedScripts(t *testing.T) {
	doc, err := os.ReadFile("script.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := strings.Split(string(doc), "```yaml\n")[1:]
	if len(blocks) == 0 {
		t.Fatal("no examples")
	}
	for i, b := range blocks {
		text, _, _ := strings.Cut(b, "```")
		if _, err := ParseScript(strings.NewReader(text), "example"); err != nil {
			t.Errorf("example %d: %v\n%s", i+1, err, text)
		}
	}
	for _, k := range faultKinds {
		if !strings.Contains(string(doc), "`"+string(k)+"`") {
			t.Errorf("the fault %s is not described", k)
		}
	}
	for _, name := range placeholderNames {
		if !strings.Contains(string(doc), "{{"+name+"}}") {
			t.Errorf("the placeholder %s is not described", name)
		}
	}
}

func FuzzParseScript(f *testing.F) {
	f.Add(defaultYAML)
	f.Add("rules:\n  - reply: x\n    when: {prompt: /a/}")
	f.Add("rules: [{reply: [{tool: a, input: {b: [1, {c: d}]}}, ping]}]")
	f.Add("a: &a [*a]")
	f.Add("rules: &r\n  - when: *r\n    reply: *r")
	f.Fuzz(func(t *testing.T, text string) {
		sc, err := ParseScript(strings.NewReader(text), "f")
		if (sc == nil) == (err == nil) {
			t.Errorf("script %v, error %v", sc, err)
		}
	})
}
