package ui

import (
	"reflect"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/ui/aside"
	"parley/ui/changes"
	"parley/ui/delegate"
	"parley/ui/help"
	"parley/ui/keymap"
	"parley/ui/lists"
	"parley/ui/notice"
	"parley/ui/picker"
	"parley/ui/signin"
	"parley/ui/style"
	"parley/ui/work"
)

// covers is what covers the chat: a list, the help, or the screen of a user who is not signed in.
type covers struct {
	opts    *Options
	look    *style.Look
	keys    *keymap.Map
	notices *notice.Model
	screen  *screen

	list    *openList      // nil while no list covers the screen
	changes *changes.Model // nil unless the panel covers the screen
	help    *help.Model    // nil unless it covers the screen
	aside   *aside.Model   // nil unless it covers the screen
	work    *work.Model    // nil unless the panel of what runs covers the screen
	hand    delegate.Panel // nil unless work is handed over
	signIn  *signin.Model
}

// listHeight returns how many rows the open list gets; inline no more than it needs, whatever its filter leaves.
func (c *covers) listHeight() int {
	h := c.screen.cover()
	if c.opts.Appearance.Inline {
		h = c.list.Want(c.screen.width, h)
	}
	return h
}

// openHelp covers the screen with the help.
func (c *covers) openHelp() {
	c.help = help.New(c.look, c.keys)
	c.screen.touch()
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
	o := l.Options()
	c.list.of, c.list.Right, c.list.Heads = l, o.Right, o.Heads
	c.list.SetRows(l.Rows())
	c.screen.touch()
	return true
}

// covered reports whether a list, a panel or the help covers the chat.
func (c *covers) covered() bool {
	return c.list != nil || c.changes != nil || c.help != nil || c.aside != nil || c.work != nil || c.hand != nil
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

// peek provides the preview of a row a moment later.
func (c *covers) peek(a picker.Action) tea.Cmd {
	missing, ok := a.(picker.Peek)
	if !ok {
		return nil
	}
	return c.screen.work.after(peekDelay, peekMsg{missing.Row.ID})
}

// peekMsg reports that a row has been selected for peekDelay.
type peekMsg struct{ id string }

// peekDelay is how long a row must be selected before it is read: choosing quickly passes over many.
const peekDelay = 80 * time.Millisecond
