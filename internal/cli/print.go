package cli

import (
	"cmp"
	"context"
	"errors"
	"strings"

	"parley/internal/cli/command"
	"parley/internal/cli/headless"
	"parley/internal/cli/sessions"
	"parley/session"
	"parley/session/live"
)

// answer runs prompts without a screen: one, or those that lines of standard input say.
func answer(ctx context.Context, a *app, f rootFlags, dir, prompt string) error {
	if _, err := a.keyBindings(); err != nil {
		return err // like any other mistake in the configuration
	}
	asked, err := f.print.read(a)
	if err != nil {
		return err
	}
	client, err := a.signIn().Client(ctx)
	if err != nil {
		return err
	}
	s, err := newServices(ctx, a, client, run{headless: true, answered: f.print.driven()})
	if err != nil {
		return err
	}
	defer s.close(ctx)
	s.sweep(ctx, 0)
	dir, tree, err := s.workIn(ctx, a, f, dir)
	if err != nil {
		return err
	}
	if tree != "" {
		a.complain(tree)
	}
	a.complainAll(append(s.agent.notices, a.ruleNotices(dir)...))
	ctx, stop := command.UntilSignal(ctx)
	defer stop()
	h := printRun{app: a, services: s, open: opener{services: s, asked: a.asked, check: true, ask: true}, asked: asked}
	conv, prompt, err := h.begin(ctx, f, dir, prompt)
	if sig, ok := errors.AsType[command.Signaled](context.Cause(ctx)); ok && err != nil {
		return command.ExitError{Code: sig.Code()}
	}
	if err != nil {
		return err
	}
	conv.Bound(asked.limits)
	p := headless.NewPrinter(h.printing(ctx, f, conv))
	detach := p.Begin(conv)
	defer detach()
	if !f.cont && !f.resume {
		defer h.discardUnanswered(ctx, conv, p)
	}
	if f.print.driven() {
		return h.drive(ctx, p, conv, prompt)
	}
	ended, structured, err := headless.Ask(ctx, conv, p, asked.schema, prompt)
	if sig, ok := errors.AsType[command.Signaled](context.Cause(ctx)); ok {
		p.Finish(ended, int(sig.Code()), nil)
		if r := p.Remote(); r != nil && !r.State.Ended() {
			h.app.complain("the task keeps running on GitHub", strings.TrimSpace("Follow it with `parley -r "+string(conv.ID())+"`. "+r.URL))
		}
		return command.ExitError{Code: sig.Code()}
	}
	if err != nil {
		return err
	}
	return h.report(ctx, p, ended, structured)
}

// printRun is one run of -p.
type printRun struct {
	app      *app
	services *services
	open     opener
	asked    printing
}

// printing returns the options of the printer.
func (h printRun) printing(ctx context.Context, f rootFlags, conv *live.Session) headless.Options {
	o := headless.Options{Out: h.app.out, Format: f.print.output, Limits: h.asked.limits}
	if !h.services.manager.KeepsLimits(conv.Meta().Agent) {
		id := conv.ID()
		o.Figures = func() headless.Figures { return h.services.endpoints.Figures(id) }
	}
	if f.print.driven() {
		o.Each = func(e session.TurnEnded, inVain bool) int {
			if sig, ok := errors.AsType[command.Signaled](context.Cause(ctx)); ok {
				return int(sig.Code())
			}
			return int(outcomeCode(e, inVain))
		}
	}
	return o
}

// drive does what the lines of standard input say, until they end.
func (h printRun) drive(ctx context.Context, p *headless.Printer, conv *live.Session, first string) error {
	err := p.Drive(ctx, h.app.in, first, func(ctx context.Context, v session.Settings) error {
		if err := h.open.allowed(ctx, conv.Meta().Agent, v); err != nil {
			return err
		}
		return conv.Configure(v)
	})
	if sig, ok := errors.AsType[command.Signaled](context.Cause(ctx)); ok {
		return command.ExitError{Code: sig.Code()}
	}
	if err = errors.Join(err, p.Failure()); err != nil {
		return err
	}
	if code := command.ExitCode(p.Code()); code != command.ExitOK {
		return command.ExitError{Code: code}
	}
	return nil
}

