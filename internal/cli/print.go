package cli

import (
	"context"
	"errors"
	"strings"

	"parley/session"
	"parley/session/live"
)

// answer runs one prompt without a screen.
func answer(ctx context.Context, a *app, f rootFlags, dir, prompt string) error {
	if _, err := a.keyBindings(); err != nil {
		return err // like any other mistake in the configuration
	}
	client, err := newSignIn(a).client(ctx)
	if err != nil {
		return err
	}
	s, err := newServices(ctx, a, client, true)
	if err != nil {
		return err
	}
	defer s.close(ctx)
	s.sweep(ctx, 0)
	a.complainAll(append(s.agent.notices, a.ruleNotices(dir)...))
	ctx, stop := untilSignal(ctx)
	defer stop()
	h := headless{app: a, services: s, open: opener{services: s, asked: a.asked, check: true, ask: true}}
	conv, prompt, err := h.begin(ctx, f, dir, prompt)
	if sig, ok := errors.AsType[signalled](context.Cause(ctx)); ok && err != nil {
		return exitError{sig.code()}
	}
	if err != nil {
		return err
	}
	p := &printer{out: a.out, format: f.output}
	if !f.cont && !f.resume {
		defer h.discardUnanswered(ctx, p)
	}
	detach := p.begin(conv)
	ended, err := conv.Ask(ctx, session.Prompt{Text: prompt})
	detach()
	if sig, ok := errors.AsType[signalled](context.Cause(ctx)); ok {
		p.finish(ended, sig.code())
		return exitError{sig.code()}
	}
	if err != nil {
		return err
	}
	return h.report(p, ended)
}

// headless answers one prompt.
type headless struct {
	app      *app
	services *services
	open     opener
}

// begin opens the session to send the prompt to, and returns the prompt without the session's name.
func (h headless) begin(ctx context.Context, f rootFlags, dir, prompt string) (*live.Session, string, error) {
	switch {
	case f.cont:
		id, ok, missing, err := h.open.newest(ctx, dir)
		h.app.complainAll(missing)
		if err == nil && !ok {
			err = &session.Error{Op: "continue", Kind: session.KindNotFound, Err: errors.New("this directory has no session yet")}
		}
		if err != nil {
			return nil, "", err
		}
		conv, err := h.open.resume(ctx, id)
		return conv, prompt, err
	case f.resume:
		return h.resumeNamed(ctx, prompt)
	}
	o, err := draftOptions(h.app, h.services.agent.name, dir)
	if err != nil {
		return nil, "", err
	}
	if err := h.open.allowed(ctx, o.Agent, o.Settings); err != nil {
		return nil, "", err
	}
	conv, err := h.services.manager.Draft(o)
	return conv, prompt, err
}

// resumeNamed resumes the session that the first word of the prompt names, and returns the rest of the prompt.
func (h headless) resumeNamed(ctx context.Context, prompt string) (*live.Session, string, error) {
	name, rest, _ := strings.Cut(prompt, " ")
	list, missing, err := listAll(ctx, h.services.manager)
	if err != nil {
		return nil, "", err
	}
	h.app.complainAll(missing)
	id, err := live.Match(list, name)
	if err != nil {
		return nil, "", err
	}
	if strings.TrimSpace(rest) == "" {
		return nil, "", usagef("-p -r ID needs words after the id")
	}
	conv, err := h.open.resume(ctx, id)
	return conv, rest, err
}

// discardUnanswered deletes the session of this run if nothing was answered: there is nothing to resume, and its prompt is on
// the command line.
func (h headless) discardUnanswered(ctx context.Context, p *printer) {
	if p.session == nil || p.answered() {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeTime)
	defer cancel()
	id := p.session.ID()
	err := p.session.Close(ctx)
	if err == nil {
		err = h.services.manager.Remove(ctx, id, true)
	}
	if err != nil {
		h.app.log.Info("a run without an answer leaves its session", "session", id, "error", err)
	}
}

// report prints the end of the turn and returns the program's exit.
func (h headless) report(p *printer, ended session.TurnEnded) error {
	code := outcomeCode(ended)
	text := p.finish(ended, code)
	if p.format == "text" && text != "" {
		if err := pagesOf(h.app).markdown(text); err != nil {
			return err
		}
	}
	if problem := ended.Problem; problem != nil {
		if text != problem.What || p.format != "text" {
			h.app.complain(problem.What, problem.Next)
		} else if problem.Next != "" {
			h.app.err.Sentence("%s", problem.Next)
		}
	}
	if code != ExitOK {
		return exitError{code}
	}
	return p.err
}

// outcomeCode returns the exit code of a turn.
func outcomeCode(e session.TurnEnded) ExitCode {
	switch e.Outcome {
	case session.TurnCompleted:
		return ExitOK
	case session.TurnRefused:
		return ExitRefused
	case session.TurnCancelled:
		return ExitInterrupt
	}
	if e.Problem != nil {
		if code := codeOfKind(e.Problem.Kind); code != ExitUsage {
			return code
		}
	}
	return ExitFailed
}
