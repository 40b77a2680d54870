package lines

import (
	"strings"

	"parley/ui/style"
)

// aside asks a question beside the conversation and prints the whole answer when it has come.
func (p *console) aside(question string) bool {
	if question == "" {
		p.talk.print("note", "Write the question after the command: /btw why this file?")
		return false
	}
	ctx, asker := p.talk.ctx, p.talk.session
	p.talk.background(func() func() {
		var answer strings.Builder
		err := asker.AskAside(ctx, question, func(text string) { answer.WriteString(text) })
		return func() {
			if text := strings.TrimSpace(answer.String()); text != "" {
				p.talk.print("aside", style.Visible(text))
			}
			if err != nil {
				p.talk.problem(err)
			}
		}
	})
	return false
}
