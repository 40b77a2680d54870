package builtin

import (
	"context"
	"errors"
	"fmt"

	"parley/session"
	"parley/session/builtin/budget"
	"parley/session/builtin/mapper"
	"parley/session/builtin/tool"
)

// maxContinued bounds the answers in a row that are continued because they were cut off at their longest.
const maxContinued = 5

// run asks the model, runs the tools it calls, and repeats until there are no calls. It returns the outcome and, unless
// obvious, the reason.
func (l *loop) run(ctx context.Context) (session.TurnOutcome, *session.Problem) {
	models := l.c.models(ctx)
	system := l.system(ctx)
	var p pace
	worked := false // calls were run
	defer l.leaveCut()
	l.hooks.Run()
	for n := 1; n <= l.c.o.MaxRounds; n++ {
		if ctx.Err() != nil {
			return l.stopped(ctx)
		}
		if l.child == "" && l.c.yields() {
			return session.TurnCompleted, nil
		}
		last, problem := l.spent.Round(l.c.o.Now(), l.child == "")
		if problem != nil {
			return session.TurnLimit, problem
		}
		l.boundary(ctx)
		if n == 1 && (l.child == "" || len(l.role().Servers()) > 0) {
			l.c.has.kit.Await(ctx)
		}
		if n == 1 && l.child == "" {
			l.c.prompts.Learn(l.c.open.Dir, l.c.has.kit.Commands(), nil)
		}
		l.part.Store(l.equipped(l.part.Load()))
		model, effort := l.settings(models)
		model, effort = l.lentOver(models, model, effort)
		l.asked.Store(model.ID)
		d := l.draft(model, effort, system)
		d.note, d.last = remind(l.modes.Next(l.c.current().Mode, n == 1, l.role().PlanNote(l.c.o.Unattended && l.child == ""))), last
		d.cut = l.goesOn != nil
		if l.child == "" {
			d.answer = l.c.open.Answer
		}
		a, r, err := askFitting(ctx, l, d, n)
		l.goesOn = a.Open
		if ctx.Err() != nil {
			l.giveUp(a.Calls, session.ToolCancelled, tool.Interrupted)
			return l.stopped(ctx)
		}
		if session.KindOf(err) == session.KindBadRequest && r.Shaped() {
			l.c.open.Answer = "" // the service does not take the schema; the prompt says it too
			continue
		}
		if err != nil {
			l.giveUp(a.Calls, session.ToolFailed, brokenOff)
			return l.problemOf(err)
		}
		if last && (len(a.Calls) > 0 || worked) { // the work was cut short, whatever the model says of it
			l.giveUp(a.Calls, session.ToolFailed, lastCall)
			return session.TurnLimit, budget.OutOfRounds(l.c.open.Limits.Rounds)
		}
		calls, outcome, problem := l.judge(&p, a, r.MaxTokens)
		if outcome == session.TurnCompleted && (!l.inbox.over() || heldBack(ctx, l)) {
			continue // a prompt came while the model spoke, or a hook wants more
		}
		if outcome != "" {
			return outcome, problem
		}
		worked = worked || len(calls) > 0
		l.runCalls(ctx, calls)
		if ctx.Err() != nil {
			return l.stopped(ctx)
		}
		if problem := l.hooks.Halted(); problem != nil {
			return session.TurnRefused, problem
		}
		if problem := l.watch(); problem != nil {
			return session.TurnFailed, problem
		}
	}
	return session.TurnLimit, &session.Problem{Kind: session.KindTooLong,
		What: fmt.Sprintf("The turn took %d requests, which is as many as one may.", l.c.o.MaxRounds),
		Next: "Another prompt goes on from here; tools.max_rounds raises the limit.", Retry: false}
}

// stopped returns the outcome of a run whose context ended.
func (l *loop) stopped(ctx context.Context) (session.TurnOutcome, *session.Problem) {
	if errors.Is(context.Cause(ctx), errOutOfTime) {
		return session.TurnLimit, budget.OutOfTime(l.c.open.Limits.Time)
	}
	return session.TurnCancelled, nil
}

// pace counts the answers in a row that did not end by themselves. worked means that one before them called a tool.
type pace struct {
	cut, empty, broken int
	worked             bool
}

