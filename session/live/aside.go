package live

import (
	"context"

	"parley/session"
)

// AskAside asks the conversation a question beside its history, see [session.SideAsker]. Without an open conversation the error
// is of kind [session.KindNotFound], with an agent that cannot do it of kind [session.KindUnsupported].
func (s *local) AskAside(ctx context.Context, question string, emit func(text string)) error {
	const op = "ask beside the conversation"
	conv := s.conversation()
	if conv == nil {
		return fail(op, session.KindNotFound, "the agent is not running. Send a prompt first")
	}
	c, ok := conv.(session.SideAsker)
	if !ok {
		return fail(op, session.KindUnsupported, "%s can't answer beside the conversation. Send it as a prompt", s.Meta().Agent)
	}
	if err := s.state.affordable(ctx); err != nil {
		return err
	}
	return c.AskAside(ctx, question, emit)
}
