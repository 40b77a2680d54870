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
func (l *loop) runTurn(ctx context.Context) (session.TurnOutcome, *session.Problem) {
	models, modelsErr := l.c.o.Models(ctx)
	if modelsErr != nil {
		models = nil // the request will fail with the problem, if there is one
	}
	system, left := systemPrompt(ctx, l.ws, l.c.o)
	l.warnOf(left)
	for n := 1; n <= l.c.o.MaxRounds; n++ {
		if ctx.Err() != nil {
			return session.TurnCancelled, nil
		}
		l.boundary(ctx)
		settings := l.c.current()
		model := wire.ChooseModel(models, settings.Model)
		settings.Model = model.ID
		l.c.tell(settings)
		r := wire.NewRequest(model, settings.Effort, system, paramsOf(l.tools), l.messages(model))
		r.Remind(l.modes.next(settings.Mode, n == 1))
		a, err := l.ask(ctx, r, wire.Window(model), n)
		if ctx.Err() != nil {
			l.giveUp(a.calls, session.ToolCancelled, tool.Interrupted)
			return session.TurnCancelled, nil
		}
		if err != nil {
			l.giveUp(a.calls, session.ToolFailed, brokenOff)
			return session.TurnFailed, session.ProblemOf(err, l.c.o.Now())
		}
		if outcome, problem, over := l.over(a, r.MaxTokens); over {
			return outcome, problem
		}
		l.runCalls(ctx, a.calls)
		if ctx.Err() != nil {
			return session.TurnCancelled, nil
		}
	}
	return session.TurnLimit, &session.Problem{Kind: session.KindTooLong,
		What: fmt.Sprintf("The turn took %d requests, which is as many as one may.", l.c.o.MaxRounds),
		Next: "Send another prompt to go on.", Retry: false}
}

// warnOf warns the user once about each instruction file that was left out. Only the running turn calls it.
func (l *loop) warnOf(left []string) {
	for _, path := range left {
		if !l.c.warned[path] {
			l.c.warned[path] = true
			l.c.out.emit(session.Notice{Head: l.head(), Severity: session.Warning, Text: l.ws.Short(path) +
				" was not sent: it is a link to a file outside this project. Replace it with a copy to use it."})
		}
	}
}

// over reports whether the turn ends with this answer, and how.
func (l *loop) over(a answer, maxTokens int64) (session.TurnOutcome, *session.Problem, bool) {
	const notRun = "Not run: the answer was cut off at its longest."
	switch a.reason {
	case "max_tokens":
		l.giveUp(a.calls, session.ToolFailed, notRun)
		return session.TurnLimit, &session.Problem{Kind: session.KindTooLong,
			What: fmt.Sprintf("The answer was cut off after %d tokens, which is as long as one may become.", maxTokens),
			Next: "Send another prompt, such as \"go on\", to have the rest."}, true
	case "model_context_window_exceeded":
		l.giveUp(a.calls, session.ToolFailed, notRun)
		return session.TurnLimit, &session.Problem{Kind: session.KindTooLong,
			What: "The conversation has filled the model's window.",
			Next: "Choose a model with a larger window, or start a new session."}, true
	case "refusal":
		l.giveUp(a.calls, session.ToolFailed, "Not run: the model declined to go on.")
		return session.TurnRefused, &session.Problem{Kind: session.KindRefused, What: "The model declined to answer.",
			Next: "Ask in another way, or choose another model."}, true
	case "pause_turn":
		return "", nil, false
	}
	return session.TurnCompleted, nil, len(a.calls) == 0
}

// messages returns the messages of the next request, built from all events so far.
func (l *loop) messages(model session.Model) []wire.Message {
	var pieces []wire.Piece
	l.c.out.read(func(t *session.Transcript) { pieces = wire.Pieces(t.Turns, true) })
	return wire.FitMedia(wire.Join(append(slices.Clip(l.c.past), pieces...), model.ID), model)
}

// giveUp ends calls that will not run.
func (l *loop) giveUp(calls []call, outcome session.ToolOutcome, why string) {
	for _, call := range calls {
		l.c.out.emit(session.ToolEnded{Head: l.head(), Call: call.id, Outcome: outcome, Result: session.ToolResult{Text: why}})
	}
}