// The texts that the model reads after an answer that did not end by itself.
const (
	cutNote = "Your answer was cut off at its longest. Go on exactly where it ended, in the middle of a word if need be; repeat " +
		"nothing and introduce nothing."
	cutThinking = "Your answer was cut off at its longest while you were still thinking, so nothing of it arrived. Think less, and " +
		"answer or call tools in smaller steps."
	cutCall = "Not run: the answer was cut off at its longest in the middle of this call. Call it again with a shorter input, " +
		"such as a file in several parts."
	cutInCall = "Your answer was cut off at its longest in the middle of a call, which was not run. Make that call again with a " +
		"shorter input, such as a file in several parts."
	brokenCall = brokenOff + " Call it again if it is still needed."
	lastCall   = "Not run: this was the last request of the run."
	lastNote   = "This is the last request that this run may make, so you can call no tools any more. Answer now with what you know: " +
		"what is done, what is not, and what would come next."
	emptyNote = "Your last answer was empty. Say what you found or did, or go on with the task."
)

// judge returns the calls of an answer that are to be run, or the outcome if the turn ends with it. It ends the calls that
// are not run and puts before the model what it has to know.
func (l *loop) judge(p *pace, a mapper.Answer, maxTokens int64) ([]mapper.Call, session.TurnOutcome, *session.Problem) {
	switch a.Reason {
	case "max_tokens":
		return l.continued(p, a, maxTokens)
	case "model_context_window_exceeded":
		l.giveUp(a.Calls, session.ToolFailed, cutCall)
		return nil, session.TurnLimit, &session.Problem{Kind: session.KindTooLong,
			What: "The conversation has filled the model's window.",
			Next: "Choose a model with a larger window, or start a new session."}
	case "refusal":
		l.giveUp(a.Calls, session.ToolFailed, "Not run: the model declined to go on.")
		return nil, session.TurnRefused, &session.Problem{Kind: session.KindRefused, What: "The model declined to answer.",
			Next: "Ask in another way, or choose another model."}
	case "pause_turn":
		return a.Calls, "", nil
	}
	switch {
	case a.Broken != nil:
		l.giveUp(a.Calls, session.ToolFailed, brokenCall)
		if p.broken++; p.broken >= l.c.o.MaxAttempts {
			return nil, session.TurnFailed, session.ProblemOf(a.Broken, l.c.o.Now())
		}
		return nil, "", nil
	case len(a.Calls) > 0:
		*p = pace{worked: true}
		return a.Calls, "", nil
	case !a.Words && p.empty == 0:
		p.empty++
		l.remind(remind(emptyNote))
		return nil, "", nil
	case !a.Words && !p.worked:
		return nil, session.TurnFailed, &session.Problem{Kind: session.KindServer, What: "The model answered nothing, twice.",
			Next: "Send the prompt again, or choose another model.", Retry: true}
	}
	return nil, session.TurnCompleted, nil
}

// continued lets the model go on after an answer that was cut off at its longest. A call in the middle of which that happened
// is ended; the complete ones before it are run.
func (l *loop) continued(p *pace, a mapper.Answer, maxTokens int64) ([]mapper.Call, session.TurnOutcome, *session.Problem) {
	calls := a.Calls
	if n := len(calls); n > 0 && !isObject(calls[n-1].Input) {
		l.giveUp(calls[n-1:], session.ToolFailed, cutCall)
		calls = calls[:n-1]
	}
	if p.cut++; p.cut > maxContinued {
		l.giveUp(calls, session.ToolFailed, cutCall)
		return nil, session.TurnLimit, &session.Problem{Kind: session.KindTooLong,
			What: fmt.Sprintf("The answer was cut off %d times in a row after %d tokens, which is as long as one may become.", p.cut, maxTokens),
			Next: "Send another prompt, such as \"go on\", to have the rest."}
	}
	switch {
	case a.CutCall:
		l.remind(remind(cutInCall))
	case len(a.Calls) > 0:
	case a.Words: // the next answer goes on in its text
	default:
		l.remind(remind(cutThinking))
	}
	return calls, "", nil
}

// leaveCut ends a text that was cut off and does not go on.
func (l *loop) leaveCut() {
	if b := l.goesOn; b != nil {
		model, _ := l.asked.Load().(string)
		l.goesOn = nil
		m := mapper.Mapper{Head: l.head, Model: model}
		m.Resume(b)
		l.emitAll(m.Leave())
	}
}

// giveUp ends calls that will not run.
func (l *loop) giveUp(calls []mapper.Call, outcome session.ToolOutcome, why string) {
	for _, call := range calls {
		l.c.out.emit(session.ToolEnded{Head: l.head(), Call: call.ID, Outcome: outcome, Result: session.ToolResult{Text: why}})
	}
}
