package cli

import (
	"context"
	"errors"
	"strings"

	"parley/session"
	"parley/session/live"
)

// SchemaVersion is the version of what -p and `sessions show` print as JSON. It grows when a field changes its meaning or
// goes away; new fields and new types of events may come without.
const SchemaVersion = 1

// Result is what -p prints as JSON, and the last line of stream-json.
type Result struct {
	Type       string              `json:"type"` // "result"
	V          int                 `json:"v"`
	Session    session.ID          `json:"session"`
	Agent      string              `json:"agent"`
	Model      string              `json:"model,omitempty"`
	Outcome    session.TurnOutcome `json:"outcome"`
	Result     string              `json:"result"` // what the agent said last
	Problem    *session.Problem    `json:"problem,omitempty"`
	Refusals   []Refusal           `json:"refusals"`
	Usage      session.Usage       `json:"usage"`
	NanoAIU    int64               `json:"nanoAIU,omitempty"`
	DurationMS int64               `json:"durationMs"`
	ExitCode   ExitCode            `json:"exitCode"`
}

// Refusal is an ask that was refused because nobody was there to answer.
type Refusal struct {
	Tool    string `json:"tool,omitempty"`
	Subject string `json:"subject,omitempty"` // the command or path
	Kind    string `json:"kind"`
}

// answer runs one prompt without a screen.
func (a *app) answer(ctx context.Context, f rootFlags, dir, prompt string) error {
	if _, err := a.keyBindings(); err != nil {
		return err // as every other mistake in the configuration
	}
	client, err := a.signedIn(ctx)
	if err != nil {
		return err
	}
	s, err := a.newServices(ctx, client, true)
	if err != nil {
		return err
	}
	defer s.closeSoon(ctx)
	s.sweep(ctx)
	for _, notice := range s.agent.notices {
		a.complain(notice)
	}
	ctx, stop := untilSignal(ctx)
	defer stop()
	s.check = func(ctx context.Context, agent string, v session.Settings) error {
		return a.checkChosen(ctx, s.catalog, agent, v, true)
	}
	conv, prompt, err := a.headlessSession(ctx, s, f, dir, prompt)
	if sig, ok := errors.AsType[signalled](context.Cause(ctx)); ok && err != nil {
		return exitError{sig.code()}
	}
	if err != nil {
		return err
	}
	p := &printer{out: a.out, format: f.output}
	if !f.cont && !f.resume {
		defer a.forgetUnanswered(ctx, s, p)
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
	return a.report(p, ended)
}

// forgetUnanswered deletes the session that this run began and in which nothing was answered: there is nothing to go on
// with, and its prompt stands on the command line.
func (a *app) forgetUnanswered(ctx context.Context, s *services, p *printer) {
	if p.session == nil || p.answered() {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeTime)
	defer cancel()
	id := p.session.ID()
	err := p.session.Close(ctx)
	if err == nil {
		err = s.store.Remove(ctx, id)
	}
	if archive := a.claudeArchive(); archive != nil && p.session.Meta().Agent == "claude" {
		err = errors.Join(err, archive.Remove(ctx, id))
	}
	if err != nil {
		s.log.Info("a run without an answer leaves its session", "session", id, "error", err)
	}
}

// headlessSession opens the session that -p speaks in, and returns what is left of the prompt.
func (a *app) headlessSession(ctx context.Context, s *services, f rootFlags, dir, prompt string) (*live.Session, string, error) {
	switch {
	case f.cont:
		id, ok, missing, err := newestSession(ctx, s, dir)
		a.complainAll(missing)
		if err == nil && !ok {
			err = &session.Error{Op: "continue", Kind: session.KindNotFound, Err: errors.New("there is no session of this directory yet")}
		}
		if err != nil {
			return nil, "", err
		}
		conv, err := a.resumeSession(ctx, s, id)
		return conv, prompt, err
	case f.resume:
		id, rest, _ := strings.Cut(prompt, " ")
		list, missing, err := listAll(ctx, s.manager)
		if err != nil {
			return nil, "", err
		}
		a.complainAll(missing)
		found, err := live.Match(list, id)
		if err != nil {
			return nil, "", err
		}
		if strings.TrimSpace(rest) == "" {
			return nil, "", usagef("-p -r ID needs words after the id")
		}
		conv, err := a.resumeSession(ctx, s, found)
		return conv, rest, err
	default:
		o, err := a.draftOptions(s.agent.name, dir)
		if err != nil {
			return nil, "", err
		}
		if err := s.check(ctx, o.Agent, o.Settings); err != nil {
			return nil, "", err
		}
		conv, err := s.manager.Draft(o)
		return conv, prompt, err
	}
}

// report prints the end of the turn and turns it into the program's exit.
func (a *app) report(p *printer, ended session.TurnEnded) error {
	code := outcomeCode(ended)
	text := p.finish(ended, code)
	if p.format == "text" && text != "" {
		if err := a.printMarkdown(text); err != nil {
			return err
		}
	}
	if ended.Problem != nil {
		if text != ended.Problem.What || p.format != "text" {
			a.complain(ended.Problem.What)
		}
		if ended.Problem.Next != "" {
			a.err.message(ended.Problem.Next)
		}
	}
	if code != ExitOK {
		return exitError{code}
	}
	return p.err
}

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
