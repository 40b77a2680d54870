package chat

import (
	tea "charm.land/bubbletea/v2"

	"parley/ui/background"
	"parley/ui/help"
	"parley/ui/keymap"
	"parley/ui/list"
	"parley/ui/panel"
	"parley/ui/sidequestion"
)

// command is a slash command with what it does.
type command struct {
	keymap.Slash
	run func(m *Model, args string) panel.Effect
	// key does what a key of the command does, if that is more: it begins at what the user looks at.
	key func(m *Model) panel.Effect
	// when reports whether the command can do anything now; it is not offered otherwise. nil: always.
	when func(m *Model) bool
}

// commands are the slash commands, in the order of the table. It is filled by init because the palette lists the commands and
// is itself one.
var commands []command

func init() {
	run := map[string]command{
		"help":        {run: func(m *Model, _ string) panel.Effect { return m.openHelp() }},
		"model":       {run: func(m *Model, a string) panel.Effect { return m.choices.modelCommand(a) }},
		"effort":      {run: func(m *Model, a string) panel.Effect { return m.choices.effortCommand(a) }},
		"mode":        {run: func(m *Model, a string) panel.Effect { return m.choices.modeCommand(a) }},
		"permissions": {run: func(m *Model, a string) panel.Effect { return m.rules.Run(a) }, when: func(m *Model) bool { return m.opts.Rules != nil }},
		"changes": {run: func(m *Model, _ string) panel.Effect { return m.openChanges("") },
			key: func(m *Model) panel.Effect { return m.openChanges(m.conv.ChangesAt()) }, when: func(m *Model) bool { return m.hasChanges() }},
		"resume": {run: func(m *Model, a string) panel.Effect { return m.sessions.openResume(a) }},
		"rename": {run: func(m *Model, a string) panel.Effect { return m.sessions.rename(a) }},
		"fork":   {run: func(m *Model, _ string) panel.Effect { return m.sessions.openFork("") }, when: func(m *Model) bool { return m.current.canFork() }},
		"new":    {run: func(m *Model, _ string) panel.Effect { return m.sessions.newSession() }},
		// Not left to the agent: Claude Code would continue under another id in another transcript, and this session
		// would be listed as two.
		"clear":     {run: func(m *Model, _ string) panel.Effect { return m.sessions.newSession() }},
		"agent":     {run: func(m *Model, a string) panel.Effect { return m.sessions.agentCommand(a) }, when: func(m *Model) bool { return m.current.canSwitch() }},
		"agents":    {run: func(m *Model, a string) panel.Effect { return m.agents.Run(a) }, when: func(m *Model) bool { return m.current.takesCustoms() }},
		"subagents": {run: func(m *Model, _ string) panel.Effect { return m.reader.openChildren() }, when: func(m *Model) bool { return m.conv.Session().HasChildren() }},
		"background": {run: func(m *Model, _ string) panel.Effect { return m.openBackground() }, when: func(m *Model) bool {
			return m.current.value().Session != nil && background.Offered(m.conv.Transcript())
		}},
		"queue": {run: func(m *Model, _ string) panel.Effect { return m.prompts.openQueue() }, when: func(m *Model) bool { return len(m.conv.Transcript().Queue) > 0 }},
		"btw": {run: func(m *Model, a string) panel.Effect { return sidequestion.Run(m.look, m.current.session.AskAside, a) },
			when: func(m *Model) bool { return len(m.conv.Transcript().Turns) > 0 }},
		"delegate": {run: func(m *Model, a string) panel.Effect { return m.delegate.Run(a) }, when: func(m *Model) bool { return m.delegate.Offered() }},
		"browse":   {run: func(m *Model, _ string) panel.Effect { return m.delegate.Browse() }, when: func(m *Model) bool { return m.conv.Transcript().Remote != nil }},
		"tasks":    {run: func(m *Model, _ string) panel.Effect { return m.reader.toggleTasks() }, when: func(m *Model) bool { return len(m.conv.Transcript().Todos) > 0 }},
		"trust":    {run: func(m *Model, _ string) panel.Effect { return start(m.asks.SummonTrust()) }, when: func(m *Model) bool { return m.asks.Undecided() }},
		"install":  {run: func(m *Model, a string) panel.Effect { return m.install.Run(a) }, when: func(m *Model) bool { return m.install.Offered() }},
		"notices":  {run: func(m *Model, _ string) panel.Effect { return m.reader.openNotices() }},
		// Not left to the agent: Claude Code counts in dollars and knows nothing of the plan.
		"usage":   {run: func(m *Model, _ string) panel.Effect { return m.choices.openUsage() }},
		"palette": {run: func(m *Model, _ string) panel.Effect { return m.openPalette() }},
		"export":  {run: func(m *Model, a string) panel.Effect { return m.reader.export(a) }},
		"quit":    {run: func(m *Model, _ string) panel.Effect { return m.leave() }},
	}
	for _, s := range keymap.Commands {
		c := run[s.Name]
		c.Slash = s
		commands = append(commands, c)
	}
}

// start returns the effect that starts a command of a component, nil for none.
func start(cmd tea.Cmd) panel.Effect {
	if cmd == nil {
		return nil
	}
	return panel.Start{Cmd: panel.Adopt(cmd)}
}

// offered returns the commands that can do something now.
func (m *Model) offered() []keymap.Slash {
	var all []keymap.Slash
	for _, c := range commands {
		if c.when == nil || c.when(m) {
			all = append(all, c.Slash)
		}
	}
	return all
}

// runKey runs the command of a key.
func (m *Model) runKey(name string) {
	if c, known := findCommand(name); known && c.key != nil {
		m.do(c.key(m))
		return
	}
	m.Run(name, "")
}

// Run runs a slash command by its name. One that has nothing to do now says so.
func (m *Model) Run(name, args string) {
	if c, known := findCommand(name); known {
		m.do(c.run(m, args))
	}
}

// Unused handles a key that a panel above the chat passed: those that open a feature work everywhere, once there is a session.
func (m *Model) Unused(k tea.KeyPressMsg) {
	if b := m.keys.Acts[k.String()]; b.Act == keymap.RunCommand && !b.Empty && m.current.session != nil {
		m.runKey(b.Command)
	}
}

// findCommand finds a command by its name.
func findCommand(name string) (command, bool) {
	for _, c := range commands {
		if c.Name == name {
			return c, true
		}
	}
	return command{}, false
}

// openPalette opens the list of everything that can be done.
func (m *Model) openPalette() panel.Effect {
	return panel.Push{Panel: list.Open(m.look, help.Palette{Keys: m.keys, Commands: m.offered()}, ""), Of: "palette"}
}

// openHelp covers the screen with the help.
func (m *Model) openHelp() panel.Effect {
	return panel.Push{Panel: help.New(m.look, m.keys), Of: "help"}
}

// openBackground opens the panel of what runs in the background.
func (m *Model) openBackground() panel.Effect {
	o := background.Options{Look: m.look, Keys: m.keys, Transcript: m.conv.Transcript, Dir: m.current.dir()}
	if s := m.current.value().Session; s != nil {
		o.Session = s
	}
	return background.Run(o)
}

// toBackground sends what runs in the turn to the background.
func (m *Model) toBackground() panel.Effect {
	now := m.current.value()
	if now.Session == nil {
		return nil
	}
	return background.Send(now.Session, now.Transcript, now.Dir)
}

// interrupt stops the running turn, unless it works at a service.
func (m *Model) interrupt() {
	if e := m.delegate.Stop(); e != nil {
		m.do(e)
		return
	}
	m.current.interrupt()
}