// begin opens the session to send the prompt to, and returns the prompt without the session's name.
func (h printRun) begin(ctx context.Context, f rootFlags, dir, prompt string) (*live.Session, string, error) {
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
		return h.resumeNamed(ctx, prompt, f.print.driven())
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
func (h printRun) resumeNamed(ctx context.Context, prompt string, driven bool) (*live.Session, string, error) {
	name, rest, _ := strings.Cut(prompt, " ")
	list, missing, err := sessions.Named(ctx, h.services.manager, name)
	if err != nil {
		return nil, "", err
	}
	h.app.complainAll(missing)
	named, err := live.Match(list, name)
	if err != nil {
		return nil, "", err
	}
	if strings.TrimSpace(rest) == "" && !driven {
		return nil, "", command.Usagef("-p -r ID needs words after the id")
	}
	conv, err := h.open.resume(ctx, named.ID)
	return conv, rest, err
}

// discardUnanswered deletes the session of this run if nothing was answered: there is nothing to resume, and its prompt is on
// the command line.
func (h printRun) discardUnanswered(ctx context.Context, conv *live.Session, p *headless.Printer) {
	if p.Answered() {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeTime)
	defer cancel()
	id := conv.ID()
	err := conv.Close(ctx)
	if err == nil {
		err = h.services.manager.Remove(ctx, id, true)
	}
	if err != nil {
		h.app.log.Info("a run without an answer leaves its session", "session", id, "error", err)
	}
}

// report prints the end of the turn and returns the program's exit.
func (h printRun) report(ctx context.Context, p *headless.Printer, ended session.TurnEnded, structured []byte) error {
	code := outcomeCode(ended, p.InVain(ctx))
	text := p.Finish(ended, int(code), structured)
	if h.asked.schema != nil {
		text = string(structured) // what does not satisfy the schema is in the session
	}
	if h.asked.text && text != "" {
		if err := h.print(text); err != nil {
			return err
		}
	}
	if r := p.Remote(); r != nil && r.Pull != nil && h.asked.text {
		h.app.err.Sentence("Pull request #%d: %s", r.Pull.Number, r.Pull.URL)
	}
	if problem := ended.Problem; problem != nil {
		if ended.Outcome == session.TurnLimit && problem.Next != session.LimitNext && !strings.Contains(problem.Next, "limits.") {
			problem.Next = "Go on in another run with `parley -p -c`." // a run has one prompt
		}
		if text != problem.What || !h.asked.text {
			h.app.complain(problem.What, problem.Next)
		} else if problem.Next != "" {
			h.app.err.Sentence("%s", problem.Next)
		}
	}
	for _, n := range p.Notes(h.asked.text) {
		h.app.complain(n.What, n.Next)
	}
	if code != command.ExitOK {
		return command.ExitError{Code: code}
	}
	return p.Failure()
}

// print prints the answer: JSON that a schema wants as it is, everything else as markdown.
func (h printRun) print(text string) error {
	if h.asked.schema != nil {
		return h.app.out.JSONLine([]byte(text))
	}
	return pagesOf(h.app).markdown(text)
}

// outcomeCode returns the exit code of a turn. inVain reports that something was refused and no file was changed.
func outcomeCode(e session.TurnEnded, inVain bool) command.ExitCode {
	switch e.Outcome {
	case session.TurnCompleted:
		return map[bool]command.ExitCode{true: command.ExitRefused, false: command.ExitOK}[inVain]
	case session.TurnRefused:
		return command.ExitRefused
	case session.TurnCancelled:
		return command.ExitInterrupt
	}
	if e.Problem != nil {
		if code := command.CodeOfKind(e.Problem.Kind); code != command.ExitUsage {
			return cmp.Or(code, command.ExitFailed)
		}
	}
	return command.ExitFailed
}
