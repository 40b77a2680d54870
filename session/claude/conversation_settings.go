package claude

import (
	"context"
	"errors"

	"parley/session"
	"parley/session/process"
)

// Configure changes the settings, at once for a running process and otherwise for the next one. Settings that the
// process refuses stay for the next one too.
func (c *conversation) Configure(ctx context.Context, s session.Settings) error {
	s, err := process.WithMode(s)
	if err != nil {
		return err
	}
	if why := c.a.Unsupported(s.Mode); why != "" {
		return session.UnusableMode("configure", why)
	}
	c.Mu.Lock()
	c.Settings = s
	c.Mu.Unlock()
	return c.applySettings(ctx)
}

// applySettings brings the process to the current settings. Calls run one after the other, so the newest settings win.
func (c *conversation) applySettings(ctx context.Context) error {
	leave, err := c.Applying(ctx)
	if err != nil {
		return err
	}
	defer leave()
	c.Mu.Lock()
	e, want := c.Link, c.Settings
	c.Mu.Unlock()
	if e == nil {
		return nil
	}
	before, _ := e.applied.get()
	if before == want {
		return nil
	}
	models, err := c.a.o.Models(ctx)
	if err != nil {
		models = nil
	}
	modeErr := e.applied.setMode(ctx, e.p, want.Mode)
	model, modelErr := e.applied.setModel(ctx, e.p, models, want.Model)
	if model != "" {
		c.switched(e, model)
	}
	return errors.Join(modeErr, modelErr, e.applied.setEffort(ctx, e.p, models, before, want), e.applied.setDirs(ctx, e.p, want.Dirs, c.o.Dirs))
}

// switched records the new model of a process, and reports it if the running turn still uses the old one.
func (c *conversation) switched(e *engine, model string) {
	c.Mu.Lock()
	if e.m.Turn() != "" && switchesLate(e.launch.Version) && c.Link == e && !c.Closed {
		c.Out.Put(process.LateSwitch(e.m.Head(c.a.o.Now()), model))
	}
	c.Out.Put(c.adjust(e, e.m.Switch(model, c.a.o.Now()))...)
	c.Mu.Unlock()
	c.Out.Deliver()
}
