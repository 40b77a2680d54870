package eval

import (
	"bytes"
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"

	"parley/copilot/copilottest/script"
)

// Script returns what a simulated Copilot answers so that every task is solved. It tells tasks apart by the first line of
// their prompts.
func Script(tasks []Task) (*script.Script, error) {
	var rules []any
	for _, t := range tasks {
		for i := range t.Solution {
			rules = append(rules, map[string]any{
				"name":  fmt.Sprintf("%s, answer %d", t.Name, i+1),
				"when":  map[string]any{"prompt": t.subject(), "round": i},
				"reply": &t.Solution[i],
			})
		}
	}
	text, err := yaml.Marshal(map[string]any{"pace": map[string]any{"chars": 64, "rate": 0}, "builtin": true, "rules": rules})
	if err != nil {
		return nil, err
	}
	return script.Parse(bytes.NewReader(text), "solutions")
}

// Idle returns what a simulated Copilot answers that does nothing.
func Idle() (*script.Script, error) {
	return script.Parse(strings.NewReader("rules:\n  - reply: Done.\n"), "idle")
}

// subject is the first line of the prompt.
func (t Task) subject() string {
	line, _, _ := strings.Cut(t.Prompt, "\n")
	return line
}
