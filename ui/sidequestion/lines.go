package sidequestion

import (
	"strings"

	"parley/ui/core"
	"parley/ui/style"
)

// InLines asks a question beside the conversation and prints the whole answer when it has come.
func InLines(t *core.Lines, question string) {
	if question == "" {
		t.Print("note", "Write the question after the command: /btw why this file?")
		return
	}
	asker := t.Current().Session
	t.Background(func() func() {
		var answer strings.Builder
		err := asker.AskAside(t.Context, question, func(text string) { answer.WriteString(text) })
		return func() {
			if text := strings.TrimSpace(answer.String()); text != "" {
				t.Print("aside", style.Visible(text))
			}
			if err != nil {
				t.Problem(err)
			}
		}
	})
}
