package claude

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"parley/session"
	"parley/session/claude/driver"
)

// Configure changes model, effort and mode. A living process is told what is new to it; otherwise the next one is started
// so. What the runtime could not take is kept nevertheless, and is what the next process starts with.
func (c *conversation) Configure(ctx context.Context, s session.Settings) error {
	if s.Mode == "" {
		s.Mode = session.ModeDefault
	}
	if !slices.Contains(session.Modes, s.Mode) {
		return invalid("configure", fmt.Errorf("there is no permission mode %q", s.Mode))
	}
	if why := c.a.Unsupported(s.Mode); why != "" {
		return session.UnusableMode("configure", why)
	}
	c.mu.Lock()
	c.settings = s
	c.mu.Unlock()
	return c.tell(ctx)
}

// tell tells the process what it does not know of the settings. One tells at a time, so that what was chosen last arrives
// last.
func (c *conversation) tell(ctx context.Context) error {
	select {
	case c.telling <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { <-c.telling }()
	c.mu.Lock()
	e, want := c.rt, c.settings
	if e == nil {
		c.mu.Unlock()
		return nil
	}
	told := e.told
	c.mu.Unlock()
	if told == want {
		return nil
	}
	models, err := c.a.o.Models(ctx)
	if err != nil {
		models = nil
	}
	return errors.Join(
		c.tellMode(ctx, e, told.Mode, want.Mode),
		c.tellModel(ctx, e, models, told.Model, want.Model),
		c.tellEffort(ctx, e, models, told, want),
	)
}

func (c *conversation) tellMode(ctx context.Context, e *engine, told, want session.Mode) error {
	if told == want {
		return nil
	}
	c.knows(func() { e.telling = true })
	err := e.p.SetMode(ctx, string(want))
	c.knows(func() {
		e.telling = false
		if err == nil {
			e.told.Mode = want
		}
	})
	return c.refused(e, "set mode "+string(want), err)
}

func (c *conversation) tellModel(ctx context.Context, e *engine, models []session.Model, told, want string) error {
	if told == want {
		return nil
	}
	c.knows(func() { e.told.Model = want }) // before the runtime says so
	model := chooseModel(models, want)
	err := e.p.SetModel(ctx, spelledFor(models, model))
	if err != nil {
		c.knows(func() { e.told.Model = told })
	} else {
		c.switched(e, model)
	}
	return c.refused(e, "use the model "+want, err)
}

// switched takes note of the model that a process was told to use, and says so if the running turn does not use it.
func (c *conversation) switched(e *engine, model string) {
	c.mu.Lock()
	if e.m.Turn() != "" && switchesLate(e.launch.Version) && c.rt == e && !c.closed {
		c.out.Put(session.Notice{Head: e.m.Head(c.a.o.Now()), Severity: session.Info,
			Text: fmt.Sprintf("This turn goes on with the model it began with. %s is used from the next prompt on.", model)})
	}
	c.out.Put(c.adjust(e, e.m.Switch(model, c.a.o.Now()))...)
	c.mu.Unlock()
	c.out.Deliver()
}

// tellEffort sets or clears the effort. One that the old model took and the new one does not is cleared, because the
// service refuses it.
func (c *conversation) tellEffort(ctx context.Context, e *engine, models []session.Model, told, want session.Settings) error {
	was := effortFor(models, chooseModel(models, told.Model), told.Effort)
	now := effortFor(models, chooseModel(models, want.Model), want.Effort)
	var err error
	if was != now {
		err = e.p.SetEffort(ctx, now)
	}
	if err == nil {
		c.knows(func() { e.told.Effort = want.Effort })
	}
	return c.refused(e, "set the effort", err)
}

// knows takes note of what the process has been told.
func (c *conversation) knows(change func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	change()
}

// refused words why a process did not take a setting. One that is gone has not refused anything: the next one starts with
// the new settings.
func (c *conversation) refused(e *engine, op string, err error) error {
	if err == nil {
		return nil
	}
	select {
	case <-e.p.Done():
		return nil
	default:
	}
	if errors.Is(err, driver.ErrUnsupported) {
		return &session.Error{Op: op, Kind: session.KindUnsupported, Err: err}
	}
	return err
}

// maxTitles is how often a title is asked for: a few short words may be too few to make one of.
const maxTitles = 3

// makeTitle lets the runtime name the session, which it does without writing to its transcript. A session without a title
// is shown by its first prompt, so nothing is said if there is none.
func (c *conversation) makeTitle(e *engine, about string) {
	title, err := e.p.GenerateTitle(c.life, about)
	if err != nil || title == "" {
		c.a.o.Log.Debug("no title", "session", c.o.Session, "error", err)
		c.mu.Lock()
		c.titles++
		c.titled = c.titles >= maxTitles
		c.mu.Unlock()
		return
	}
	c.mu.Lock()
	if !c.closed {
		c.out.Put(session.TitleChanged{Head: session.Head{Session: c.o.Session, Gen: e.gen, At: c.a.o.Now()}, Title: title})
	}
	c.mu.Unlock()
	c.out.Deliver()
}
