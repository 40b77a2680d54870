package claude

import (
	"path/filepath"
	"slices"
	"strings"

	"parley/session"
	"parley/session/claude/driver"
	"parley/session/claude/guard"
	"parley/session/permission"
)

// calls holds what is known of the running tool calls of a process. The conversation's lock guards it.
type calls struct {
	shell    string   // that runs commands, as [guard.Shell] names it
	settings []string // files of settings that the runtime reads
	ownRules bool     // it has rules from elsewhere, too

	running map[session.CallID]*runningCall
	ran     map[session.CallID]string // what runs in place of the command of a call that has not ended
	moved   map[string]int            // calls that may have changed the directory and have ended, by child agent
}

// runningCall is a tool call between the hook before it and its end.
type runningCall struct {
	guard.Call
	moves bool // it may change the directory in which later commands begin
	moved int  // how often the directory may have changed before
	note  string
}

func newCalls() calls {
	return calls{running: map[session.CallID]*runningCall{}, ran: map[session.CallID]string{}, moved: map[string]int{}}
}

// begin adds a call. asked is why the hook made the runtime ask the user, "" if it did not.
func (c *calls) begin(call guard.Call, asked string, moves bool) {
	call.Asked, call.Input = asked, nil
	c.running[call.ID] = &runningCall{Call: call, moves: moves, moved: c.moved[call.Agent]}
}

// complete adds to a permission request what only the hook before the call said. The directory is unknown if another call
// may have changed it since.
func (c *calls) complete(q guard.Call) guard.Call {
	r := c.running[q.ID]
	q.Dir = ""
	if r == nil {
		return q
	}
	q.Mode, q.Asked, q.Dir = r.Mode, r.Asked, r.Dir
	if r.moved != c.moved[r.Agent] || c.moving(r.Call) {
		q.Dir = ""
	}
	return q
}

// moving reports whether another running call of the same agent may change its directory.
func (c *calls) moving(call guard.Call) bool {
	for id, r := range c.running {
		if id != call.ID && r.moves && r.Agent == call.Agent {
			return true
		}
	}
	return false
}

// note keeps the user's message with the allowance of a call until the call has run.
func (c *calls) note(id session.CallID, message string) {
	if r := c.running[id]; r != nil {
		r.note = message
	}
}

// take returns the note of a call, once.
func (c *calls) take(id session.CallID) string {
	r := c.running[id]
	if r == nil {
		return ""
	}
	note := r.note
	r.note = ""
	return note
}

// replace notes the text that runs in place of the command of a call, "" for none.
func (c *calls) replace(id session.CallID, run string) {
	if delete(c.ran, id); run != "" && id != "" {
		c.ran[id] = run
	}
}

// ended removes a call and returns its end with what ran in place of its command. A call in the background ends twice.
func (c *calls) ended(e session.ToolEnded) session.ToolEnded {
	if e.Outcome != session.ToolDenied {
		e.Result.Ran = c.ran[e.Call]
	}
	if !e.Result.Background {
		delete(c.ran, e.Call)
	}
	c.remove(e.Call)
	return e
}

// remove removes a call from those that run.
func (c *calls) remove(id session.CallID) {
	r := c.running[id]
	if r == nil {
		return
	}
	delete(c.running, id)
	if r.moves {
		c.moved[r.Agent]++
	}
}

// callsOf returns what is known of the calls of a runtime before the first one: its shell, and where its rules are.
func (a *Agent) callsOf(l driver.Launch) calls {
	c := newCalls()
	c.settings = []string{filepath.Join(a.transcripts, "settings.json")}
	if l.Trusted {
		c.settings = append(c.settings, filepath.Join(l.Dir, ".claude", "settings.json"), filepath.Join(l.Dir, ".claude", "settings.local.json"))
	}
	c.shell = guard.Shell(driver.Environ(l), c.settings...)
	c.settings = append(c.settings, filepath.Join(a.transcripts, "remote-settings.json"))
	limited := func(tool string) bool { return strings.Contains(tool, "(") && guard.AboutCommands(tool) }
	c.ownRules = a.o.ManagedSettings() || slices.ContainsFunc(l.Disallowed, limited)
	for _, agent := range l.Agents {
		c.ownRules = c.ownRules || slices.ContainsFunc(agent.DisallowedTools, limited)
	}
	return c
}

