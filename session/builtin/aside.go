package builtin

import (
	"context"

	"parley/session"
	"parley/session/builtin/apierror"
	"parley/session/builtin/mapper"
	"parley/session/builtin/wire"
)

var _ session.SideAsker = (*conversation)(nil)

// asideNote precedes a question beside the conversation.
const asideNote = `The user asks a question beside the work. Answer it from what you know of this conversation, in a few lines. Call no tools:
calls are not run here. Calls without a result above may still be running. The question and your answer are not part of the
conversation, and the work goes on as it was. The question:`

// AskAside answers a question with the history so far. The request begins like the newest one, so that it reads what the
// service has cached.
func (c *conversation) AskAside(ctx context.Context, question string, emit func(text string)) error {
	const op = "ask beside the conversation"
	l := c.top
	models := c.models(ctx)
	settings := c.current()
	model := wire.ChooseModel(models, settings.Model)
	pieces := l.pieces()
	if len(pieces) == 0 {
		return &session.Error{Op: op, Kind: session.KindNotFound, Err: errNothingSaid}
	}
	r := l.draft(model, settings.Effort, l.prompt()).request(pieces)
	r.Remind(remind(asideNote) + "\n\n" + question)
	body, err := wire.EncodeJSON(r)
	if err != nil {
		return &session.Error{Op: op, Kind: session.KindInternal, Err: err}
	}
	for attempt := 1; ; attempt++ {
		m := &mapper.Mapper{Head: c.between, ID: "aside", N: 1, Model: model.ID, Aside: true, Fresh: func(session.CallID) bool { return true }}
		take := func(events []session.Event) {
			for _, e := range events {
				if delta, ok := e.(session.PartDelta); ok && m.Saying() {
					emit(delta.Text)
				}
			}
		}
		err := attemptOnce(ctx, l, body, r.Betas, byUser, m, take)
		c.charge(c.between(), m.Answer, model.ID)
		delay, again := apierror.RetryDelay(err, attempt)
		if err == nil || ctx.Err() != nil || m.Answer.Words || !again || attempt >= c.o.MaxAttempts {
			return err
		}
		if err := c.sleep(ctx, delay+c.o.Jitter(delay/4+1)); err != nil {
			return err
		}
	}
}
