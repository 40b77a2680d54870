package chat

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/ui/core"
	"parley/ui/input"
	"parley/ui/keymap"
	"parley/ui/panel"
	"parley/ui/style"
)

// field carries out what came of a call of the field.
func (m *Model) field(a input.Action, cmd tea.Cmd) tea.Cmd {
	if a == nil {
		return cmd
	}
	return tea.Batch(cmd, m.fieldAction(a))
}

// fieldAction carries out what the field asks for.
func (m *Model) fieldAction(a input.Action) tea.Cmd {
	switch a := a.(type) {
	case input.Began:
		m.current.warm()
	case input.Pressed:
		if cmd, done := m.act(a.Bound); done {
			return cmd
		}
		return m.field(m.input.Type(a.Key))
	case input.TakeBack:
		if p, ok := m.current.unqueue(); ok {
			return m.prompts.reclaim(p)
		}
		return m.field(m.input.Type(a.Key))
	case input.Submitted:
		return m.submit(prepared(a.Prompt, a.Steer))
	case input.SubmittedNothing:
		if m.current.queueHeld() {
			m.current.session.Release()
			return nil
		}
		return m.prompts.retry()
	case input.Command:
		return m.slash(a)
	case input.Shell:
		return m.shell.Run(a.Line)
	case input.Leave:
		m.do(m.leave())
		return m.input.SetValue("")
	case input.Read:
		return m.vimReads(a.What)
	case input.Say:
		m.notices.Add(a.Text, a.Warn)
	case input.ImageAdded:
		if mod := m.choices.model(m.current.settings().Model); mod != nil && !mod.Vision {
			m.notices.Warn(style.ShortModel(mod.ID) + " cannot see images; /model lists others")
		}
	}
	return nil
}

// enter sends what is written, into the running turn or behind it.
func (m *Model) enter(steer bool) tea.Cmd { return m.field(m.input.Submit(steer), nil) }

// submit sends a prompt. One for a service is shown first as what it becomes there.
func (m *Model) submit(p core.Prepared) tea.Cmd {
	if m.delegate.Remote() == nil || strings.TrimSpace(p.Prompt.Text) == "" {
		return m.prompts.submit(p)
	}
	m.do(m.delegate.Submit(m.prompts.hold(p)))
	return nil
}

// slash runs a slash command, or sends it to an agent that understands it.
func (m *Model) slash(a input.Command) tea.Cmd {
	if c, ours := findCommand(a.Name); ours {
		cmd := m.input.SetValue("")
		m.do(c.run(m, a.Args))
		return cmd
	}
	if m.current.isAgentCommand(a.Name) {
		var cmd tea.Cmd
		if m.input.Value() != a.Text { // it was chosen from the list
			cmd = m.input.SetValue(a.Text)
		}
		return tea.Batch(cmd, m.prompts.post(prepared(m.input.Take(strings.TrimSpace(a.Text)), false)))
	}
	if wait := m.current.commandsToCome(); wait != nil {
		return m.prompts.awaitCommands(a.Text, wait)
	}
	m.notices.Warn("No command /" + a.Name + ". /help lists them, // sends a slash")
	return nil
}

// act does what a key is bound to, and reports whether there was something to do.
func (m *Model) act(b keymap.Bound) (cmd tea.Cmd, done bool) {
	switch b.Act {
	case keymap.Send, keymap.Steer: // chosen in a list
		return m.enter((b.Act == keymap.Send) == m.opts.EnterSteers), true
	case keymap.Interrupt:
		return m.escape(), true
	case keymap.Stop:
		return m.ctrlC(), true
	case keymap.Leave:
		m.do(m.leave())
	case keymap.Editor:
		m.edit(m.input.Value(), nil)
	case keymap.Mode:
		m.choices.nextMode()
	case keymap.Redraw, keymap.Suspend:
		m.do(panel.Key{Bound: b})
	case keymap.Search:
		return m.input.OpenSearch(), true
	case keymap.Fork:
		m.do(m.sessions.openFork(m.conv.Session().TopTurn()))
	case keymap.Image:
		return m.field(m.input.PasteImage()), true
	case keymap.Background:
		m.do(m.toBackground())
	case keymap.RunCommand:
		m.runKey(b.Command)
	default:
		return nil, m.reader.scrollAct(b.Act)
	}
	return nil, true
}

// vimReads does what a key of vim's normal mode means in the conversation.
func (m *Model) vimReads(what input.Reading) tea.Cmd {
	switch what {
	case input.ReadFind:
		return m.reader.find()
	case input.ReadNextMatch:
		return m.reader.findAgain(-1)
	case input.ReadPreviousMatch:
		return m.reader.findAgain(1)
	case input.ReadHelp:
		m.do(m.openHelp())
	case input.ReadPalette:
		m.do(m.openPalette())
	case input.ReadHalfPageUp:
		m.conv.ScrollHalf(-1)
	case input.ReadHalfPageDown:
		m.conv.ScrollHalf(1)
	case input.ReadEnd:
		m.conv.Bottom()
	}
	return nil
}
