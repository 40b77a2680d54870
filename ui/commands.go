package ui

import (
	tea "charm.land/bubbletea/v2"

	"parley/ui/background"
	"parley/ui/keymap"
	"parley/ui/sidequestion"
)

// command is a slash command with what it does.
type command struct {
	keymap.Slash
	run func(m *Model, args string) tea.Cmd
	// key does what a key of the command does, if that is more: it begins at what the user looks at.
	key func(m *Model) tea.Cmd
	// when reports whether the command can do anything now; it is not offered otherwise. nil: always.
	when func(m *Model) bool
}

// commands are the slash commands, in the order of the table. It is filled by init because the help screen lists the
// commands and is itself one.
var commands []command

func init() {
	run := map[string]command{
		"help":        {run: func(m *Model, _ string) tea.Cmd { return m.openHelp() }},
		"model":       {run: func(m *Model, a string) tea.Cmd { return m.choices.modelCommand(a) }},
		"effort":      {run: func(m *Model, a string) tea.Cmd { return m.choices.effortCommand(a) }},
		"mode":        {run: func(m *Model, a string) tea.Cmd { return m.choices.modeCommand(a) }},
		"permissions": {run: func(m *Model, a string) tea.Cmd { return m.stack.Do(0, m.rules.Run(a)) }, when: func(m *Model) bool { return m.screen.opts.Rules != nil }},
		"changes": {run: func(m *Model, _ string) tea.Cmd { return m.stack.Do(0, m.openChanges("")) },
			key: func(m *Model) tea.Cmd { return m.stack.Do(0, m.openChanges(m.conv.ChangesAt())) }, when: func(m *Model) bool { return m.hasChanges() }},
		"resume": {run: func(m *Model, a string) tea.Cmd { return m.sessions.openResume(a) }},
		"rename": {run: func(m *Model, a string) tea.Cmd { m.sessions.rename(a); return nil }},
		"fork":   {run: func(m *Model, _ string) tea.Cmd { return m.sessions.openFork("") }, when: func(m *Model) bool { return m.current.canFork() }},
		"new":    {run: func(m *Model, _ string) tea.Cmd { return m.sessions.newSession() }},
		// Not left to the agent: Claude Code would continue under another id in another transcript, and this session
		// would be listed as two.
		"clear":     {run: func(m *Model, _ string) tea.Cmd { return m.sessions.newSession() }},
		"agent":     {run: func(m *Model, a string) tea.Cmd { return m.sessions.agentCommand(a) }, when: func(m *Model) bool { return m.current.canSwitch() }},
		"agents":    {run: func(m *Model, a string) tea.Cmd { return m.stack.Do(0, m.agents.Run(a)) }, when: func(m *Model) bool { return m.current.takesCustoms() }},
		"subagents": {run: func(m *Model, _ string) tea.Cmd { return m.reader.openChildren() }, when: func(m *Model) bool { return m.conv.Session().HasChildren() }},
		"background": {run: func(m *Model, _ string) tea.Cmd { return m.openBackground() }, when: func(m *Model) bool {
			return m.current.value().Session != nil && background.Offered(m.conv.Transcript())
		}},
		"queue": {run: func(m *Model, _ string) tea.Cmd { return m.prompts.openQueue() }, when: func(m *Model) bool { return len(m.conv.Transcript().Queue) > 0 }},
		"btw": {run: func(m *Model, a string) tea.Cmd {
			return m.stack.Do(0, sidequestion.Run(m.screen.look, m.current.session.AskAside, a))
		}, when: func(m *Model) bool { return len(m.conv.Transcript().Turns) > 0 }},
		"delegate": {run: func(m *Model, a string) tea.Cmd { return m.stack.Do(0, m.delegate.Run(a)) }, when: func(m *Model) bool { return m.delegate.Offered() }},
		"browse":   {run: func(m *Model, _ string) tea.Cmd { return m.stack.Do(0, m.delegate.Browse()) }, when: func(m *Model) bool { return m.conv.Transcript().Remote != nil }},
		"tasks":    {run: func(m *Model, _ string) tea.Cmd { m.reader.tasks.Toggle(); m.screen.touch(); return nil }, when: func(m *Model) bool { return len(m.conv.Transcript().Todos) > 0 }},
		"trust":    {run: func(m *Model, _ string) tea.Cmd { return m.asks.SummonTrust() }, when: func(m *Model) bool { return m.asks.Undecided() }},
		"install":  {run: func(m *Model, a string) tea.Cmd { return m.stack.Do(0, m.install.Run(a)) }, when: func(m *Model) bool { return m.install.Offered() }},
		"notices":  {run: func(m *Model, _ string) tea.Cmd { return m.reader.openNotices() }},
		// Not left to the agent: Claude Code counts in dollars and knows nothing of the plan.
		"usage":   {run: func(m *Model, _ string) tea.Cmd { return m.choices.openUsage() }},
		"palette": {run: func(m *Model, _ string) tea.Cmd { return m.openPalette() }},
		"export":  {run: func(m *Model, a string) tea.Cmd { return m.reader.export(a) }},
		"quit":    {run: func(m *Model, _ string) tea.Cmd { return m.leave() }},
	}
	for _, s := range keymap.Commands {
		c := run[s.Name]
		c.Slash = s
		commands = append(commands, c)
	}
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
func (m *Model) runKey(name string) tea.Cmd {
	if c, known := findCommand(name); known && c.key != nil {
		return c.key(m)
	}
	return m.runCommand(name, "")
}

// runCommand runs a command by its name. One that has nothing to do now says so.
func (m *Model) runCommand(name, args string) tea.Cmd {
	c, known := findCommand(name)
	if !known {
		return nil
	}
	return c.run(m, args)
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
