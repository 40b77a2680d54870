package hook

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"parley/session"
	"parley/session/builtin/tool"
	"parley/session/hooks"
	"parley/session/permission"
	"parley/session/toolview"
)

// Call is a call with what hooks say about it before it runs.
type Call struct {
	a    *Agent
	tool *tool.Tool
	id   session.CallID
	// Input is what the call runs with: the model's input, or that of a hook.
	Input json.RawMessage
	// before is what hooks say about the call; again means that a hook has changed the input with its permission; asked that such hooks
	// have run.
	before       hooks.Outcome
	again, asked bool
}

// Before runs the hooks before a call, which may change its input. It returns false and the outcome of a call that may not run.
func (a *Agent) Before(ctx context.Context, t *tool.Tool, id session.CallID, input json.RawMessage) (*Call, tool.Outcome, bool) {
	c := &Call{a: a, tool: t, id: id, Input: input}
	c.before = a.fire(ctx, hooks.Event{Name: hooks.PreToolUse, Tool: t.Name, Input: input, Call: string(id)})
	o := c.before
	if ctx.Err() != nil {
		return c, tool.Cancelled, false
	}
	if o.Stop {
		a.halt.Store(stopped(o.StopWhy))
	}
	switch {
	case o.Blocked:
		return c, c.With(blocked(o.Why, o.Words)), false
	case o.Stop:
		return c, c.With(blocked(cmp.Or(o.StopWhy, "a hook stopped the turn"), "")), false
	}
	if o.Input != nil {
		c.change(o.Input)
	}
	return c, tool.Outcome{}, true
}

// change gives the call the input that a hook wants, which the user sees. It reports whether that is another one.
func (c *Call) change(input json.RawMessage) bool {
	if string(input) == string(c.Input) {
		return false
	}
	c.Input = c.tool.Repair(input)
	c.a.notice("A hook changed the input of " + c.tool.Name + " to " + clip(string(c.Input)))
	return true
}

// clip returns the beginning of a text on one line.
func clip(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if len(text) > 300 {
		return strings.ToValidUTF8(text[:300], "") + "…"
	}
	return text
}

// blocked returns the outcome of a call that a hook has blocked, why as the user and words as the model reads it.
func blocked(why, words string) tool.Outcome {
	return tool.Outcome{How: session.ToolDenied, Result: session.ToolResult{Text: why, Sent: cmp.Or(words, why), Summary: session.BlockedByHook}}
}

// With adds what hooks said before the call to what the model reads of an outcome.
func (c *Call) With(out tool.Outcome) tool.Outcome { return with(out, c.before.Context) }

func with(out tool.Outcome, texts []string) tool.Outcome {
	if len(texts) == 0 {
		return out
	}
	out.Result.Sent = cmp.Or(out.Result.Sent, out.Result.Text, tool.NoOutput)
	for _, text := range texts {
		out.Result.Sent += "\n\n<system-reminder>\n" + text + "\n</system-reminder>"
	}
	return out
}

// After runs the hooks after the call, and returns its outcome with what they say.
func (c *Call) After(ctx context.Context, out tool.Outcome, took time.Duration) tool.Outcome {
	e := hooks.Event{Name: hooks.PostToolUse, Tool: c.tool.Name, Input: c.Input, Call: string(c.id), Text: cmp.Or(out.Result.Sent, out.Result.Text), Took: took}
	switch out.How {
	case session.ToolOK:
		e.Result = hooks.Response(c.tool.Name, c.Input, out.Result.Text)
	case session.ToolFailed:
		e.Name = hooks.PostToolUseFailure
	default:
		return c.With(out)
	}
	if c.a.s == nil || ctx.Err() != nil {
		return out
	}
	o := c.a.fire(ctx, e)
	if o.Stop {
		c.a.halt.Store(stopped(o.StopWhy))
	}
	if o.Output != "" {
		out.Result.Sent = o.Output
	}
	return with(out, append(slices.Clip(c.before.Context), o.Context...))
}

// Asks reports whether a hook wants the user to be asked about the call.
func (c *Call) Asks() bool { return c.before.Verdict == "ask" }

// Again reports, once, whether a hook has changed the input together with its permission, so that the call has to be judged again.
func (c *Call) Again() bool {
	again := c.again
	c.again = false
	return again
}

// Weigh returns a decision about the call with what hooks say: what is allowed is asked where they ask, and what is asked only for
// lack of a rule is allowed where they allow. paths are the files of a change.
func (c *Call) Weigh(p permission.Policy, d permission.Decision, kind toolview.Kind, paths []string) permission.Decision {
	switch {
	case c.Asks() && d.Ruling == permission.Allow:
		d.Ruling, d.Run = permission.Ask, ""
		d.Reason = strings.TrimSuffix("A hook asks about this call: "+c.before.Reason, ": ")
	case c.before.Verdict == "allow" && d.Ruling == permission.Ask && liftable(p, d, kind, paths):
		d.Ruling = permission.Allow
	}
	return d
}

// liftable reports whether a call is asked about only because no rule allows it. What a rule, a broken rule file, plan mode, a danger
// or a guarded file asks about, no hook allows.
func liftable(p permission.Policy, d permission.Decision, kind toolview.Kind, paths []string) bool {
	if d.Rule != nil || p.Locked != "" || p.Mode == session.ModePlan || d.Care.Danger {
		return false
	}
	return kind != toolview.Edit || !slices.ContainsFunc(paths, func(path string) bool { return path != "" && p.Guarded(path) != "" })
}

// Requested runs the hooks of a call about which the user would be asked. done means that they decide; out is then the outcome of a
// call that may not run, or nil.
func (c *Call) Requested(ctx context.Context, p permission.Policy, d permission.Decision, kind toolview.Kind, paths []string) (out *tool.Outcome, done bool) {
	if c.asked {
		return nil, false
	}
	c.asked = true
	o := c.a.fire(ctx, hooks.Event{Name: hooks.PermissionRequest, Tool: c.tool.Name, Input: c.Input, Call: string(c.id)})
	switch {
	case ctx.Err() != nil:
		return &tool.Cancelled, true
	case o.Blocked || o.Stop:
		if o.Interrupt || o.Stop {
			c.a.halt.Store(stopped(cmp.Or(o.StopWhy, o.Why)))
		}
		refused := blocked(cmp.Or(o.Why, o.StopWhy, "a hook stopped the turn"), "")
		return &refused, true
	case o.Verdict != "allow" || c.Asks() || !liftable(p, d, kind, paths):
		return nil, false
	}
	if o.Input != nil && c.change(o.Input) {
		c.before.Verdict, c.again = "allow", true
	}
	return nil, true
}
