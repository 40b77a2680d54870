package ui

import (
	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/ui/background"
	"parley/ui/chat"
	"parley/ui/help"
	"parley/ui/keymap"
	"parley/ui/list"

	"parley/ui/panel"
)

// CarryOut carries out an effect of a panel within the call, see [panel.Owner].
func (m *Model) CarryOut(from panel.ID, e panel.Effect) tea.Cmd {
	m.screen.touch()
	switch e := e.(type) {
	case panel.Notice:
		m.notice(e)
	case panel.Repeat:
		m.notices.Repeat(e.Index)
	case panel.Report:
		return m.reports(e)
	case panel.Copy:
		return m.reader.copyText(e.What, e.Text)
	case panel.EditText:
		return m.screen.edit(e.Text, func(text string, err error) tea.Msg { return panel.Reply(from, panel.Edited{Text: text, Err: err}) })
	case panel.EditFile:
		return m.screen.editFile(e.Path, func(err error) tea.Msg { return panel.Reply(from, panel.Edited{Err: err}) })
	case panel.Command:
		return m.runCommand(e.Name, e.Args)
	case panel.Key:
		cmd, _ := m.act(e.Bound)
		return cmd
	case panel.Install:
		return m.install.Start()
	case panel.SignIn:
		m.result.Choice = e.Choice
		return tea.Quit
	default:
		return m.carryOutInChat(e)
	}
	return nil
}

// carryOutInChat carries out an effect on the chat.
func (m *Model) carryOutInChat(e panel.Effect) tea.Cmd {
	switch e := e.(type) {
	case panel.Write:
		if m.input.Value() == "" {
			return m.input.Edited(e.Text)
		}
	case panel.Post:
		return m.prompts.submit(e.Prompt)
	case panel.Restore:
		m.prompts.putBack(e.Prompt)
	case panel.Reclaim:
		return m.prompts.takeBack(e.ID)
	case panel.Drop:
		return m.prompts.dropQueued(e.ID)
	case panel.Move:
		m.current.session.Move(e.ID, e.By)
	case panel.Unaccepted:
		m.view.open.count = e.Files
	case panel.OpenChild:
		m.conv.OpenChild(e.ID)
	case panel.ShowItem:
		m.conv.Session().ShowItem(e.Item)
	default:
		return m.carryOutInSession(e)
	}
	return nil
}

// carryOutInSession carries out an effect on the session, or on which one is shown.
func (m *Model) carryOutInSession(e panel.Effect) tea.Cmd {
	switch e := e.(type) {
	case panel.SetModel:
		return m.choices.chooseModel(e.ID)
	case panel.SetEffort:
		return m.choices.chooseEffort(e.Effort)
	case panel.SetMode:
		return m.choices.chooseMode(e.Mode, e.Confirmed)
	case panel.SetCustom:
		m.choices.custom(e.Agent)
	case panel.Resume:
		return m.sessions.resume(e.ID)
	case panel.Begin:
		return m.sessions.switchAgent(e.Agent)
	case panel.Fork:
		if e.Session == "" {
			e.Session = m.current.session.ID()
		}
		return m.sessions.forkOf(e.Session, e.After)
	case panel.Delegated:
		return m.delegated(e)
	case panel.Progress:
		return m.progress(e)
	case panel.Spare:
		return m.sessions.spare(e.Session)
	}
	return nil
}

// notice shows a notice.
func (m *Model) notice(n panel.Notice) {
	if n.For > 0 {
		m.notices.AddFor(n.For, n.Text, n.Warn)
		return
	}
	m.notices.Add(n.Text, n.Warn)
}

// reports shows lines: one as a notice if it fits, more in a list.
func (m *Model) reports(r panel.Report) tea.Cmd {
	if len(r.Lines) == 1 && m.screen.look.Measure.Width(r.Lines[0]) < m.screen.width-4 {
		m.notices.Info(r.Lines[0])
		return nil
	}
	return m.stack.Do(0, panel.Push{Panel: list.Open(m.screen.look, list.Facts(r), "")})
}

// delegated shows the session in which work was handed over, or keeps it open without being shown.
func (m *Model) delegated(e panel.Delegated) tea.Cmd {
	if e.Plan != nil {
		m.asks.Reply(e.Plan, session.Answer{Decision: session.Deny, Message: chat.HandedOver})
	}
	if e.Open {
		m.current.interrupt()
		return m.sessions.change(e.Session, "")
	}
	m.notices.Info("Handing over to GitHub…")
	m.sessions.beside[e.Session] = true
	return m.stack.Do(0, e.Then)
}

// progress reports what became of a session that is kept open without being shown.
func (m *Model) progress(e panel.Progress) tea.Cmd {
	if e.Over {
		delete(m.sessions.beside, e.Session)
	}
	if e.Text != "" && e.Session != m.current.value().Session {
		m.notices.Add(e.Text, e.Warn)
	}
	return m.stack.Do(0, e.Then)
}

// Unused handles a key that a panel passed: those that open a feature work everywhere, once there is a session.
func (m *Model) Unused(k tea.KeyPressMsg) tea.Cmd {
	if b := m.keys.Acts[k.String()]; b.Act == keymap.RunCommand && !b.Empty && m.current.session != nil {
		return m.runKey(b.Command)
	}
	return nil
}

// openPalette opens the list of everything that can be done.
func (m *Model) openPalette() tea.Cmd {
	return m.stack.Do(0, panel.Push{Panel: list.Open(m.screen.look, help.Palette{Keys: m.keys, Commands: m.offered()}, ""), Of: "palette"})
}

// openHelp covers the screen with the help.
func (m *Model) openHelp() tea.Cmd {
	return m.stack.Do(0, panel.Push{Panel: help.New(m.screen.look, m.keys), Of: "help"})
}

// openBackground opens the panel of what runs in the background.
func (m *Model) openBackground() tea.Cmd {
	o := background.Options{Look: m.screen.look, Keys: m.keys, Transcript: m.conv.Transcript, Dir: m.current.dir()}
	if s := m.current.value().Session; s != nil {
		o.Session = s
	}
	return m.stack.Do(0, background.Run(o))
}

// toBackground sends what runs in the turn to the background.
func (m *Model) toBackground() tea.Cmd {
	now := m.current.value()
	if now.Session == nil {
		return nil
	}
	return m.stack.Do(0, background.Send(now.Session, now.Transcript, now.Dir))
}

// interrupt stops the running turn, unless it works at a service.
func (m *Model) interrupt() tea.Cmd {
	if e := m.delegate.Stop(); e != nil {
		return m.stack.Do(0, e)
	}
	m.current.interrupt()
	return nil
}
