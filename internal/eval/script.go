package eval

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"parley/copilot/sim/script"
)

// Script returns what a simulated Copilot answers so that every task is solved. It tells prompts apart by their first lines.
func Script(tasks []Task) (*script.Script, error) {
	var rules []any
	for _, t := range tasks {
		asked := ""
		for _, s := range slices.Concat(t.steps(), t.steered(), t.Children) {
			for i := range s.Solution {
				when := map[string]any{"prompt": s.subject(), "round": i}
				if strings.HasPrefix(s.Prompt, "/") {
					when = map[string]any{"prompt": asked, "note": "your answer to this message"}
				}
				// The rule of a command comes before those of its prompt, which matches too.
				rules = append([]any{map[string]any{"name": fmt.Sprintf("%s, %s, answer %d", t.Name, s.subject(), i+1), "when": when, "reply": &s.Solution[i]}}, rules...)
			}
			asked = s.subject()
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
func (s Step) subject() string {
	line, _, _ := strings.Cut(s.Prompt, "\n")
	return line
}
