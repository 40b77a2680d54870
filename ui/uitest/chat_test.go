package uitest

import (
	"testing"

	"parley/session"
)

func TestEmptyChat(t *testing.T) {
	Run(t, Config{}, func(p *Program) {
		p.Golden("empty-80x24")
	})
}

func TestFirstAnswer(t *testing.T) {
	Run(t, Config{}, func(p *Program) {
		p.Type("hello")
		turn := p.Turn()
		turn.Text("hi **there**\n\n```go\nx := 1\n```\n")
		turn.End(session.TurnCompleted)
		p.Settle()
		p.Golden("answer-80x24")
	})
}
