package ui

import (
	"reflect"

	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/ui/chat"
	"parley/ui/help"
	"parley/ui/keymap"
	"parley/ui/lists"
	"parley/ui/notice"
	"parley/ui/picker"
	"parley/ui/signin"
	"parley/ui/style"
)

// covers is what covers the chat: a list, the help, or the screen of a user who is not signed in.
type covers struct {
	opts    *Options
	look    *style.Look
	keys    *keymap.Map
	notices *notice.Model
	screen  *screen

	list   *openList   // nil while no list covers the screen
	help   *help.Model // nil unless it covers the screen
	signIn *signin.Model
}

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
func (c *covers) open(l lists.List, filter string) *openList {
	o := l.Options()
	c.list = &openList{picker.New(c.look, o), l}
	c.list.SetSize(c.screen.width, c.screen.cover())
	c.list.SetFilter(filter)
	if o.Wait == "" && o.Trouble == "" {
		c.list.SetRows(l.Rows())
	}
	c.screen.touch()
	return c.list
}

// refresh replaces what is in the open list, if it is one of the same kind.
func (c *covers) refresh(l lists.List) bool {
	if c.list == nil || reflect.TypeOf(c.list.of) != reflect.TypeOf(l) {
		return false
	}
	c.list.of, c.list.Right = l, l.Options().Right
	c.list.SetRows(l.Rows())
	c.screen.touch()
	return true
}

// closeList uncovers the screen.
func (m *Model) closeList() {
	m.covers.list = nil
	m.notices.Release()
	_ = m.asks.reset() // nothing is held behind a list
}

// listed carries out what came of the open list, and closes it where that ends it.
func (m *Model) listed(a picker.Action) (cmd tea.Cmd) {
	list := m.covers.list
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
		return m.browser.peek(a)
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
		return m.jobs.startInstall()
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
func (b *browser) peek(a picker.Action) tea.Cmd {
	missing, ok := a.(picker.Peek)
	if !ok {
		return nil
	}
	r := missing.Row
	notices, ok := b.covers.list.of.(lists.Notices)
	if !ok {
		return b.work.after(peekDelay, peekMsg{r.ID})
	}
	w := b.covers.list.PreviewWidth()
	if b.covers.list.Split() {
		w -= 8
	}
	b.covers.list.SetPreview(r.ID, notices.Preview(r, b.look.Measure, w))
	return nil
}

// openNotices opens the list of what was reported.
func (b *browser) openNotices() tea.Cmd {
	l := lists.Notices{At: b.look.Now()}
	for i, e := range b.notices.Past() {
		l.All = append(l.All, lists.Notice{At: e.At, Text: e.Text, Warn: e.Warn, Do: lists.RepeatNotice{Index: i}})
	}
	for _, n := range b.conv.Session().Notices() {
		l.All = append(l.All, lists.Notice{At: n.At, Text: n.Text, Warn: n.Problem, Do: lists.ShowItem{Item: n.Item}})
	}
	return b.peek(b.covers.open(l, "").Missing())
}

// openUsage opens the list of what the session cost and what is left.
func (ch *choices) openUsage() tea.Cmd {
	ch.covers.open(lists.Usage{Lines: chat.UsageLines(ch.conv.Transcript(), ch.quotas(), ch.look.Now()), Measure: ch.look.Measure, Width: ch.screen.width - 8}, "")
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
	m.covers.open(l, "")
	return nil
}

// openChildren opens the list of child agents.
func (b *browser) openChildren() tea.Cmd {
	var l lists.Children
	for _, c := range b.conv.Session().Children() {
		l.All = append(l.All, lists.Child(c))
	}
	b.covers.open(l, "")
	return nil
}
