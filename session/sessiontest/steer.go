package sessiontest

import (
	"context"
	"testing"

	"parley/session"
)

// steers takes prompts into the running turn of a conversation.
type steers struct{ of *Conversation }

// steerable is a conversation that takes prompts into its running turn.
type steerable struct {
	*Conversation
	steers
}

// Steer hands a prompt to the running turn.
func (s steers) Steer(_ context.Context, p session.Prompt) (bool, error) {
	c := s.of
	c.agent.log.Add("conversation steer")
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.turn == nil {
		return false, nil
	}
	select {
	case c.turn.steered <- p:
		return true, nil
	default:
		return false, nil
	}
}

// Steered waits for the next prompt that is sent into the turn. It stays waiting until [Turn.TakeIn].
func (t *Turn) Steered(tb testing.TB) session.Prompt {
	tb.Helper()
	select {
	case p := <-t.steered:
		return p
	case <-tb.Context().Done():
		tb.Fatal("nothing was sent into the turn")
		return session.Prompt{}
	}
}

// TakeIn means that the agent has taken a prompt into the turn.
func (t *Turn) TakeIn(p session.Prompt) { t.Emit(session.Steered{Prompt: p.ID}) }
