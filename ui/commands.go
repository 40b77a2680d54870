package ui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/session/live"
	"parley/ui/chat"
	"parley/ui/keymap"
	"parley/ui/style"
)

// command is a slash command with what it does.
type command struct {
	keymap.Slash
	run func(m *Model, args string) tea.Cmd
	// when reports whether the command can do anything now; it is not offered otherwise. nil: always.
	when func(m *Model) bool
}

// commands are the slash commands, in the order of the table. It is filled by init because the help screen lists the
// commands and is itself one.
var commands []command

func init() {
	run := map[string]command{
		"help":   {run: func(m *Model, _ string) tea.Cmd { m.openHelp(); return nil }},
		"model":  {run: func(m *Model, a string) tea.Cmd { return m.modelCommand(a) }},
		"effort": {run: func(m *Model, a string) tea.Cmd { return m.effortCommand(a) }},
		"mode":   {run: func(m *Model, a string) tea.Cmd { return m.modeCommand(a) }},
		"resume": {run: func(m *Model, a string) tea.Cmd { return m.openResume(a) }},
		"rename": {run: func(m *Model, a string) tea.Cmd { m.rename(a); return nil }},
		"fork":   {run: func(m *Model, _ string) tea.Cmd { return m.openFork("") }, when: (*Model).canFork},
		"new":    {run: func(m *Model, _ string) tea.Cmd { return m.newSession() }},
		// Not left to the agent: Claude Code would continue under another id in a transcript of its own, and this session
		// would be listed as two.
		"clear":   {run: func(m *Model, _ string) tea.Cmd { return m.newSession() }},
		"agent":   {run: func(m *Model, a string) tea.Cmd { return m.agentCommand(a) }, when: (*Model).canSwitch},
		"agents":  {run: func(m *Model, _ string) tea.Cmd { return m.openChildren() }, when: func(m *Model) bool { return m.conv.Session().HasChildren() }},
		"queue":   {run: func(m *Model, _ string) tea.Cmd { return m.openQueue() }, when: func(m *Model) bool { return len(m.conv.Transcript().Queue) > 0 }},
		"tasks":   {run: func(m *Model, _ string) tea.Cmd { m.tasks.Toggle(); m.touch(); return nil }, when: func(m *Model) bool { return len(m.conv.Transcript().Todos) > 0 }},
		"trust":   {run: func(m *Model, _ string) tea.Cmd { return m.summonTrust() }, when: func(m *Model) bool { return len(m.directory.Items) > 0 }},
		"install": {run: func(m *Model, a string) tea.Cmd { return m.installCommand(a) }, when: (*Model).canInstall},
		"notices": {run: func(m *Model, _ string) tea.Cmd { return m.openNotices() }},
		// Not left to the agent: Claude Code counts in dollars and knows nothing of the plan.
		"usage":   {run: func(m *Model, _ string) tea.Cmd { return m.openUsage() }},
		"palette": {run: func(m *Model, _ string) tea.Cmd { return m.openPalette() }},
		"export":  {run: func(m *Model, a string) tea.Cmd { return m.export(a) }},
		"quit":    {run: func(m *Model, _ string) tea.Cmd { return m.leave() }},
	}
	for _, s := range keymap.Commands {
		c := run[s.Name]
		c.Slash = s
		commands = append(commands, c)
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

// modelCommand chooses a model by its name, or opens the picker.
func (m *Model) modelCommand(args string) tea.Cmd {
	for _, mod := range m.models {
		if args == "" || !strings.EqualFold(mod.ID, args) && !strings.EqualFold(style.ShortModel(mod.ID), args) {
			continue
		}
		if mod.Unusable != "" {
			m.notices.Warn(mod.ID + ": " + mod.Unusable)
			return nil
		}
		return m.chooseModel(mod.ID)
	}
	return m.openModels(m.modelList(), args)
}

// rename gives the session a title.
func (m *Model) rename(title string) {
	if strings.TrimSpace(title) == "" {
		m.notices.Warn("Type the title after the command: /rename Why the upload test flakes")
		return
	}
	if err := m.session.Rename(title); err != nil {
		m.notices.Problem(err)
		return
	}
	m.notices.Info("renamed to " + style.Visible(m.session.Meta().Title))
}

func (m *Model) effortCommand(args string) tea.Cmd {
	if args == "" {
		return m.openModels(m.effortList(), "")
	}
	mod := m.model(m.settings().Model)
	if mod == nil {
		return m.openModels(m.effortList(), "")
	}
	for _, e := range mod.Efforts {
		if strings.EqualFold(e, args) {
			return m.chooseEffort(e)
		}
	}
	m.notices.Warn("no effort " + args + ": " + strings.Join(mod.Efforts, ", "))
	return nil
}

func (m *Model) modeCommand(args string) tea.Cmd {
	if args == "" {
		return m.openModes()
	}
	var names []string
	for _, mode := range session.Modes {
		if strings.EqualFold(string(mode), args) || strings.EqualFold(chat.ModeName(mode), args) {
			if why := m.unsupported(mode); why != "" {
				m.notices.Warn(why)
				return nil
			}
			m.chooseMode(mode, false)
			return nil
		}
		names = append(names, string(mode))
	}
	m.notices.Warn("no mode " + args + ": " + strings.Join(names, ", "))
	return nil
}

// newSession begins a new session with the settings of this one, save a bypass.
func (m *Model) newSession() tea.Cmd {
	if m.conv.Running() != nil {
		m.notices.Warn("a turn is running: esc stops it, then /new again")
		return nil
	}
	mgr, o := m.opts.Manager, live.DraftOptions{Agent: m.agent(), Dir: m.dir(), Settings: chat.NextSettings(m.settings())}
	return m.load(func() (*live.Session, error) { return mgr.Draft(o) })
}

// exportedMsg says where a conversation was written.
type exportedMsg struct {
	path string
	err  error
}

// export writes the conversation as markdown into a file of the session's directory. A file that exists stays.
func (m *Model) export(name string) tea.Cmd {
	if len(m.conv.Transcript().Turns) == 0 {
		m.notices.Warn("there is nothing to export yet")
		return nil
	}
	name = chat.ExportPath(name, m.dir(), m.look.Home, m.look.Now())
	write := chat.Export(name, m.session.Meta(), m.conv.Transcript())
	return func() tea.Msg { return exportedMsg{name, write()} }
}

func (m *Model) exported(msg exportedMsg) {
	if msg.err != nil {
		m.notices.Warn("not exported: " + msg.err.Error())
		return
	}
	m.notices.Info("exported to " + style.ShortPath(msg.path, m.look.Home))
}
