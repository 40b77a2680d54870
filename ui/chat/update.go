package chat

import (
	tea "charm.land/bubbletea/v2"

	"parley/ui/core"
	"parley/ui/input"
	"parley/ui/install"
	"parley/ui/keymap"
	"parley/ui/panel"
	questions "parley/ui/question/view"
	"parley/ui/shell"
	"parley/ui/transcript"
	"parley/ui/welcome"
)

// inboxMsg reports that an inbox has events.
type inboxMsg struct{ from *core.Inbox }

// Update handles what the user does while nothing covers the chat, and all that happens in it.
func (m *Model) Update(msg tea.Msg) (panel.Effect, panel.Cmd) {
	if m.current.opening != nil && m.sessions.opening.holds(msg) {
		return nil, nil
	}
	cmd, known := m.userDid(msg)
	if !known {
		cmd, known = m.happened(msg)
	}
	if !known {
		cmd, known = m.resulted(msg)
	}
	if !known {
		return panel.Pass{}, nil
	}
	return nil, panel.Adopt(cmd)
}

// userDid handles keys, pastes and the pointer, and what the stack reports.
func (m *Model) userDid(msg tea.Msg) (cmd tea.Cmd, known bool) {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		return m.controls.key(msg), true
	case tea.PasteMsg:
		return m.controls.paste(msg.Content), true
	case tea.MouseMsg:
		return m.controls.pointer(msg), true
	case panel.Covered:
		m.covered = true
		m.controls.taps.disarm(keymap.None)
		m.conv.Undrag()
	case panel.Uncovered:
		m.covered = false
		m.screen.touch()
		m.notices.Release()
		return m.asks.Reset(), true // nothing is held behind a panel
	case panel.Drawn:
		if m.asks.Shown() {
			m.asks.Ask.Drawn()
		}
		return m.asks.Timer(), true
	case panel.Edited:
		m.screen.touch()
		return tea.Batch(m.controls.edited(msg), m.asks.Reset()), true
	case panel.Restyled:
		m.conv.Restyle()
		m.input.Restyle()
		m.screen.touch()
	default:
		return nil, false
	}
	return nil, true
}

// happened handles what goes on by itself.
func (m *Model) happened(msg tea.Msg) (cmd tea.Cmd, known bool) {
	switch msg := msg.(type) {
	case inboxMsg:
		m.screen.later = true
		events, cmd := m.sessions.take(msg.from)
		if len(events) > 0 {
			m.tell(panel.Happened(events))
		}
		return cmd, true
	case spinMsg:
		m.screen.later = true
		return m.view.spin.turn(), true
	case shell.Msg:
		m.screen.later = true
		return m.shell.Update(msg), true
	case install.EndedMsg:
		m.install.Update(msg)
		return m.sessions.listAgents(), true
	case install.Msg:
		m.screen.later = true
		return m.install.Update(msg), true
	case questions.TickMsg:
		return m.asks.Tick(msg), true
	case draftMsg:
		if m.prompts.drafts.due {
			m.prompts.drafts.save()
		}
	case placeMsg:
		m.places.got(msg)
	case placeDueMsg:
		m.places.save()
	case statusDueMsg:
		m.status.waiting = false
	case tea.FocusMsg, tea.BlurMsg:
		m.sessions.stream.pace()
		m.screen.touch()
	case tea.ResumeMsg:
		return m.asks.Reset(), true
	case tea.KeyboardEnhancementsMsg:
		m.screen.kitty = msg.SupportsKeyDisambiguation()
		m.screen.touch()
	default:
		return nil, false
	}
	return nil, true
}

// resulted handles the results of commands.
func (m *Model) resulted(msg tea.Msg) (cmd tea.Cmd, known bool) {
	switch msg := msg.(type) {
	case catalogMsg:
		m.screen.touch()
		m.choices.gotCatalog(msg)
	case commandsMsg:
		m.screen.touch()
		if m.prompts.gotCommands(msg) {
			return m.controls.enter(false), true
		}
	case resumedMsg:
		m.screen.touch()
		return m.sessions.gotSession(msg), true
	case endMsg:
		return m.sessions.gotEnd(msg), true
	case arrivedMsg:
		m.screen.touch()
		return m.sessions.arrived(msg), true
	case storedMsg:
		m.prompts.stored(msg)
	case questions.Msg:
		return m.asks.Update(msg), true
	case input.Msg:
		return m.controls.field(m.input.Update(msg)), true
	case readyMsg:
		return m.prompts.filesRead(msg), true
	case statusRanMsg:
		m.status.ran(msg.result)
	case welcome.Greeted:
		m.greeting.Update(msg)
	case copiedMsg:
		m.screen.touch()
		return m.sessions.copied(msg), true
	case leftMsg:
		m.sessions.gotLeft(msg)
	case reopenedMsg:
		m.screen.touch()
		m.sessions.reopened(msg)
	case lookMsg:
		return m.sessions.looks(), true
	case lookedMsg:
		m.sessions.looked()
	case agentsMsg:
		m.sessions.gotAgents(msg.list)
	case transcript.Message:
		cmd, _ := m.reader.converse(msg)
		return cmd, true
	default:
		return nil, false
	}
	return nil, true
}
