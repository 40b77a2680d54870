package ui

import (
	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/ui/lists"
	"parley/ui/picker"
)

// listed carries out what came of the open list, and closes it where that ends it.
func (m *Model) listed(a picker.Action) (cmd tea.Cmd) {
	list := m.covers.list
	for _, handles := range []func(picker.Action) (tea.Cmd, bool, bool){m.permits.Handles, m.customs.Handles} {
		if cmd, closes, own := handles(a); own {
			if closes && m.covers.list == list {
				m.closeList()
			}
			return cmd
		}
	}
	switch a := a.(type) {
	case picker.Refused:
		m.notices.Warn(a.Row.Cells[0] + ": " + a.Row.Off)
		return nil
	case picker.Moved:
		m.current.session.Move(session.PromptID(a.Row.ID), a.By)
		return nil
	case picker.Dropped:
		return m.prompts.dropQueued(session.PromptID(a.Row.ID))
	case picker.Peek:
		return m.covers.peek(a)
	case picker.Picked:
		cmd = m.chosen(list.of.Choose(a.Row.ID))
	case picker.Forked:
		cmd = m.sessions.forkOf(session.ID(a.Row.ID), "")
	case picker.Closed:
	default:
		return nil
	}
	if m.covers.list == list { // the choice may have opened another
		m.closeList()
	}
	return cmd
}

// chosen carries out what was chosen in a list.
func (m *Model) chosen(a lists.Action) tea.Cmd {
	switch a := a.(type) {
	case lists.SetModel:
		return m.choices.chooseModel(a.ID)
	case lists.SetEffort:
		return m.choices.chooseEffort(a.Effort)
	case lists.SetMode:
		m.choices.chooseMode(a.Mode, a.Confirmed)
	case lists.Resume:
		return m.sessions.resume(a.ID)
	case lists.Reclaim:
		return m.prompts.takeBack(a.ID)
	case lists.ForkAfter:
		return m.sessions.forkOf(m.current.session.ID(), a.Turn)
	case lists.StartWith:
		return m.sessions.switchAgent(a.Agent)
	case lists.OpenChild:
		m.conv.OpenChild(a.ID)
	case lists.ShowItem:
		m.conv.Session().ShowItem(a.Item)
	case lists.RepeatNotice:
		m.notices.Repeat(a.Index)
	case lists.Copy:
		return m.reader.copyText(a.What, a.Text)
	case lists.Install:
		return m.jobs.StartInstall()
	case lists.RunCommand:
		if c, known := findCommand(a.Name); known {
			return c.run(m, "")
		}
	case lists.Do:
		cmd, _ := m.act(a.Bound)
		return cmd
	}
	return nil
}

// closeList uncovers the screen.
func (m *Model) closeList() {
	m.covers.list = nil
	m.notices.Release()
	_ = m.asks.Reset() // nothing is held behind a list
}

// openPalette opens the list of everything that can be done.
func (m *Model) openPalette() tea.Cmd {
	m.covers.open(lists.Palette{Keys: m.keys, Commands: m.offered()}, "")
	return nil
}