// hooked answers a hook of the runtime before or after a tool call. A call that may change files waits for their images.
func hooked(c *conversation, e *engine, r driver.Request) error {
	event, call, ok := guard.ReadHook(r.Raw)
	switch {
	case event == "PostToolUse" || event == "PostToolUseFailure":
		c.Mu.Lock()
		note := e.calls.take(call.ID)
		c.Mu.Unlock()
		return e.p.Reply(r.ID, afterTool(event, note))
	case !ok:
		return e.p.Reply(r.ID, guard.NotUnderstood.Reply())
	}
	call.Client = e.tools.Own(call.Tool)
	g := guardNow(c, e)
	c.Mu.Lock()
	if e.calls.moving(call) {
		call.Dir = ""
	}
	c.Mu.Unlock()
	v, moves := g.BeforeTool(call), g.Moves(call)
	c.Mu.Lock()
	asked := ""
	if v.Ruling == permission.Ask {
		asked = v.Reason
	}
	e.calls.begin(call, asked, moves)
	e.calls.replace(call.ID, v.Run)
	c.Mu.Unlock()
	if v.Ruling == permission.Deny {
		return e.p.Reply(r.ID, v.Reply())
	}
	return withImages(c, e, call, func(closed bool) error {
		if closed {
			return e.p.Reply(r.ID, closing)
		}
		return e.p.Reply(r.ID, v.Reply())
	})
}

// afterTool returns the answer to a hook after a tool call, with the user's message for the model.
func afterTool(event, note string) any {
	if note == "" {
		return struct{}{}
	}
	return map[string]any{"hookSpecificOutput": map[string]any{"hookEventName": event,
		"additionalContext": "The user allowed this call and said: " + note}}
}

// guardNow returns the guard with the rules that hold now.
func guardNow(c *conversation, e *engine) guard.Guard {
	g := guardOf(c, e)
	g.Rules = c.a.o.Rules(c.o.Dir)
	c.Mu.Lock()
	defer c.Mu.Unlock()
	g.Rules.Rules = slices.Concat(g.Rules.Rules, c.asks.Rules())
	return g
}

// guardOf returns the guard of a process, without rules.
func guardOf(c *conversation, e *engine) guard.Guard {
	g := c.guard
	g.Environ = e.launch.Environ
	g.Trusted, g.Shell, g.Settings, g.OwnRules = e.launch.Trusted, e.calls.shell, e.calls.settings, e.calls.ownRules
	c.Mu.Lock()
	defer c.Mu.Unlock()
	g.Dirs = append([]string{c.o.Dir}, c.Settings.Dirs.Or(c.o.Dirs)...)
	return g
}

// judge applies the rules to a permission request, which it returns completed.
func judge(c *conversation, e *engine, q guard.Call) (guard.Call, guard.Judgement) {
	q.Client = e.tools.Own(q.Tool)
	g := guardNow(c, e)
	c.Mu.Lock()
	q = e.calls.complete(q)
	if q.Mode == "" {
		q.Mode = c.Settings.Mode
	}
	c.Mu.Unlock()
	return q, g.Judge(q)
}

// lasts reports whether an answer may allow other calls too.
func lasts(a session.Answer) bool {
	return a.Decision == session.Allow && a.Scope != "" && a.Scope != session.ScopeOnce
}

// reconsider lets the open permission asks pass that a rule allows now.
func reconsider(c *conversation, e *engine) {
	for _, a := range c.asks.All() {
		if a.With.kind != session.AskPermission {
			continue
		}
		id, call := a.ID, a.With.call
		_, j := judge(c, e, call)
		if !j.Ruled {
			continue
		}
		c.Mu.Lock()
		events := e.settle(id, session.Answer{Decision: session.Allow, Scope: session.ScopeOnce}, c.a.o.Now())
		for i, event := range events {
			if s, ok := event.(session.Settled); ok {
				s.Why = session.WhyRuled
				events[i] = s
			}
		}
		if len(events) > 0 {
			e.calls.replace(call.ID, j.Run)
		}
		c.Out.Put(events...)
		c.Mu.Unlock()
		c.Out.Deliver()
		if len(events) > 0 {
			_ = allowCall(c, e, id, call, verdict{Behavior: "allow", Input: j.Input})
		}
	}
}
