package ui

import (
	"context"
	"slices"

	"parley/session"
)

// customScreen does for the command /agents what only the root can.
type customScreen struct {
	*permitScreen
	choices *choices
}

// Customs returns a function that reads the custom agents for the session.
func (c *customScreen) Customs() func(ctx context.Context) session.Customs {
	mgr, agent, dir := c.current.opts.Manager, c.current.agent(), c.current.dir()
	if mgr == nil || !mgr.TakesCustoms(agent) {
		return nil
	}
	return func(ctx context.Context) session.Customs { return mgr.Customs(ctx, agent, dir) }
}

// Held returns the custom agent that holds the session.
func (c *customScreen) Held() string { return c.current.settings().Custom }

// Hold lets a custom agent hold the session, with the model that it asks for.
func (c *customScreen) Hold(a session.CustomAgent) {
	s := c.current.settings()
	s.Custom = a.Name
	if id := a.PickModel(c.choices.models); id != "" {
		s.Model = id
		if mod := c.choices.model(id); mod != nil && !slices.Contains(mod.Efforts, s.Effort) {
			s.Effort = ""
		}
	}
	done := "the agent as it is, starting with the next request"
	if a.Name != "" {
		done = a.Name + " holds this session, starting with the next request"
	}
	c.choices.configure(s, done)
}
