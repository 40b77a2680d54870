package sim

import (
	"strings"
	"testing"
)

func TestDefaultScriptWords(t *testing.T) {
	s := start(t, Options{})
	help := post(t, s, ask("help")).text()
	for _, tt := range []struct{ prompt, want string }{
		{"table", "| Harp | 47 |"}, {"show me some code", "```go"}, {"long", "## Part 1"}, {"think about it", "still a script"},
		{"hello", "> hello"}, {"bench!:20@0#Z", "ENDMARKZ\n"},
	} {
		if r := post(t, s, ask(tt.prompt)); !strings.Contains(r.text(), tt.want) {
			t.Errorf("%s: %q", tt.prompt, r.text())
		}
	}
	for _, word := range []string{"read", "find", "search", "run", "write", "edit", "parallel", "think", "table", "code", "long",
		"error", "error quota", "error rate", "error cut", "error stream", "bench:"} {
		if !strings.Contains(help, "`"+word) {
			t.Errorf("help does not tell of %s", word)
		}
	}
	r := post(t, s, with(m{"tools": l{tool("Bash"), tool("Glob")}, "messages": l{user("parallel")}}))
	if n := strings.Count(r.body, `"type":"tool_use"`); n != 3 {
		t.Errorf("%d calls in parallel", n)
	}
	thinking := post(t, s, with(m{"thinking": m{"type": "adaptive"}, "messages": l{user("think about lamps")}}))
	if got := thinking.joined("thinking_delta", "thinking"); !strings.Contains(got, `"about lamps"`) {
		t.Errorf("reasoning %q", got)
	}
}

func TestDefaultScriptErrors(t *testing.T) {
	s := start(t, Options{})
	for _, tt := range []struct {
		prompt string
		want   int
	}{{"error quota", 402}, {"error rate", 429}, {"error", 529}, {"error", 200}} {
		if r := post(t, s, ask(tt.prompt)); r.status != tt.want {
			t.Errorf("%s: %d, want %d", tt.prompt, r.status, tt.want)
		}
	}
	if r := post(t, s, ask("error cut")); r.err == nil || r.text() == "" {
		t.Errorf("error cut: %q %v", r.text(), r.err)
	}
	if r := post(t, s, ask("error stream")); !strings.HasSuffix(r.names(), " error") {
		t.Errorf("error stream: %s", r.names())
	}
}

func TestDefaultScriptResults(t *testing.T) {
	s := start(t, Options{})
	answer := func(text string, failed bool) string {
		return post(t, s, messages(user("run x"), assistant(l{m{"type": "tool_use", "id": "c", "name": "Bash", "input": m{}}}),
			user(l{m{"type": "tool_result", "tool_use_id": "c", "content": text, "is_error": failed}}))).text()
	}
	for _, tt := range []struct {
		text   string
		failed bool
		want   string
	}{
		{"all well", false, "Done."},
		{"sh: x: Permission denied", true, "reported a failure"},
		{"The user refused this call and says: no", true, "You did not allow that"},
	} {
		if got := answer(tt.text, tt.failed); !strings.Contains(got, tt.want) || !strings.Contains(got, tt.text) {
			t.Errorf("%s: %q", tt.text, got)
		}
	}
}
