package sessions

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/ui/core"
	"parley/ui/list"
	"parley/ui/panel"
	"parley/ui/style"
)

// nameField edits the title of a session.
type nameField struct {
	session session.Meta
	manager core.Manager
}

// renamedMsg reports that a session has a new title, or why not.
type renamedMsg struct {
	id    session.ID
	title string
	err   error
}

// Options returns the texts of the list.
func (f nameField) Options() list.Options {
	return list.Options{Title: "Rename", Keys: "enter rename · esc back", Field: true, Stays: true}
}

// Rows returns what enter does.
func (f nameField) Rows() []list.Row {
	return []list.Row{{ID: "save", Cells: []string{"save this title", "was: " + style.VisibleLine(f.session.Headline())}}}
}

// Choose does nothing: what is typed decides.
func (f nameField) Choose(string) panel.Effect { return nil }

// Do stores the title that is typed.
func (f nameField) Do(a list.Action) panel.Effect {
	picked, is := a.(list.Picked)
	if !is {
		return nil
	}
	m, id := f.manager, f.session.ID
	return panel.Start{Cmd: func(ctx context.Context) tea.Msg {
		title, err := m.Rename(ctx, id, picked.Typed)
		return renamedMsg{id, title, err}
	}}
}

// Update closes the field once the title is stored. One that cannot be stored stays in it.
func (f nameField) Update(_ *list.Panel, msg tea.Msg) (panel.Effect, panel.Cmd) {
	renamed, is := msg.(renamedMsg)
	switch {
	case !is || renamed.id != f.session.ID:
		return panel.Pass{}, nil
	case renamed.err != nil:
		return failure("Couldn't rename: ", renamed.err), nil
	}
	return panel.All{panel.Pop{}, panel.Tell{Msg: renamed}, panel.Notice{Text: "Renamed to " + style.VisibleLine(renamed.title)}}, nil
}
