package lines

import (
	"path/filepath"
	"strings"

	"parley/session"
	"parley/ui/core"
	"parley/ui/style"
)

// agents lets a custom agent hold the session, or lists them.
func (s *settings) agents(args string) {
	t := s.talk
	agent, dir, mgr := t.session.Meta().Agent, t.session.Meta().Dir, t.opts.Manager
	if !mgr.TakesCustoms(agent) {
		t.print("note", "this agent has no custom agents")
		return
	}
	if strings.EqualFold(args, "none") {
		v := t.session.Settings()
		v.Custom = ""
		s.set(v, "no custom agent")
		return
	}
	t.background(func() func() {
		all := mgr.Customs(t.ctx, agent, dir)
		var models []session.Model
		if t.opts.Catalog != nil && args != "" {
			models, _ = t.opts.Catalog.Models(t.ctx) // without them the agent keeps the model of the session
		}
		return func() { s.gotCustoms(all, models, args) }
	})
}

func (s *settings) gotCustoms(all session.Customs, models []session.Model, args string) {
	t, v := s.talk, s.talk.session.Settings()
	if args != "" {
		if a := all.Named(args); a != nil {
			s.set(core.WithCustom(v, *a, models), "custom agent "+a.Name)
			return
		}
		t.print("note", style.OneLine("no custom agent "+args+"; these can hold the session:"))
	}
	for _, a := range all.Agents {
		if !a.Unlisted {
			t.out(style.Visible(style.OneLine(a.Name + ": " + a.About)))
		}
	}
	for _, p := range all.Problems {
		t.print("warning", style.OneLine(filepath.Base(p.Path)+": "+p.Text()))
	}
	if all.Untrusted > 0 {
		t.print("note", "this project has more, which can be used once you trust it: /trust")
	}
	t.print("note", "/agents NAME chooses one, /agents none goes on without")
}
