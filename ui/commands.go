package ui

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/session/export"
	"parley/session/live"
)

// command is a slash command.
type command struct {
	name, args, help string
	run              func(m *Model, args string) tea.Cmd
	// when reports whether the command can do anything now; it is not offered otherwise. nil: always.
	when func(m *Model) bool
}

func (c command) usage() string { return strings.TrimSpace("/" + c.name + " " + c.args) }

// commands are the slash commands, in the order in which they are offered. It is filled by init because the help screen
// lists the commands and is itself one.
var commands []command

func init() {
	commands = []command{
		{"help", "", "keys and commands", func(m *Model, _ string) tea.Cmd { m.openHelp(); return nil }, nil},
		{"model", "[name]", "choose the model", func(m *Model, a string) tea.Cmd { return m.modelCommand(a) }, nil},
		{"effort", "[level]", "choose how hard it thinks", func(m *Model, a string) tea.Cmd { return m.effortCommand(a) }, nil},
		{"mode", "[name]", "choose what needs permission", func(m *Model, a string) tea.Cmd { return m.modeCommand(a) }, nil},
		{"resume", "[words]", "go on in another session", func(m *Model, a string) tea.Cmd { return m.openResume(a) }, nil},
		{"fork", "", "go on in a copy of this session, from a turn you choose", func(m *Model, _ string) tea.Cmd { return m.openFork() }, (*Model).canFork},
		{"new", "", "begin a new session", func(m *Model, _ string) tea.Cmd { return m.newSession() }, nil},
		// Not left to the agent: Claude Code would go on under another id in a transcript of its own, and this session would be
		// listed as two.
		{"clear", "", "as /new: what was said stays under /resume", func(m *Model, _ string) tea.Cmd { return m.newSession() }, nil},
		{"agent", "[name]", "begin a new session with another agent", func(m *Model, a string) tea.Cmd { return m.agentCommand(a) }, (*Model).canSwitch},
		{"agents", "", "look at what the agent's own agents do", func(m *Model, _ string) tea.Cmd { return m.openChildren() }, (*Model).hasChildren},
		{"queue", "", "see and take back what waits to be sent", func(m *Model, _ string) tea.Cmd { return m.openQueue() }, func(m *Model) bool { return len(m.feed.t.Queue) > 0 }},
		{"tasks", "", "open or fold the task list", func(m *Model, _ string) tea.Cmd { m.tasksOpen = !m.tasksOpen; m.touch(); return nil }, func(m *Model) bool { return len(m.feed.t.Todos) > 0 }},
		{"trust", "", "decide about what the directory brings along", func(m *Model, _ string) tea.Cmd { return m.summonTrust() }, func(m *Model) bool { return len(m.trusting.items) > 0 }},
		{"install", "[stop]", "install the agent's runtime, or stop that", func(m *Model, a string) tea.Cmd { return m.installCommand(a) }, (*Model).canInstall},
		{"notices", "", "see again what was told", func(m *Model, _ string) tea.Cmd { return m.openNotices() }, nil},
		// Not left to the agent: what Claude Code reckons in is dollars, and it knows nothing of the plan.
		{"usage", "", "see what this session cost and what is left of the plan", func(m *Model, _ string) tea.Cmd { return m.openUsage() }, nil},
		{"palette", "", "find a command or a key by its name", func(m *Model, _ string) tea.Cmd { return m.openPalette() }, nil},
		{"export", "[file]", "write the conversation as markdown", func(m *Model, a string) tea.Cmd { return m.export(a) }, nil},
		{"quit", "", "leave", func(m *Model, _ string) tea.Cmd { return m.leave() }, nil},
	}
}

// parseCommand splits a line that begins with one slash into name and arguments.
func parseCommand(text string) (name, args string, ok bool) {
	text = strings.TrimSpace(text)
	if !strings.HasPrefix(text, "/") || strings.HasPrefix(text, "//") || strings.Contains(text, "\n") {
		return "", "", false
	}
	name, args, _ = strings.Cut(text[1:], " ")
	if strings.Contains(name, "/") { // a path, such as /etc/hosts
		return "", "", false
	}
	return name, strings.TrimSpace(args), true
}

