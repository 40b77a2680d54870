package rules

import (
	"context"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"parley/session/permission"
	"parley/ui/list"
	"parley/ui/panel"
)

// gotMsg carries the rules as they are after a change. done says what was changed.
type gotMsg struct {
	listing Listing
	done    string
	removed []permission.Rule
	err     error
}

// read returns the command that reads the rules.
func (l *ruleList) read() panel.Cmd {
	return l.change("", l.removed, func() error { return nil })
}

// change returns the command that makes a change and reads the rules again.
func (l *ruleList) change(done string, removed []permission.Rule, do func() error) panel.Cmd {
	store, chat, now := l.Store, l.Chat(), l.Look.Now
	return func(context.Context) tea.Msg {
		err := do()
		return gotMsg{Read(store, chat, now()), done, removed, err}
	}
}

// revoke returns the command that takes back a rule of the session.
func (l *ruleList) revoke(r permission.Rule) panel.Cmd {
	store, chat, removed, now := l.Store, l.Chat(), l.removed, l.Look.Now
	return func(context.Context) tea.Msg {
		chat, err := chat.RevokeRule(r)
		return gotMsg{Read(store, chat, now()), fmt.Sprintf("removed from this session: %s %s", r.Ruling, r), removed, err}
	}
}

// restore brings a removed rule back.
func (l *ruleList) restore(r permission.Rule) panel.Effect {
	var left []permission.Rule
	for _, one := range l.removed {
		if one != r {
			left = append(left, one)
		}
	}
	store, dir := l.Store, l.Chat().Dir
	return panel.Start{Cmd: l.change(fmt.Sprintf("brought back: %s %s", r.Ruling, r), left, func() error { return store.Add(dir, r.Origin, r) })}
}

// Update takes the rules after a change, and reads them again after an editor.
func (l *ruleList) Update(p *list.Panel, msg tea.Msg) (panel.Effect, panel.Cmd) {
	switch msg := msg.(type) {
	case gotMsg:
		return l.got(p, msg), nil
	case panel.Uncovered: // the field of a rule was closed
		p.Picker.SetFilter("")
		return nil, l.read()
	case panel.Edited:
		err := msg.Err
		if err != nil {
			err = fmt.Errorf("the editor failed: %w", err)
		}
		return nil, l.change("", l.removed, func() error { return err })
	}
	return panel.Pass{}, nil
}

// got shows the rules after a change, the row that was opened selected.
func (l *ruleList) got(p *list.Panel, msg gotMsg) panel.Effect {
	if msg.err == nil {
		l.removed = msg.removed
	}
	l.listing, l.loading = msg.listing, false
	p.Set(l)
	p.Picker.Select(func(r list.Row) bool { return r.ID == l.opened })
	l.opened = ""
	switch {
	case msg.err != nil:
		return panel.Notice{Text: Plain(msg.err).Error(), Warn: true}
	case msg.done != "":
		return panel.Notice{Text: msg.done}
	}
	return nil
}

// edit opens the field with the text of a rule; a new one has no number.
func (l *ruleList) edit(r permission.Rule) panel.Effect {
	text := ""
	if r.Number > 0 {
		text = r.String()
	}
	return panel.Push{Panel: list.Open(l.Look, &ruleField{l.Command, r}, text)}
}

// ruleField edits the text of a rule: the typed text with the chosen ruling.
type ruleField struct {
	Command
	rule permission.Rule
}

// Options returns the texts of the list.
func (f *ruleField) Options() list.Options {
	o := list.Options{Title: fmt.Sprintf("Change rule %d, %s", f.rule.Number, f.rule.Origin), Keys: "enter save · ↑↓ what it does · esc back",
		Field: true, Prose: 1, Text: "Such as command go test *, edit src/**, read ~/notes/**, fetch example.com, mcp github or tool WebSearch."}
	if f.rule.Number == 0 {
		o.Title = "New rule, " + string(f.rule.Origin)
	}
	return o
}

// Rows returns the rulings.
func (f *ruleField) Rows() []list.Row {
	var rows []list.Row
	for _, r := range [][2]string{{"allow", "runs without asking"}, {"ask", "is asked about, whatever else allows it"}, {"deny", "is refused, in every mode"}} {
		rows = append(rows, list.Row{ID: r[0], Cells: r[:], Mark: r[0] == string(f.rule.Ruling)})
	}
	return rows
}

// Choose does nothing: what is typed decides too.
func (f *ruleField) Choose(string) panel.Effect { return nil }

// Do saves the rule that is typed, with the chosen ruling.
func (f *ruleField) Do(a list.Action) panel.Effect {
	picked, is := a.(list.Picked)
	if !is {
		return nil
	}
	r, err := Parse(picked.Typed, permission.Ruling(picked.Row.ID))
	if err != nil {
		return panel.Notice{Text: err.Error(), Warn: true}
	}
	store, dir, old := f.Store, f.Chat().Dir, f.rule
	done, save := fmt.Sprintf("changed: %s %s", r.Ruling, r), func() error { return store.Replace(dir, old, r) }
	if old.Number == 0 {
		done, save = fmt.Sprintf("added: %s %s", r.Ruling, r), func() error { return store.Add(dir, old.Origin, r) }
	}
	return panel.Start{Cmd: func(context.Context) tea.Msg { return savedMsg{noted(done, r), save()} }}
}

// savedMsg reports that a rule was saved, or why not.
type savedMsg struct {
	done string
	err  error
}

// Update closes the field once the rule is saved. One that cannot be saved stays in it.
func (f *ruleField) Update(_ *list.Panel, msg tea.Msg) (panel.Effect, panel.Cmd) {
	saved, is := msg.(savedMsg)
	switch {
	case !is:
		return panel.Pass{}, nil
	case saved.err != nil:
		return panel.Notice{Text: Plain(saved.err).Error(), Warn: true}, nil
	}
	return panel.All{panel.Pop{}, panel.Notice{Text: saved.done}}, nil
}
