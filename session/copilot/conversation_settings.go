package copilot

import (
	"context"
	"errors"
	"fmt"

	"parley/internal/jsonrpc"
	"parley/session"
	"parley/session/copilot/driver"
	"parley/session/process"
)

// Configure changes the settings, for an open session with the next request. Another custom agent and other directories are taken
// with the next prompt, which are allowed at once.
func (c *conversation) Configure(ctx context.Context, s session.Settings) error {
	s, err := process.WithMode(s)
	if err != nil {
		return err
	}
	c.Mu.Lock()
	c.Settings = s
	c.Mu.Unlock()
	c.asks.reconsider()
	return applySettings(ctx, c)
}

// applySettings brings the runtime to the current settings. Calls run one after the other, so the newest settings win.
func applySettings(ctx context.Context, c *conversation) error {
	leave, err := c.Applying(ctx)
	if err != nil {
		return err
	}
	defer leave()
	c.Mu.Lock()
	l, want := c.Link, c.Settings
	var before session.Settings
	if l != nil {
		before = l.applied
	}
	c.Mu.Unlock()
	if l == nil || before == want {
		return nil
	}
	return errors.Join(setMode(ctx, c, l, want.Mode), setModel(ctx, c, l, before, want))
}

// setMode records the mode of an open session. The runtime only knows whether a plan is made; parley judges the calls.
func setMode(ctx context.Context, c *conversation, l *link, want session.Mode) error {
	c.Mu.Lock()
	before := l.applied.Mode
	l.applied.Mode = want
	l.m.SetMode(want)
	c.Mu.Unlock()
	if (before == session.ModePlan) == (want == session.ModePlan) {
		return nil
	}
	return setRuntimeMode(ctx, c, l, want)
}

// setRuntimeMode begins or ends the runtime's plan mode.
func setRuntimeMode(ctx context.Context, c *conversation, l *link, mode session.Mode) error {
	name := "interactive"
	if mode == session.ModePlan {
		name = "plan"
	}
	err := l.call(ctx, "session.mode.set", map[string]any{"mode": name}, nil)
	if isUnknownMethod(err) && mode != session.ModePlan {
		return nil // it has no plan mode to leave
	}
	return settingError(l, "set mode "+string(mode), err)
}

// setModel sets the model and the effort of an open session.
func setModel(ctx context.Context, c *conversation, l *link, before, want session.Settings) error {
	models, err := c.a.o.Models(ctx)
	if err != nil {
		models = nil
	}
	model, old := chooseModel(models, want.Model), chooseModel(models, before.Model)
	effort := session.EffortFor(models, model, want.Effort)
	c.Mu.Lock()
	l.applied.Model, l.applied.Effort = want.Model, want.Effort
	c.Mu.Unlock()
	if model == "" || model == old && effort == session.EffortFor(models, old, before.Effort) {
		return nil
	}
	deferred, err := switchModel(ctx, c, l, model, effort)
	if err != nil {
		c.Mu.Lock()
		l.applied.Model, l.applied.Effort = before.Model, before.Effort
		c.Mu.Unlock()
		return settingError(l, "use the model "+model, err)
	}
	if deferred && model != old {
		c.Mu.Lock()
		if c.Link == l && l.m.Turn() != "" && !c.Closed {
			c.Out.Put(process.LateSwitch(l.m.Head(c.a.o.Now()), model))
		}
		c.Mu.Unlock()
		c.Out.Deliver()
	}
	return nil
}

// switchModel sets the model and the effort in the runtime, which uses them from the next turn on if one runs (deferred). An
// empty effort clears the one that was set.
func switchModel(ctx context.Context, c *conversation, l *link, model, effort string) (deferred bool, err error) {
	params := map[string]any{"modelId": model, "reasoningEffort": nil}
	if effort != "" {
		params["reasoningEffort"] = effort
	}
	var answer struct {
		Deferred bool `json:"deferred"`
	}
	err = l.call(ctx, "session.model.switchTo", params, &answer)
	return answer.Deferred, err
}

// restoreEffort sets the effort of a resumed session, which has the one of before where the parameters name none.
func restoreEffort(ctx context.Context, c *conversation, l *link) error {
	p := l.launch.Params
	if p.Model == "" || p.ReasoningEffort != "" {
		return nil
	}
	var now struct {
		Effort string `json:"reasoningEffort"`
	}
	if err := l.call(ctx, "session.model.getCurrent", nil, &now); err != nil || now.Effort == "" {
		return nil // an old runtime keeps none
	}
	_, err := switchModel(ctx, c, l, p.Model, "")
	return settingError(l, "clear the effort", err)
}

// isUnknownMethod reports whether the runtime does not know the method that was called.
func isUnknownMethod(err error) bool {
	e, ok := errors.AsType[*jsonrpc.Error](err)
	return ok && e.Code == jsonrpc.CodeMethodNotFound
}

// settingError returns why the runtime did not take a setting, nil if it has ended: the next one starts with it.
func settingError(l *link, op string, err error) error {
	switch {
	case err == nil || errors.Is(err, driver.ErrEnded):
		return nil
	case isUnknownMethod(err):
		return &session.Error{Op: op, Kind: session.KindUnsupported, Err: fmt.Errorf("version %s of Copilot cannot do this", l.client.Version())}
	}
	return &session.Error{Op: op, Kind: session.KindRuntime, Err: err}
}
