package ui

import (
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/ui/md"
	"parley/ui/picker"
)

// picking is what the open list chooses.
type picking uint8

const (
	pickModel picking = iota
	pickEffort
	pickMode
	pickBypass
	pickSession
	pickQueue
	pickFork
	pickAgent
	pickChild
	pickCode
	pickInstall
	pickPalette
	pickNotices
	pickUsage
)

// openList is the list that covers the screen.
type openList struct {
	*picker.Picker

	of     picking
	blocks []md.CodeBlock // of pickCode
}

// openPicker covers the screen with a list.
func (m *Model) openPicker(what picking, o picker.Options) *openList {
	m.picker = &openList{Picker: picker.New(m.look, o), of: what}
	m.picker.SetSize(m.width, m.cover())
	m.touch()
	return m.picker
}

// closePicker uncovers the screen.
func (m *Model) closePicker() {
	m.picker = nil
	m.notices.Release()
	_ = m.resetPrompt() // nothing is held behind a picker
}

// picks reports whether the open list chooses something of that kind.
func (m *Model) picks(what picking) bool { return m.picker != nil && m.picker.of == what }

// listed carries out what came of the open list, and closes it where that ends it.
func (m *Model) listed(a picker.Action) (cmd tea.Cmd) {
	list := m.picker
	switch a := a.(type) {
	case picker.Refused:
		m.notices.Warn(a.Row.Cells[0] + ": " + a.Row.Off)
		return nil
	case picker.Moved:
		m.session.Move(session.PromptID(a.Row.ID), a.By)
		return nil
	case picker.Dropped:
		return m.dropQueued(session.PromptID(a.Row.ID))
	case picker.Peek:
		return m.peek(a.Row)
	case picker.Picked:
		cmd = m.picked(list, a.Row.ID)
	case picker.Forked:
		cmd = m.forkOf(session.ID(a.Row.ID), "")
	case picker.Closed:
	default:
		return nil
	}
	if m.picker == list { // the choice may have opened another
		m.closePicker()
	}
	return cmd
}

// picked does what was chosen in a list.
func (m *Model) picked(list *openList, id string) tea.Cmd {
	switch list.of {
	case pickModel:
		return m.chooseModel(id)
	case pickEffort:
		return m.chooseEffort(id)
	case pickMode:
		m.chooseMode(session.Mode(id))
	case pickBypass:
		if id == "yes" {
			m.setMode(session.ModeBypass)
		}
	case pickSession:
		return m.resume(session.ID(id))
	case pickQueue:
		return m.takeBack(session.PromptID(id))
	case pickFork:
		return m.fork(session.TurnID(id))
	case pickAgent:
		return m.switchAgent(id)
	case pickChild:
		m.conv.OpenChild(session.ChildID(id))
	case pickCode:
		if n, err := strconv.Atoi(strings.TrimPrefix(id, "\x00")); err == nil {
			return m.copyText("code", list.blocks[n].Text)
		}
	case pickInstall:
		if id == "yes" {
			return m.startInstall()
		}
	case pickPalette:
		return m.choosePalette(id)
	case pickNotices:
		m.showNotice(id)
	case pickUsage: // there is nothing to do with a figure
	}
	return nil
}

// peek gets the preview of a row: of a session a moment later, of a notice its whole text.
func (m *Model) peek(r picker.Row) tea.Cmd {
	if m.picks(pickSession) {
		return m.work.after(peekDelay, peekMsg{r.ID})
	}
	w := m.picker.PreviewWidth()
	if m.picker.Split() {
		w -= 8
	}
	m.picker.SetPreview(r.ID, m.look.Measure.Wrap(strings.TrimLeft(r.Cells[0], "! "), max(20, w)))
	return nil
}
