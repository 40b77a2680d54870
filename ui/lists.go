package ui

import (
	"reflect"

	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/ui/chat"
	"parley/ui/lists"
	"parley/ui/picker"
)

// openList is the list that covers the screen.
type openList struct {
	*picker.Picker

	of lists.List
}

// shows reports whether an open list is of a kind; nil is not.
func shows[L lists.List](o *openList) bool {
	if o == nil {
		return false
	}
	_, is := o.of.(L)
	return is
}

// open covers the screen with a list, filtered by some words.
func (m *Model) open(l lists.List, filter string) *openList {
	o := l.Options()
	m.list = &openList{picker.New(m.look, o), l}
	m.list.SetSize(m.width, m.cover())
	m.list.SetFilter(filter)
	if o.Wait == "" && o.Trouble == "" {
		m.list.SetRows(l.Rows())
	}
	m.touch()
	return m.list
}

// refresh replaces what is in the open list, if it is one of the same kind.
func (m *Model) refresh(l lists.List) bool {
	if m.list == nil || reflect.TypeOf(m.list.of) != reflect.TypeOf(l) {
		return false
	}
	m.list.of, m.list.Right = l, l.Options().Right
	m.list.SetRows(l.Rows())
	m.touch()
	return true
}

// closeList uncovers the screen.
func (m *Model) closeList() {
	m.list = nil
	m.notices.Release()
	_ = m.resetPrompt() // nothing is held behind a list
}

// listed carries out what came of the open list, and closes it where that ends it.
func (m *Model) listed(a picker.Action) (cmd tea.Cmd) {
	list := m.list
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
		cmd = m.chosen(list.of.Choose(a.Row.ID))
	case picker.Forked:
		cmd = m.forkOf(session.ID(a.Row.ID), "")
	case picker.Closed:
	default:
		return nil
	}
	if m.list == list { // the choice may have opened another
		m.closeList()
	}
	return cmd
}

// chosen carries out what was chosen in a list.
func (m *Model) chosen(a lists.Action) tea.Cmd {
	switch a := a.(type) {
	case lists.SetModel:
		return m.chooseModel(a.ID)
	case lists.SetEffort:
		return m.chooseEffort(a.Effort)
	case lists.SetMode:
		m.chooseMode(a.Mode, a.Confirmed)
	case lists.Resume:
		return m.resume(a.ID)
	case lists.Reclaim:
		return m.takeBack(a.ID)
	case lists.ForkAfter:
		return m.forkOf(m.session.ID(), a.Turn)
	case lists.StartWith:
		return m.switchAgent(a.Agent)
	case lists.OpenChild:
		m.conv.OpenChild(a.ID)
	case lists.ShowItem:
		m.conv.Session().ShowItem(a.Item)
	case lists.RepeatNotice:
		m.notices.Repeat(a.Index)
	case lists.Copy:
		return m.copyText(a.What, a.Text)
	case lists.Install:
		return m.startInstall()
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

// peek gets the preview of a row: of a session a moment later, of a notice its whole text.
func (m *Model) peek(r picker.Row) tea.Cmd {
	notices, ok := m.list.of.(lists.Notices)
	if !ok {
		return m.work.after(peekDelay, peekMsg{r.ID})
	}
	w := m.list.PreviewWidth()
	if m.list.Split() {
		w -= 8
	}
	m.list.SetPreview(r.ID, notices.Preview(r, m.look.Measure, w))
	return nil
}

// openNotices opens the list of what was reported.
func (m *Model) openNotices() tea.Cmd {
	l := lists.Notices{At: m.look.Now()}
	for i, e := range m.notices.Past() {
		l.All = append(l.All, lists.Notice{At: e.At, Text: e.Text, Warn: e.Warn, Do: lists.RepeatNotice{Index: i}})
	}
	for _, n := range m.conv.Session().Notices() {
		l.All = append(l.All, lists.Notice{At: n.At, Text: n.Text, Warn: n.Problem, Do: lists.ShowItem{Item: n.Item}})
	}
	return m.listed(m.open(l, "").Missing())
}

// openUsage opens the list of what the session cost and what is left.
func (m *Model) openUsage() tea.Cmd {
	m.open(lists.Usage{Lines: chat.UsageLines(m.conv.Transcript(), m.quotas(), m.look.Now()), Measure: m.look.Measure, Width: m.width - 8}, "")
	return nil
}

// openPalette opens the list of everything that can be done.
func (m *Model) openPalette() tea.Cmd {
	l := lists.Palette{Keys: m.keys}
	for _, c := range commands {
		if c.when == nil || c.when(m) {
			l.Commands = append(l.Commands, c.Slash)
		}
	}
	m.open(l, "")
	return nil
}

// openChildren opens the list of child agents.
func (m *Model) openChildren() tea.Cmd {
	var l lists.Children
	for _, c := range m.conv.Session().Children() {
		l.All = append(l.All, lists.Child(c))
	}
	m.open(l, "")
	return nil
}
