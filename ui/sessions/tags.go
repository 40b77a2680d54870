package sessions

import (
	"context"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/session/store/marks"
	"parley/ui/core"
	"parley/ui/list"
	"parley/ui/panel"
	"parley/ui/style"
)

// tagField edits the tags of a session.
type tagField struct {
	session session.Meta
	manager core.Manager
}

// markedMsg reports that a session is sorted in another way, or why not.
type markedMsg struct {
	id   session.ID
	now  marks.Marks
	done string
	err  error
}

// Options returns the texts of the list.
func (f tagField) Options() list.Options {
	return list.Options{Title: "Tags", Keys: "enter save · esc back", Field: true, Stays: true}
}

// Rows returns what enter does.
func (f tagField) Rows() []list.Row {
	return []list.Row{{ID: "save", Cells: []string{"save these words as tags", style.VisibleLine(f.session.Headline())}}}
}

// Choose does nothing: what is typed decides.
func (f tagField) Choose(string) panel.Effect { return nil }

// Do stores the tags that are typed.
func (f tagField) Do(a list.Action) panel.Effect {
	picked, is := a.(list.Picked)
	if !is {
		return nil
	}
	m, id, tags := f.manager, f.session.ID, strings.Fields(picked.Typed)
	return panel.Start{Cmd: func(ctx context.Context) tea.Msg {
		now, err := m.Mark(ctx, id, func(m *marks.Marks) { m.Tags = tags })
		return markedMsg{id, now, "Tags are saved", err}
	}}
}

// Update closes the field once the tags are stored. Those that cannot be stored stay in it.
func (f tagField) Update(_ *list.Panel, msg tea.Msg) (panel.Effect, panel.Cmd) {
	marked, is := msg.(markedMsg)
	switch {
	case !is || marked.id != f.session.ID:
		return panel.Pass{}, nil
	case marked.err != nil:
		return failure("Couldn't tag: ", marked.err), nil
	}
	return panel.All{panel.Pop{}, panel.Tell{Msg: marked}}, nil
}

// mark sorts a session in another way.
func (l Sessions) mark(s session.Meta, done string, change func(*marks.Marks)) panel.Effect {
	m := l.Manager
	return panel.Start{Cmd: func(ctx context.Context) tea.Msg {
		now, err := m.Mark(ctx, s.ID, change)
		return markedMsg{s.ID, now, done, err}
	}}
}

// marked shows how a session is sorted now.
func (l Sessions) marked(p *list.Panel, msg markedMsg) (panel.Effect, panel.Cmd) {
	if msg.err != nil {
		return failure("Not changed. ", msg.err), nil
	}
	p.Set(l.change(func(all []session.Meta) []session.Meta {
		for i := range all {
			if all[i].ID == msg.id && all[i].Deleted.IsZero() {
				all[i].Tags, all[i].Pinned, all[i].Archived = msg.now.Tags, msg.now.Pinned, msg.now.Archived
			}
		}
		return all
	}))
	return panel.Notice{Text: msg.done}, p.Wanted()
}
