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
		"help":   {run: func(m *Model, _ string) tea.Cmd { m.covers.openHelp(); return nil }},
		"model":  {run: func(m *Model, a string) tea.Cmd { return m.choices.modelCommand(a) }},
		"effort": {run: func(m *Model, a string) tea.Cmd { return m.choices.effortCommand(a) }},
		"mode":   {run: func(m *Model, a string) tea.Cmd { return m.choices.modeCommand(a) }},
		"resume": {run: func(m *Model, a string) tea.Cmd { return m.browser.openResume(a) }},
		"rename": {run: func(m *Model, a string) tea.Cmd { m.sessions.rename(a); return nil }},
		"fork":   {run: func(m *Model, _ string) tea.Cmd { return m.sessions.openFork("") }, when: func(m *Model) bool { return m.current.canFork() }},
		"new":    {run: func(m *Model, _ string) tea.Cmd { return m.sessions.newSession() }},
		// Not left to the agent: Claude Code would continue under another id in a transcript of its own, and this session
		// would be listed as two.
		"clear":   {run: func(m *Model, _ string) tea.Cmd { return m.sessions.newSession() }},
		"agent":   {run: func(m *Model, a string) tea.Cmd { return m.sessions.agentCommand(a) }, when: func(m *Model) bool { return m.current.canSwitch() }},
		"agents":  {run: func(m *Model, _ string) tea.Cmd { return m.browser.openChildren() }, when: func(m *Model) bool { return m.conv.Session().HasChildren() }},
		"queue":   {run: func(m *Model, _ string) tea.Cmd { return m.prompts.openQueue() }, when: func(m *Model) bool { return len(m.conv.Transcript().Queue) > 0 }},
		"tasks":   {run: func(m *Model, _ string) tea.Cmd { m.reader.tasks.Toggle(); m.screen.touch(); return nil }, when: func(m *Model) bool { return len(m.conv.Transcript().Todos) > 0 }},
		"trust":   {run: func(m *Model, _ string) tea.Cmd { return m.asks.summonTrust() }, when: func(m *Model) bool { return len(m.asks.directory.Items) > 0 }},
		"install": {run: func(m *Model, a string) tea.Cmd { return m.jobs.installCommand(a) }, when: func(m *Model) bool { return m.jobs.canInstall() }},
		"notices": {run: func(m *Model, _ string) tea.Cmd { return m.browser.openNotices() }},
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
func (ch *choices) modelCommand(args string) tea.Cmd {
	for _, mod := range ch.models {
		if args == "" || !strings.EqualFold(mod.ID, args) && !strings.EqualFold(style.ShortModel(mod.ID), args) {
			continue
		}
		if mod.Unusable != "" {
			ch.notices.Warn(mod.ID + ": " + mod.Unusable)
			return nil
		}
		return ch.chooseModel(mod.ID)
	}
	return ch.openModels(ch.modelList(), args)
}

// rename gives the session a title.
func (ss *sessions) rename(title string) {
	if strings.TrimSpace(title) == "" {
		ss.notices.Warn("Type the title after the command: /rename Why the upload test flakes")
		return
	}
	if err := ss.current.session.Rename(title); err != nil {
		ss.notices.Problem(err)
		return
	}
	ss.notices.Info("renamed to " + ss.current.session.Meta().Title)
}

func (ch *choices) effortCommand(args string) tea.Cmd {
	if args == "" {
		return ch.openModels(ch.effortList(), "")
	}
	mod := ch.model(ch.current.settings().Model)
	if mod == nil {
		return ch.openModels(ch.effortList(), "")
	}
	for _, e := range mod.Efforts {
		if strings.EqualFold(e, args) {
			return ch.chooseEffort(e)
		}
	}
	ch.notices.Warn("no effort " + args + ": " + strings.Join(mod.Efforts, ", "))
	return nil
}

func (ch *choices) modeCommand(args string) tea.Cmd {
	if args == "" {
		return ch.openModes()
	}
	var names []string
	for _, mode := range session.Modes {
		if strings.EqualFold(string(mode), args) || strings.EqualFold(chat.ModeName(mode), args) {
			if why := ch.current.unsupported(mode); why != "" {
				ch.notices.Warn(why)
				return nil
			}
			ch.chooseMode(mode, false)
			return nil
		}
		names = append(names, string(mode))
	}
	ch.notices.Warn("no mode " + args + ": " + strings.Join(names, ", "))
	return nil
}

// newSession begins a new session with the settings of this one, save a bypass.
func (ss *sessions) newSession() tea.Cmd {
	if ss.conv.Running() != nil {
		ss.notices.Warn("a turn is running: esc stops it, then /new again")
		return nil
	}
	mgr, o := ss.opts.Manager, live.DraftOptions{Agent: ss.current.agent(), Dir: ss.current.dir(), Settings: chat.NextSettings(ss.current.settings())}
	return ss.load(func() (*live.Session, error) { return mgr.Draft(o) })
}

// exportedMsg says where a conversation was written.
type exportedMsg struct {
	path string
	err  error
}

// export writes the conversation as markdown into a file of the session's directory. A file that exists stays.
func (r *reader) export(name string) tea.Cmd {
	if len(r.conv.Transcript().Turns) == 0 {
		r.notices.Warn("there is nothing to export yet")
		return nil
	}
	name = chat.ExportPath(name, r.current.dir(), r.look.Home, r.look.Now())
	write := chat.Export(name, r.current.session.Meta(), r.conv.Transcript())
	return func() tea.Msg { return exportedMsg{name, write()} }
}

func (r *reader) exported(msg exportedMsg) {
	if msg.err != nil {
		r.notices.Warn("not exported: " + msg.err.Error())
		return
	}
	r.notices.Info("exported to " + style.ShortPath(msg.path, r.look.Home))
}
