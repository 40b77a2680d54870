package cli

import (
	"context"

	"parley/session"
	"parley/session/live"
	"parley/ui"
	"parley/ui/chat"
)

// openSession makes the screen show a stored session. Of one that takes a while to be loaded the screen shows the end
// meanwhile, unless something is to be sent to it at once.
func (a *app) openSession(ctx context.Context, s *services, id session.ID, o *ui.Options) (err error) {
	if o.First == "" && !o.Appearance.Inline && a.cfg.Screen != "plain" {
		if p, ok := s.manager.Preview(ctx, id); ok {
			if now := a.askedOr(p.Settings); now != p.Settings {
				if err := s.check(ctx, p.Meta.Agent, now); err != nil {
					return err
				}
			}
			if a.showEnd(s, p, o) {
				return nil
			}
		}
	}
	o.Session, err = a.resumeSession(ctx, s, id)
	return err
}

// showEnd makes the screen show the end of a session and load the rest. It reports false if nothing can stand in for the
// session meanwhile.
func (a *app) showEnd(s *services, p live.Preview, o *ui.Options) bool {
	draft, err := s.manager.Draft(live.DraftOptions{Agent: p.Meta.Agent, Dir: p.Meta.Dir})
	if err != nil {
		return false // whoever loads the session tells why
	}
	o.Session = draft
	o.Opening = &chat.Opening{Meta: p.Meta, Settings: a.askedOr(p.Settings), Events: p.Events, Load: func(ctx context.Context) (*live.Session, error) {
		return a.resumeSession(ctx, s, p.Meta.ID)
	}}
	return true
}

// newestSession finds the session that -c continues, false if there is none, and says what could not be listed.
func newestSession(ctx context.Context, s *services, dir string) (id session.ID, ok bool, missing []string, err error) {
	list, missing, err := listAll(ctx, s.manager)
	if err != nil {
		return "", false, nil, err
	}
	id, ok = live.Newest(list, dir)
	return id, ok, missing, nil
}
