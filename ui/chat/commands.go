package chat

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/ui/agents"
	"parley/ui/changes"
	"parley/ui/changes/listing"
	"parley/ui/delegate"
	"parley/ui/features"
	"parley/ui/install"
	"parley/ui/keymap"
	"parley/ui/notice"
	"parley/ui/panel"
	"parley/ui/question"
	questions "parley/ui/question/view"
	"parley/ui/rewind"
	"parley/ui/rules"
	"parley/ui/subagents"
)

// commands runs features for the chat.
type commands struct {
	*parts

	current  *current
	choices  *choices
	sessions *switcher
	asks     *questions.Asks

	rules    *rules.Command
	agents   *agents.Command
	delegate *delegate.Command
	rewind   *rewind.Command
	install  *install.Model
}

// newCommands returns what runs features.
func (m *Model) newCommands() *commands {
	o, cur := m.opts, m.current
	c := &commands{parts: m.parts, current: cur, choices: m.choices, install: m.install}
	c.delegate = &delegate.Command{Manager: o.Manager, Local: o.Local, Look: m.look, Keys: m.keys, Demo: o.Demo, Current: cur.value}
	c.rewind = rewind.New(m.look, o.Manager, o.Changes)
	c.rules = &rules.Command{Store: o.Rules, Look: m.look, Chat: c.rulesChat}
	c.agents = &agents.Command{Look: m.look, Find: func() func(context.Context) session.Customs { return agents.Finder(o.Manager, cur.agent(), cur.dir()) }, Leads: func() string { return cur.settings().Custom }, Create: o.NewAgent}
	return c
}

// state returns what features look at.
func (c *commands) state() *features.State {
	return &features.State{Current: c.current.value(), Look: c.look, Keys: c.keys, Manager: c.opts.Manager, Agents: c.current.agents,
		Models: c.choices.known(), LoadAgents: panel.Adopt(c.sessions.listAgents()), LoadModels: panel.Adopt(c.choices.loadCatalog()),
		Problem: c.current.unsupported, Usage: c.choices.usage, Steered: c.current.steered(), HasChildren: c.conv.Session().HasChildren(),
		Children: c.children, Notices: c.said, Untrusted: c.asks.Undecided(), Rules: c.rules, Custom: c.agents, Delegate: c.delegate, Rewind: c.rewind, Tabs: c.sessions.tabs, Trees: c.opts.Trees,
		Install: c.install, HasChanges: c.opts.Changes != nil && c.current.session != nil, Changes: c.changes, At: c.conv.ChangesAt, File: c.opts.Settings,
		Version: c.opts.Version, AgentVersion: c.current.version, Setup: c.opts.Setup, Extensions: c.opts.Extensions, Spent: c.opts.Spent, Outlives: c.opts.Outlives}
}

// runKey runs the feature of a key.
func (c *commands) runKey(name string) {
	f, known := features.Find(name)
	switch {
	case known && f.Key != nil:
		c.do(f.Key(c.state()))
	case known:
		c.do(f.Run(c.state(), ""))
	}
}

// unused handles a key that a panel above the chat passed: those that open a feature work everywhere, once there is a session.
func (c *commands) unused(k tea.KeyPressMsg) {
	if b := c.keys.Acts[k.String()]; b.Act == keymap.RunCommand && !b.Empty && c.current.session != nil {
		c.runKey(b.Command)
	}
}

// run runs a feature by the name of its command. One that has nothing to do now says so.
func (c *commands) run(name, args string) {
	if f, known := features.Find(name); known {
		c.do(f.Run(c.state(), args))
	}
}

// interrupt stops the running turn, unless it works at a service.
func (c *commands) interrupt() {
	if e := c.delegate.Stop(); e != nil {
		c.do(e)
		return
	}
	c.current.interrupt()
}

// changes returns what the panel of changes shows, at the first file that a call changed or at the newest turn.
func (c *commands) changes(at session.CallID) changes.Options {
	o := changes.Options{Look: c.look, Keys: c.keys, At: at}
	if c.opts.Changes != nil && c.current.session != nil {
		t := c.conv.Transcript()
		o.Log = c.opts.Changes(c.current.meta().ID)
		o.Names = listing.Names{Dir: c.current.dir(), Home: c.look.Home, Child: func(id session.ChildID) string { return question.Asker(t, id) },
			Turn: func(id session.TurnID) (int, string) { return listing.TurnNumber(t, id) }}
	}
	return o
}

// children returns the child agents of the session.
func (c *commands) children() (all []subagents.Child) {
	for _, c := range c.conv.Session().Children() {
		all = append(all, subagents.Child(c))
	}
	return all
}

// said returns what was reported, by parley and in the conversation.
func (c *commands) said() (all []notice.Said) {
	for i, e := range c.notices.Past() {
		all = append(all, notice.Said{At: e.At, Text: e.Text, Warn: e.Warn, Do: panel.Repeat{Index: i}})
	}
	for _, n := range c.conv.Session().Notices() {
		all = append(all, notice.Said{At: n.At, Text: n.Text, Warn: n.Problem, Do: panel.ShowItem{Item: n.Item}})
	}
	return all
}