// leavingWords leave when they are all that is written, as people are used to from shells and vi.
var leavingWords = []string{"exit", "quit", ":q"}

// leavesBy reports whether a text is nothing but a word to leave by.
func leavesBy(text string) bool { return slices.Contains(leavingWords, strings.TrimSpace(text)) }

// findCommand finds a command by its name.
func findCommand(name string) (command, bool) {
	for _, c := range commands {
		if c.name == name {
			return c, true
		}
	}
	return command{}, false
}

// modelCommand chooses a model by its name, or opens the picker.
func (m *Model) modelCommand(args string) tea.Cmd {
	for _, mod := range m.models {
		if args == "" || !strings.EqualFold(mod.ID, args) && !strings.EqualFold(shortModel(mod.ID), args) {
			continue
		}
		if mod.Unusable != "" {
			m.say(visible(oneLine(mod.ID+": "+mod.Unusable)), true)
			return nil
		}
		return m.chooseModel(mod.ID)
	}
	return m.openModels(args)
}

func (m *Model) effortCommand(args string) tea.Cmd {
	if args == "" {
		return m.openEfforts()
	}
	mod := m.model(m.settings().Model)
	if mod == nil {
		return m.openEfforts()
	}
	for _, e := range mod.Efforts {
		if strings.EqualFold(e, args) {
			return m.chooseEffort(e)
		}
	}
	m.say("no effort "+visible(oneLine(args))+": "+strings.Join(mod.Efforts, ", "), true)
	return nil
}

func (m *Model) modeCommand(args string) tea.Cmd {
	if args == "" {
		return m.openModes()
	}
	var names []string
	for _, mode := range session.Modes {
		if strings.EqualFold(string(mode), args) || strings.EqualFold(modeName(mode), args) {
			if why := m.unsupported(mode); why != "" {
				m.say(why, true)
				return nil
			}
			m.chooseMode(mode)
			return nil
		}
		names = append(names, string(mode))
	}
	m.say("no mode "+visible(oneLine(args))+": "+strings.Join(names, ", "), true)
	return nil
}

// newSession begins a new session with the settings of this one.
func (m *Model) newSession() tea.Cmd {
	if m.feed.running() != nil {
		m.say("a turn is running: esc stops it, then /new again", true)
		return nil
	}
	mgr, o := m.opts.Manager, live.DraftOptions{Agent: m.agent(), Dir: m.dir(), Settings: m.settings()}
	return m.load(func() (*live.Session, error) { return mgr.Draft(o) })
}

// exportedMsg says where a conversation was written.
type exportedMsg struct {
	path string
	err  error
}

// export writes the conversation as markdown into a file of the session's directory. A file that exists stays.
func (m *Model) export(name string) tea.Cmd {
	if len(m.feed.t.Turns) == 0 {
		m.say("there is nothing to export yet", true)
		return nil
	}
	name = exportName(name, m.dir(), m.look.home, m.now())
	text := export.Markdown(m.session.Meta(), m.feed.t)
	return m.command(func() tea.Msg { return exportedMsg{name, writeNew(name, text)} })
}

// exportName is the file that a conversation of a directory is written into: the one that is named, else one with the time.
func exportName(name, dir, home string, now time.Time) string {
	if name == "" {
		name = "parley-" + now.Format("2006-01-02-150405") + ".md"
	}
	if rest, ok := strings.CutPrefix(name, "~/"); ok && home != "" {
		name = filepath.Join(home, rest)
	}
	if !filepath.IsAbs(name) {
		name = filepath.Join(dir, name)
	}
	return name
}

// writeNew writes a file that does not exist yet.
func writeNew(name, text string) error {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	return err
}

func (m *Model) exported(msg exportedMsg) {
	if msg.err != nil {
		m.say("not exported: "+visible(oneLine(msg.err.Error())), true)
		return
	}
	m.say("exported to "+visible(homely(msg.path, m.look.home)), false)
}
