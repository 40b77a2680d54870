package permits

import (
	"context"
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/session/permission"
	"parley/session/rules"
	"parley/ui/lists"
	"parley/ui/notice"
	"parley/ui/permissions"
	"parley/ui/picker"
)

// Screen is what the command needs of the program around it. Its methods return at once and are called on the event loop.
type Screen interface {
	// Permissions returns what rules are listed for.
	Permissions() permissions.Chat
	// Open covers the screen with a list, filtered by some words. Refresh replaces what is in the open list, if it is one of the
	// same kind, and reports whether it was. Opened returns the open list, nil if there is none.
	Open(l lists.List, filter string)
	Refresh(l lists.List) bool
	Opened() (lists.List, *picker.Picker)
	// Fits reports whether a line fits into a notice.
	Fits(line string) bool
	// Write puts a text into the field, if nothing is written there.
	Write(text string) tea.Cmd
	// Edit opens a file in the user's editor. done returns the message that follows.
	Edit(path string, done func(error) tea.Msg) tea.Cmd
}

// Options are what a Model works with.
type Options struct {
	// Context ends what runs in the background.
	Context context.Context
	Screen  Screen
	// Rules are the permission rules on disk, nil for none.
	Rules   *rules.Store
	Notices *notice.Model
	Now     func() time.Time
	// Home is the user's home directory, to shorten paths.
	Home string
}

// Model is the command. The event loop owns it; files are read and changed in the background.
type Model struct {
	Options

	removed []permission.Rule // since the list was opened
	at      string            // the id of the row that was opened, "" for none
}

// New returns the command.
func New(o Options) *Model { return &Model{Options: o} }

// Msg is the result of a command of a Model. The root routes it to Update.
type Msg interface{ permits() }

func (rulesMsg) permits()  {}
func (saidMsg) permits()   {}
func (editedMsg) permits() {}

// Update handles the result of a command.
func (p *Model) Update(msg Msg) tea.Cmd {
	switch msg := msg.(type) {
	case rulesMsg:
		p.got(msg)
	case saidMsg:
		return p.said(msg)
	case editedMsg:
		return p.change("", p.removed, func() error { return msg.err })
	}
	return nil
}

// rulesMsg carries the rules as they are after a change. done says what was changed.
type rulesMsg struct {
	listing permissions.Listing
	done    string
	removed []permission.Rule
	err     error
}

// saidMsg carries what a command has to say.
type saidMsg struct {
	written string // what the user wrote
	lines   []string
	err     error
}

// Run opens the list, or carries out what is written behind the command.
func (p *Model) Run(args string) tea.Cmd {
	store, chat, now := p.Rules, p.Screen.Permissions(), p.Now()
	switch {
	case store == nil:
		p.Notices.Info("there are no permission rules here")
		return nil
	case args == "":
		p.removed = nil
		p.Screen.Open(lists.Permissions{Loading: true}, "")
		return p.change("", p.removed, func() error { return nil })
	}
	return func() tea.Msg {
		lines, err := permissions.Run(p.Context, store, chat, args, now)
		return saidMsg{"/permissions " + args, lines, err}
	}
}

// change makes a change in the background and reads the rules again.
func (p *Model) change(done string, removed []permission.Rule, do func() error) tea.Cmd {
	store, chat, now := p.Rules, p.Screen.Permissions(), p.Now()
	return func() tea.Msg {
		err := do()
		return rulesMsg{permissions.Read(store, chat, now), done, removed, err}
	}
}

// got shows the rules after a change.
func (p *Model) got(msg rulesMsg) {
	if msg.err == nil {
		p.removed = msg.removed
	}
	l := lists.Permissions{Listing: msg.listing, Removed: p.removed, Home: p.Home}
	if !p.Screen.Refresh(l) && msg.err == nil && msg.done != "" { // a rule was saved in its own list
		p.Screen.Open(l, "")
	}
	if of, o := p.Screen.Opened(); isRules(of) {
		o.Text = l.Options().Text
		o.Select(func(r picker.Row) bool { return r.ID == p.at })
		p.at = ""
	}
	switch {
	case msg.err != nil:
		p.Notices.Warn(permissions.Plain(msg.err).Error())
	case msg.done != "":
		p.Notices.Info(msg.done)
	}
}

// said shows what a command says: one line as a notice, more in a list. A mistake is back in the field, unless that is in use.
func (p *Model) said(msg saidMsg) tea.Cmd {
	switch {
	case msg.err != nil:
		p.Notices.Warn(msg.err.Error())
		return p.Screen.Write(msg.written)
	case len(msg.lines) == 1 && p.Screen.Fits(msg.lines[0]):
		p.Notices.Info(msg.lines[0])
	default:
		p.Screen.Open(lists.Facts{Title: msg.written, Lines: msg.lines}, "")
	}
	return nil
}

