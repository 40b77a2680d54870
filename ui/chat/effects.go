package chat

import (
	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/ui/core"
	"parley/ui/panel"
)

// CarryOut carries out an effect on the chat, on the session, or on which one is shown.
func (m *Model) CarryOut(e panel.Effect) panel.Cmd {
	m.screen.touch()
	return panel.Adopt(m.carryOut(e))
}

// carryOut carries out an effect on the chat.
func (m *Model) carryOut(e panel.Effect) tea.Cmd {
	switch e := e.(type) {
	case panel.Command:
		m.commands.run(e.Name, e.Args)
	case panel.Key:
		cmd, _ := m.controls.act(e.Bound)
		return cmd
	case panel.Install:
		return m.install.Start()
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
		m.prompts.dropQueued(e.ID)
	case panel.Move:
		m.current.session.Move(e.ID, e.By)
	case panel.Unaccepted:
		m.view.open.count = e.Files
	case panel.Tasks:
		m.reader.tasks.Toggle()
	case panel.Apply:
		if e.Key == "ui.keys" {
			m.keys.Vim = e.Value == "vim"
		}
	case panel.Trust:
		return m.asks.SummonTrust()
	case panel.Quit:
		m.do(m.controls.leave())
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
		m.choices.chooseModel(e.ID)
	case panel.TermsAccepted:
		m.choices.accepted(e.ID)
	case panel.UseModel:
		m.choices.use(e)
	case panel.SetEffort:
		m.choices.chooseEffort(e.Effort)
	case panel.SetMode:
		m.choices.chooseMode(e.Mode, e.Confirmed)
	case panel.SetCustom:
		m.choices.custom(e.Agent)
	case panel.SetDirs:
		m.choices.configure(core.WithDirs(m.current.session, e.Add, e.Remove), e.Said)
	case panel.Resume:
		return m.sessions.resume(e.ID)
	case panel.Reopen:
		return m.sessions.reopen(e.Sessions)
	case panel.Begin:
		return m.sessions.beginWith(e)
	case panel.Rename:
		m.sessions.rename(e.Title)
	case panel.Export:
		m.do(e.Of(m.current.value(), m.look))
	case panel.Fork:
		if e.Session == "" {
			e.Session = m.current.session.ID()
		}
		return m.sessions.forkOf(e.Session, e.After)
	case panel.Rewound:
		cmd := m.sessions.change(e.Session, core.DraftOf(e.Prompt))
		m.prompts.drafts.save()
		return cmd
	case panel.Delegated:
		return m.delegated(e)
	case panel.Progress:
		m.progress(e)
	case panel.Spare:
		return m.sessions.spare(e.Session)
	}
	return nil
}

// delegated shows the session in which work was handed over, or keeps it open without being shown.
func (m *Model) delegated(e panel.Delegated) tea.Cmd {
	if e.Plan != nil {
		m.asks.Reply(e.Plan, session.Answer{Decision: session.Deny, Message: core.HandedOver})
	}
	if e.Open {
		m.current.interrupt()
		return m.sessions.change(e.Session, "")
	}
	m.notices.Info("Handing over to GitHub…")
	m.sessions.beside[e.Session] = true
	m.do(e.Then)
	return nil
}

// progress reports what became of a session that is kept open without being shown.
func (m *Model) progress(e panel.Progress) {
	if e.Over {
		delete(m.sessions.beside, e.Session)
	}
	if e.Text != "" && e.Session != m.current.value().Session {
		m.notices.Add(e.Text, e.Warn)
	}
	m.do(e.Then)
}
