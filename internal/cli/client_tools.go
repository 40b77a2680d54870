package cli

import (
	"context"

	"parley/internal/cli/command"
	"parley/session"
	"parley/session/clienttools"
	"parley/session/live"
	wordsearch "parley/session/words"
	"parley/ui/attention"
)

// clientTools returns what gives conversations the tools of parley, nil where there are none: a run without a user, in which each of
// them would be refused, and the demo. manager is called by the tools.
func (a *app) clientTools(manager func() *live.Manager, unattended bool) (func(session.Agent, session.OpenOptions) []session.ClientTool, error) {
	if err := clienttools.CheckOff(a.cfg.Tools.Off); err != nil {
		return nil, command.Usagef("tools.off: %w", err)
	}
	if unattended || a.demo != nil {
		return nil, nil
	}
	o := clienttools.Options{Off: a.cfg.Tools.Off, Search: func(ctx context.Context, q clienttools.Search) ([]clienttools.Found, error) {
		return earlier(ctx, manager(), q)
	}}
	if a.cfg.UI.Notify != "off" {
		o.Notify = attention.Desktop(a.getenv)
	}
	return clienttools.New(o).For, nil
}

// earlier finds earlier sessions of a directory. With the error of the context it returns those found so far.
func earlier(ctx context.Context, m *live.Manager, q clienttools.Search) (all []clienttools.Found, err error) {
	query := wordsearch.New(q.Words)
	if query == nil {
		return nil, nil
	}
	metas, err := m.List(ctx)
	if err != nil {
		return nil, err
	}
	for _, meta := range metas {
		if len(all) == q.Most || ctx.Err() != nil {
			break
		}
		if meta.Dir != q.Dir || meta.ID == q.Session {
			continue
		}
		hit, ok := m.Find(ctx, query, meta)
		if !ok {
			continue
		}
		f := clienttools.Found{Meta: meta}
		for _, p := range hit.Passages {
			f.Passages = append(f.Passages, p.Text)
		}
		all = append(all, f)
	}
	return all, ctx.Err()
}
