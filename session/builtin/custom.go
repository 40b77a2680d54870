package builtin

import (
	"cmp"
	"context"

	"parley/session"
	"parley/session/builtin/role"
	"parley/session/builtin/skilltool"
	"parley/session/builtin/wire"
)

var _ session.CustomsLister = (*Agent)(nil)

// Customs returns the custom agents, prompts and skills of a directory.
func (a *Agent) Customs(ctx context.Context, dir string) session.Customs {
	var c session.Customs
	if a.o.Customs != nil {
		c = a.o.Customs.Customs(ctx, dir)
	}
	if a.o.Skills != nil {
		c.Commands = skilltool.Commands(a.o.Skills.Find(ctx, dir))
	}
	return c
}

// become makes the top the agent that the user has chosen, and reports why that is impossible. Only the running turn calls it.
func (c *conversation) become(ctx context.Context) *session.Problem {
	want := c.current().Custom
	if want == c.chosen {
		return nil
	}
	r := role.Top
	if want != "" {
		if c.o.Customs == nil {
			return &session.Problem{Kind: session.KindUnsupported, What: "Custom agents are not available here.", Next: "Use /agents none to go on without."}
		}
		a, err := c.o.Customs.Chosen(ctx, c.open.Dir, want)
		if err != nil {
			p := session.ProblemOf(err, c.o.Now())
			p.Next = "Choose another agent with /agents, or none with /agents none."
			return p
		}
		r = role.Held(*a)
	}
	c.release()
	c.release = c.has.crew.Use(r.Custom())
	c.top.play(r, c.has.own)
	c.chosen = want
	return nil
}

// settings returns the model and the effort of the next request. At the top it reports them.
func (l *loop) settings(models []session.Model) (session.Model, string) {
	s := l.c.current()
	if l.child == "" {
		model := wire.ChooseModel(models, cmp.Or(s.Model, l.role().Pick(models)))
		if len(models) > 0 { // else it is a guess, which nobody has confirmed
			s.Model = model.ID
		}
		l.c.tell(s)
		return model, cmp.Or(s.Effort, l.role().Effort(model))
	}
	above := wire.ChooseModel(models, cmp.Or(l.aboveModel(), s.Model))
	return l.role().ChildModel(models, l.job.model, above, s.Effort)
}

// aboveModel returns the model that an agent above was given, "" for the session's.
func (l *loop) aboveModel() string {
	for p := l.parent; p != nil && p.job != nil; p = p.parent {
		if p.job.model != "" {
			return p.job.model
		}
	}
	return ""
}
