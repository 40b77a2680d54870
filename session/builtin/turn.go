package builtin

import (
	"context"
	"fmt"
	"slices"

	"parley/session"
	"parley/session/builtin/tool"
	"parley/session/builtin/wire"
)

// runTurn asks the model, runs the tools it calls, and repeats until there are no calls. It returns the outcome of the
// turn and, unless obvious, the reason.
func (c *conversation) runTurn(ctx context.Context) (session.TurnOutcome, *session.Problem) {
	models, modelsErr := c.o.Models(ctx)
	if modelsErr != nil {
		models = nil // the request will fail with the problem, if there is one
	}
	system, left := systemPrompt(ctx, c.ws, c.o)
	c.warnOf(left)
	for n := 1; n <= c.o.MaxRounds; n++ {
		if ctx.Err() != nil {
			return session.TurnCancelled, nil
		}
		settings := c.current()
		model := wire.ChooseModel(models, settings.Model)
		settings.Model = model.ID
		c.tell(settings)
		r := wire.NewRequest(model, settings.Effort, system, toolParams, c.messages(model.ID))
		r.Remind(c.modes.next(settings.Mode, n == 1))
		a, err := c.ask(ctx, r, wire.Window(model), n)
		if ctx.Err() != nil {
			c.giveUp(a.calls, session.ToolCancelled, tool.Interrupted)
			return session.TurnCancelled, nil
		}
		if err != nil {
			c.giveUp(a.calls, session.ToolFailed, brokenOff)
			return session.TurnFailed, session.ProblemOf(err, c.o.Now())
		}
		if outcome, problem, over := c.over(a, r.MaxTokens); over {
			return outcome, problem
		}
		c.runCalls(ctx, a.calls)
		if ctx.Err() != nil {
			return session.TurnCancelled, nil
		}
	}
	return session.TurnLimit, &session.Problem{Kind: session.KindTooLong,
		What: fmt.Sprintf("The turn took %d requests, which is as many as one may.", c.o.MaxRounds),
		Next: "Send another prompt to go on.", Retry: false}
}

// warnOf warns the user once about each instruction file that was left out. Only the running turn calls it.
func (c *conversation) warnOf(left []string) {
	for _, path := range left {
		if !c.warned[path] {
			c.warned[path] = true
			c.out.emit(session.Notice{Head: c.head(), Severity: session.Warning, Text: c.ws.Short(path) +
				" was not sent: it is a link to a file outside this project. Replace it with a copy to use it."})
		}
	}
}

// over reports whether the turn ends with this answer, and how.
func (c *conversation) over(a answer, maxTokens int64) (session.TurnOutcome, *session.Problem, bool) {
	const notRun = "Not run: the answer was cut off at its longest."
	switch a.reason {
	case "max_tokens":
		c.giveUp(a.calls, session.ToolFailed, notRun)
		return session.TurnLimit, &session.Problem{Kind: session.KindTooLong,
			What: fmt.Sprintf("The answer was cut off after %d tokens, which is as long as one may become.", maxTokens),
			Next: "Send another prompt, such as \"go on\", to have the rest."}, true
	case "model_context_window_exceeded":
		c.giveUp(a.calls, session.ToolFailed, notRun)
		return session.TurnLimit, &session.Problem{Kind: session.KindTooLong,
			What: "The conversation has filled the model's window.",
			Next: "Choose a model with a larger window, or start a new session."}, true
	case "refusal":
		c.giveUp(a.calls, session.ToolFailed, "Not run: the model declined to go on.")
		return session.TurnRefused, &session.Problem{Kind: session.KindRefused, What: "The model declined to answer.",
			Next: "Ask in another way, or choose another model."}, true
	case "pause_turn":
		return "", nil, false
	}
	return session.TurnCompleted, nil, len(a.calls) == 0
}

// messages returns the messages of the next request, built from all events so far.
func (c *conversation) messages(model string) []wire.Message {
	var pieces []wire.Piece
	c.out.read(func(t *session.Transcript) { pieces = wire.Pieces(t.Turns, true) })
	return wire.Join(append(slices.Clip(c.past), pieces...), model)
}

// giveUp ends calls that will not run.
func (c *conversation) giveUp(calls []call, outcome session.ToolOutcome, why string) {
	for _, call := range calls {
		c.out.emit(session.ToolEnded{Head: c.head(), Call: call.id, Outcome: outcome, Result: session.ToolResult{Text: why}})
	}
}