// Handles carries out what came of a list that is the command's, and reports whether it is and whether it closes.
func (p *Model) Handles(a picker.Action) (cmd tea.Cmd, closes, own bool) {
	of, o := p.Screen.Opened()
	switch l := of.(type) {
	case lists.Permissions:
		cmd, closes = p.listed(l, a)
		return cmd, closes, true
	case lists.Rule:
		cmd, closes = p.edited(l, a, o.Typed())
		return cmd, closes, true
	}
	return nil, false, false
}

// listed carries out what came of the list of rules, and reports whether it closes.
func (p *Model) listed(l lists.Permissions, a picker.Action) (cmd tea.Cmd, closes bool) {
	switch a := a.(type) {
	case picker.Picked:
		p.at = a.Row.ID
		return p.chosen(l.Choose(a.Row.ID)), false
	case picker.Dropped:
		r, fixed, ok := l.Rule(a.Row.ID)
		if ok && r.Origin == permission.FromSession {
			return p.revoke(r), false
		}
		if !ok || fixed != "" {
			p.refuse(fixed)
			return nil, false
		}
		store, dir := p.Rules, p.dir()
		return p.change(fmt.Sprintf("removed: %s %s", r.Ruling, r), append(p.removed[:len(p.removed):len(p.removed)], r),
			func() error { return store.Remove(dir, r) }), false
	case picker.Moved:
		r, fixed, ok := l.Rule(a.Row.ID)
		to := permissions.Other(r.Origin)
		if !ok || fixed != "" || (to == permission.FromGlobal) != (a.By < 0) { // global rules stand above those of the project
			p.refuse(fixed)
			return nil, false
		}
		store, dir := p.Rules, p.dir()
		return p.change(fmt.Sprintf("moved to the %s rules: %s %s", to, r.Ruling, r), p.removed, func() error { return store.Move(dir, r, to) }), false
	case picker.Closed:
		return nil, true
	}
	return nil, false
}

// revoke takes back a rule of the session.
func (p *Model) revoke(r permission.Rule) tea.Cmd {
	store, chat, removed, now := p.Rules, p.Screen.Permissions(), p.removed, p.Now()
	return func() tea.Msg {
		chat, err := chat.RevokeRule(r)
		return rulesMsg{permissions.Read(store, chat, now), fmt.Sprintf("removed from this session: %s %s", r.Ruling, r), removed, err}
	}
}

func (p *Model) refuse(why string) {
	if why != "" {
		p.Notices.Warn(why)
	}
}

// chosen carries out what was chosen in the list of rules.
func (p *Model) chosen(a lists.Action) tea.Cmd {
	store, dir := p.Rules, p.dir()
	switch a := a.(type) {
	case lists.Refuse:
		p.refuse(a.Why)
	case lists.EditRule:
		text := ""
		if a.Rule.Number > 0 {
			text = a.Rule.String()
		}
		p.Screen.Open(lists.Rule(a), text)
	case lists.RestoreRule:
		var left []permission.Rule
		for _, r := range p.removed {
			if r != a.Rule {
				left = append(left, r)
			}
		}
		return p.change(fmt.Sprintf("brought back: %s %s", a.Rule.Ruling, a.Rule), left, func() error { return store.Add(dir, a.Rule.Origin, a.Rule) })
	case lists.OpenRules:
		return p.edit(a.Path)
	}
	return nil
}

// edited carries out what came of the field with a rule, and reports whether it closes.
func (p *Model) edited(l lists.Rule, a picker.Action, typed string) (cmd tea.Cmd, closes bool) {
	switch a := a.(type) {
	case picker.Picked:
		save, _ := l.Choose(a.Row.ID).(lists.SaveRule)
		r, err := permissions.Parse(typed, save.Ruling)
		if err != nil {
			p.Notices.Warn(err.Error())
			return nil, false
		}
		store, dir := p.Rules, p.dir()
		if save.Old.Number == 0 {
			return p.change(permissions.Noted(fmt.Sprintf("added: %s %s", r.Ruling, r), r), p.removed, func() error { return store.Add(dir, save.Old.Origin, r) }), false
		}
		return p.change(permissions.Noted(fmt.Sprintf("changed: %s %s", r.Ruling, r), r), p.removed, func() error { return store.Replace(dir, save.Old, r) }), false
	case picker.Closed:
		p.Screen.Open(lists.Permissions{Loading: true}, "")
		return p.change("", p.removed, func() error { return nil }), false
	}
	return nil, false
}

// edit opens a file of rules in the user's editor, and lists the rules again.
func (p *Model) edit(path string) tea.Cmd {
	return p.Screen.Edit(path, func(err error) tea.Msg {
		if err != nil {
			err = fmt.Errorf("the editor failed: %w", err)
		}
		return editedMsg{err}
	})
}

// editedMsg reports that the user's editor has ended.
type editedMsg struct{ err error }

// dir returns the directory of the session.
func (p *Model) dir() string { return p.Screen.Permissions().Dir }

// isRules reports whether a list is that of the rules.
func isRules(l lists.List) bool {
	_, is := l.(lists.Permissions)
	return is
}
