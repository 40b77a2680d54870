package cli

import (
	"cmp"
	"context"
	"strings"

	"parley/internal/cli/sessions"
	"parley/session"
	"parley/session/live"
	"parley/ui"
	"parley/ui/core"
)

// opener finds and resumes stored sessions with the settings that flags ask for.
type opener struct {
	services *services
	asked    session.Settings
	// check refuses settings that a session cannot have; ask allows it to ask the service.
	check, ask bool
}

// allowed refuses settings that a session of an agent cannot have.
func (o opener) allowed(ctx context.Context, agent string, v session.Settings) error {
	if !o.check {
		return nil
	}
	return o.services.check(ctx, agent, v, o.ask)
}

// resume resumes a session, which keeps its settings except for those that flags ask for.
func (o opener) resume(ctx context.Context, id session.ID) (*live.Session, error) {
	conv, err := o.services.sessions().Resume(ctx, id)
	if err != nil {
		return nil, err
	}
	was := conv.Settings()
	now := o.settings(was)
	if now == was {
		return conv, nil
	}
	if err := o.allowed(ctx, conv.Meta().Agent, now); err != nil {
		return nil, err
	}
	return conv, conv.Configure(now)
}

// settings returns what flags ask for, and the session's own settings for the rest.
func (o opener) settings(was session.Settings) session.Settings {
	return session.Settings{
		Model: cmp.Or(o.asked.Model, was.Model), Effort: cmp.Or(o.asked.Effort, was.Effort), Mode: cmp.Or(o.asked.Mode, was.Mode),
		Custom: cmp.Or(o.asked.Custom, was.Custom),
	}
}

// show makes the screen show a stored session. If it takes a while to load, the screen shows its end meanwhile, unless a
// prompt is to be sent at once.
func (o opener) show(ctx context.Context, id session.ID, screen *ui.Options) (err error) {
	if screen.First == "" && !screen.Appearance.Inline && !screen.Appearance.Plain {
		if p, ok := o.services.sessions().Preview(ctx, id); ok {
			if now := o.settings(p.Settings); now != p.Settings {
				if err := o.allowed(ctx, p.Meta.Agent, now); err != nil {
					return err
				}
			}
			if o.showEnd(p, screen) {
				return nil
			}
		}
	}
	screen.Session, err = o.resume(ctx, id)
	return err
}

// showEnd makes the screen show the end of a session and load the rest. It reports false if no draft can stand in for the
// session meanwhile; loading it then reports why.
func (o opener) showEnd(p live.Preview, screen *ui.Options) bool {
	draft, err := o.services.sessions().Draft(live.DraftOptions{Agent: p.Meta.Agent, Dir: p.Meta.Dir})
	if err != nil {
		return false
	}
	screen.Session = draft
	screen.Opening = &core.Opening{Meta: p.Meta, Settings: o.settings(p.Settings), Events: p.Events,
		Load: func(ctx context.Context) (*live.Session, error) { return o.resume(ctx, p.Meta.ID) }}
	return true
}

// newest finds the newest session of a directory, false if there is none. missing reports what could not be listed.
func (o opener) newest(ctx context.Context, dir string) (id session.ID, ok bool, missing []string, err error) {
	list, missing, err := sessions.List(ctx, o.services.manager, false)
	if err != nil {
		return "", false, nil, err
	}
	id, ok = live.Newest(list, dir)
	return id, ok, missing, nil
}

// named finds the session whose id begins with the words: false if there is not exactly one.
func (o opener) named(ctx context.Context, words string) (session.ID, bool, error) {
	if words == "" || strings.ContainsAny(words, " \n") {
		return "", false, nil
	}
	list, _, err := sessions.Named(ctx, o.services.manager, words) // the picker, or the session, reports what is missing
	if err != nil {
		return "", false, err
	}
	found, err := live.Match(list, words)
	return found.ID, err == nil, nil
}
