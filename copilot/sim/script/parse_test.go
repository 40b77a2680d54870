package script

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
			sc, err := Parse(strings.NewReader(tt.text), "s.yaml")
			if err == nil || !strings.Contains(err.Error(), tt.want) || sc != nil {
				t.Errorf("got %v, want %q", err, tt.want)
			}
		})
	}
}

// TestDocumentedScripts parses the examples of script.md, which names every fault and placeholder.
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
		if _, err := Parse(strings.NewReader(text), "example"); err != nil {
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

func FuzzParse(f *testing.F) {
	f.Add(defaultYAML)
	f.Add("rules:\n  - reply: x\n    when: {prompt: /a/}")
	f.Add("rules: [{reply: [{tool: a, input: {b: [1, {c: d}]}}, ping]}]")
	f.Add("a: &a [*a]")
	f.Add("rules: &r\n  - when: *r\n    reply: *r")
	f.Fuzz(func(t *testing.T, text string) {
		sc, err := Parse(strings.NewReader(text), "f")
		if (sc == nil) == (err == nil) {
			t.Errorf("script %v, error %v", sc, err)
		}
	})
}
