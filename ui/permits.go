package ui

import (
	"fmt"
	"io"
	"os"

	tea "charm.land/bubbletea/v2"

	"parley/session/permission"
	"parley/ui/input"
	"parley/ui/lists"
	"parley/ui/notice"
	"parley/ui/permissions"
	"parley/ui/picker"
	"parley/ui/style"
	"parley/ui/transcript"
)

// permits is the command /permissions: its list, its changes and its explanations. Files are read and changed in the background.
type permits struct {
	opts    *Options
	work    background
	look    *style.Look
	conv    *transcript.Model
	input   *input.Model
	notices *notice.Model
	screen  *screen
	covers  *covers
	current *current

	removed []permission.Rule // since the list was opened
	at      string            // the id of the row that was opened, "" for none
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

// chat returns what rules are listed for.
func (p *permits) chat() permissions.Chat {
	meta := p.current.meta()
	c := permissions.Chat{Dir: p.current.dir(), Dirs: meta.Dirs, Mode: p.current.mode(), Grants: permission.Grants(p.conv.Transcript()),
		Environ: p.opts.Env, Home: p.look.Home}
	if p.current.session != nil && p.current.opening == nil {
		c.Revoke = p.current.session.RevokeRule
	}
	return c
}

// command opens the list, or carries out what is written behind the command.
func (p *permits) command(args string) tea.Cmd {
	store, chat, now := p.opts.Rules, p.chat(), p.look.Now()
	switch {
	case store == nil:
		p.notices.Info("there are no permission rules here")
		return nil
	case args == "":
		p.removed = nil
		p.covers.open(lists.Permissions{Loading: true}, "")
		return p.change("", p.removed, func() error { return nil })
	}
	return func() tea.Msg {
		lines, err := permissions.Run(p.work.ctx, store, chat, args, now)
		return saidMsg{"/permissions " + args, lines, err}
	}
}

// change makes a change in the background and reads the rules again.
func (p *permits) change(done string, removed []permission.Rule, do func() error) tea.Cmd {
	store, chat, now := p.opts.Rules, p.chat(), p.look.Now()
	return func() tea.Msg {
		err := do()
		return rulesMsg{permissions.Read(store, chat, now), done, removed, err}
	}
}

// got shows the rules after a change.
func (p *permits) got(msg rulesMsg) {
	if msg.err == nil {
		p.removed = msg.removed
	}
	l := lists.Permissions{Listing: msg.listing, Removed: p.removed, Home: p.look.Home}
	if !p.covers.refresh(l) && msg.err == nil && msg.done != "" { // a rule was saved in its own list
		p.covers.open(l, "")
	}
	if o := p.covers.list; shows[lists.Permissions](o) {
		o.Text = l.Options().Text
		o.Select(func(r picker.Row) bool { return r.ID == p.at })
		p.at = ""
	}
	switch {
	case msg.err != nil:
		p.notices.Warn(permissions.Plain(msg.err).Error())
	case msg.done != "":
		p.notices.Info(msg.done)
	}
}

// said shows what a command says: one line as a notice, more in a list. A mistake is back in the field, unless that is in use.
func (p *permits) said(msg saidMsg) tea.Cmd {
	switch {
	case msg.err != nil:
		p.notices.Warn(msg.err.Error())
		if p.input.Value() == "" {
			return p.input.Edited(msg.written)
		}
	case len(msg.lines) == 1 && p.look.Measure.Width(msg.lines[0]) < p.screen.width-4:
		p.notices.Info(msg.lines[0])
	default:
		p.covers.open(lists.Facts{Title: msg.written, Lines: msg.lines}, "")
	}
	return nil
}

// handles carries out what came of a list that is the command's, and reports whether it is and whether it closes.
func (p *permits) handles(o *openList, a picker.Action) (cmd tea.Cmd, closes, own bool) {
	switch l := o.of.(type) {
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
func (p *permits) listed(l lists.Permissions, a picker.Action) (cmd tea.Cmd, closes bool) {
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
		store, dir := p.opts.Rules, p.current.dir()
		return p.change(fmt.Sprintf("removed: %s %s", r.Ruling, r), append(p.removed[:len(p.removed):len(p.removed)], r),
			func() error { return store.Remove(dir, r) }), false
	case picker.Moved:
		r, fixed, ok := l.Rule(a.Row.ID)
		to := permissions.Other(r.Origin)
		if !ok || fixed != "" || (to == permission.FromGlobal) != (a.By < 0) { // global rules stand above those of the project
			p.refuse(fixed)
			return nil, false
		}
		store, dir := p.opts.Rules, p.current.dir()
		return p.change(fmt.Sprintf("moved to the %s rules: %s %s", to, r.Ruling, r), p.removed, func() error { return store.Move(dir, r, to) }), false
	case picker.Closed:
		return nil, true
	}
	return nil, false
}

// revoke takes back a rule of the session.
func (p *permits) revoke(r permission.Rule) tea.Cmd {
	store, chat, removed, now := p.opts.Rules, p.chat(), p.removed, p.look.Now()
	return func() tea.Msg {
		chat, err := chat.RevokeRule(r)
		return rulesMsg{permissions.Read(store, chat, now), fmt.Sprintf("removed from this session: %s %s", r.Ruling, r), removed, err}
	}
}

func (p *permits) refuse(why string) {
	if why != "" {
		p.notices.Warn(why)
	}
}

// chosen carries out what was chosen in the list of rules.
func (p *permits) chosen(a lists.Action) tea.Cmd {
	store, dir := p.opts.Rules, p.current.dir()
	switch a := a.(type) {
	case lists.Refuse:
		p.refuse(a.Why)
	case lists.EditRule:
		text := ""
		if a.Rule.Number > 0 {
			text = a.Rule.String()
		}
		p.covers.open(lists.Rule(a), text)
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
func (p *permits) edited(l lists.Rule, a picker.Action, typed string) (cmd tea.Cmd, closes bool) {
	switch a := a.(type) {
	case picker.Picked:
		save, _ := l.Choose(a.Row.ID).(lists.SaveRule)
		r, err := permissions.Parse(typed, save.Ruling)
		if err != nil {
			p.notices.Warn(err.Error())
			return nil, false
		}
		store, dir := p.opts.Rules, p.current.dir()
		if save.Old.Number == 0 {
			return p.change(permissions.Noted(fmt.Sprintf("added: %s %s", r.Ruling, r), r), p.removed, func() error { return store.Add(dir, save.Old.Origin, r) }), false
		}
		return p.change(permissions.Noted(fmt.Sprintf("changed: %s %s", r.Ruling, r), r), p.removed, func() error { return store.Replace(dir, save.Old, r) }), false
	case picker.Closed:
		p.covers.open(lists.Permissions{Loading: true}, "")
		return p.change("", p.removed, func() error { return nil }), false
	}
	return nil, false
}

// edit opens a file of rules in the user's editor, and lists the rules again.
func (p *permits) edit(path string) tea.Cmd {
	e := &fileEdit{path: path, opts: p.opts, release: p.screen.painter.Release}
	return tea.Exec(e, func(err error) tea.Msg {
		p.screen.painter.Retake()
		if err != nil {
			err = fmt.Errorf("the editor failed: %w", err)
		}
		return editedRulesMsg{err}
	})
}

// editedRulesMsg reports that the user's editor has ended.
type editedRulesMsg struct{ err error }

// fileEdit is the user's editor with a file.
type fileEdit struct {
	path    string
	opts    *Options
	release func()
	in      io.Reader
}

// SetStdin sets the input of the editor.
func (e *fileEdit) SetStdin(r io.Reader) { e.in = r }

// SetStdout and SetStderr are ignored: the editor writes to the terminal.
func (e *fileEdit) SetStdout(io.Writer) {}

// SetStderr is ignored.
func (e *fileEdit) SetStderr(io.Writer) {}

// Run runs the editor.
func (e *fileEdit) Run() error {
	e.release()
	if t, ok := e.in.(interface{ Terminal() *os.File }); ok {
		e.in = t.Terminal()
	}
	return e.opts.Editor.Edit(e.path, e.in, e.opts.Output, e.opts.Output)
}
