package chat

import (
	"context"
	"time"

	"parley/session"
	"parley/session/live"
	"parley/ui/attention"
	"parley/ui/core"
	"parley/ui/style"
)

// current is the session that is shown.
type current struct {
	*parts

	session *live.Session
	opening *core.Opening       // of a session that is loaded while its end is shown, nil for none
	agents  []session.AgentInfo // as they were when they were looked at last
	version string              // of the session's agent, as it was when the session was shown

	steering map[session.PromptID]bool // prompts sent for the running turn
	stopping bool                      // the turn has been interrupted
	heard    time.Time                 // of the newest event
	recall   func()                    // puts prompts whose files are still being read back into the field
}

// findVersion returns the visible version of the session's agent, "" if it is not known.
func (cur *current) findVersion(list []session.AgentInfo) string {
	name := cur.agent()
	for _, a := range list {
		if a.Name == name {
			return style.Visible(style.OneLine(a.Version))
		}
	}
	return ""
}

// subject returns what the session is about.
func (cur *current) subject() string {
	return attention.Subject(cur.look.Measure, cur.conv.Transcript().Title, cur.meta().First, style.Place(cur.dir(), cur.look.Home))
}

// commandsToCome returns a function that waits until the agent's commands are known, nil if they are or never will be.
func (cur *current) commandsToCome() func(context.Context) error {
	if cur.session == nil {
		return nil
	}
	return cur.opts.Manager.AwaitCommands(cur.agent(), cur.dir())
}

// agentCommands returns the slash commands that the agent understands.
func (cur *current) agentCommands() []session.SlashCommand {
	if cur.opts.Manager == nil {
		return nil
	}
	return cur.opts.Manager.Commands(cur.agent(), cur.dir())
}

// isAgentCommand reports whether the agent understands a slash command.
func (cur *current) isAgentCommand(name string) bool {
	_, known := cur.knownToAgent(name)
	return known
}

// knownToAgent returns a slash command that the agent understands.
func (cur *current) knownToAgent(name string) (session.SlashCommand, bool) {
	for _, c := range cur.agentCommands() {
		if c.Name == name {
			return c, true
		}
	}
	return session.SlashCommand{}, false
}

// resources returns what the MCP servers of the session offer to be read.
func (cur *current) resources() []session.ServerResource {
	if l, is := live.ExtensionsOf(cur.session).Servers.(session.ResourceLister); is {
		return l.Resources()
	}
	return nil
}

// held returns the queued prompts that wait for the user to send them: an earlier process left them, or the user interrupted.
func (cur *current) held() map[session.PromptID]bool {
	q := cur.conv.Transcript().Queue
	switch {
	case len(q) == 0 || cur.session == nil:
		return nil
	case cur.opening == nil:
		return cur.session.Held()
	}
	all := map[session.PromptID]bool{}
	for _, p := range q { // of a process that ended
		all[p.ID] = true
	}
	return all
}

// unqueue removes the newest prompt from the queue and returns it.
func (cur *current) unqueue() (session.Prompt, bool) {
	q := cur.conv.Transcript().Queue
	if len(q) == 0 {
		return session.Prompt{}, false
	}
	return cur.session.Unqueue(q[len(q)-1].ID)
}

// interrupt aborts the running turn, holds the queue, and recalls prompts on their way to it. It does not wait for the end.
func (cur *current) interrupt() {
	if cur.conv.Running() != nil {
		cur.stopping, _ = true, cur.session.Hold()
		cur.session.Abort()
		cur.recall()
	}
}

// tooSmall reports whether the window has no room for the session. The choices of a user who is not signed in always fit.
func (cur *current) tooSmall() bool { return cur.look.TooSmall() && cur.session != nil }

// settings returns what the next request uses.
func (cur *current) settings() session.Settings {
	if o := cur.opening; o != nil {
		return o.Settings
	}
	if cur.session == nil {
		return session.Settings{}
	}
	return cur.session.Settings()
}

// mode returns the permission mode.
func (cur *current) mode() session.Mode {
	if mode := cur.settings().Mode; mode != "" {
		return mode
	}
	return session.ModeDefault
}

// meta returns what is known of the session.
func (cur *current) meta() session.Meta {
	if o := cur.opening; o != nil {
		return o.Meta
	}
	return cur.session.Meta()
}

// agent returns the name of the session's agent.
func (cur *current) agent() string {
	if cur.session != nil {
		if a := cur.meta().Agent; a != "" {
			return a
		}
	}
	return cur.opts.Agent
}

// dir returns the session's directory.
func (cur *current) dir() string {
	if cur.session != nil {
		if d := cur.meta().Dir; d != "" {
			return d
		}
	}
	return cur.opts.Dir
}

// unsupported returns why the session's agent cannot work in a mode, visible; "" if it can.
func (cur *current) unsupported(mode session.Mode) string {
	return style.Visible(style.OneLine(cur.opts.Manager.ModeProblem(cur.agent(), mode)))
}

// steers reports whether the session's agent takes prompts into a running turn.
func (cur *current) steers() bool { return cur.session != nil && cur.opts.Manager.Steers(cur.agent()) }

// steered returns the waiting prompts that the running turn takes at its next step.
func (cur *current) steered() map[session.PromptID]bool {
	if cur.conv.Running() == nil || !cur.steers() {
		return nil
	}
	return cur.steering
}

// warm lets the agent start its runtime early: a prompt is being written.
func (cur *current) warm() {
	if cur.session == nil || cur.opening != nil || cur.conv.Running() != nil {
		return
	}
	if w, ok := any(cur.session).(interface{ Warm() }); ok {
		w.Warm()
	}
}

// value returns the session that is shown as features see it.
func (cur *current) value() core.Current {
	c := core.Current{Dir: cur.dir(), Agent: cur.agent(), Settings: cur.settings(), Transcript: cur.conv.Transcript(), Running: cur.conv.Running() != nil, Stopping: cur.stopping}
	if cur.session == nil {
		return c
	}
	if c.Meta = cur.meta(); cur.opening == nil {
		c.Session = cur.session
	}
	return c
}
