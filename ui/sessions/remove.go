package sessions

import (
	"context"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/internal/human"
	"parley/session"
	"parley/session/library"
	"parley/session/scratch"
	"parley/ui/core"
	"parley/ui/list"
	"parley/ui/panel"
	"parley/ui/style"
)

// removalMsg carries what deleting a session would move into the bin, or why it cannot be deleted. removedMsg reports that it is there.
type (
	removalMsg struct {
		session session.Meta
		removal library.Removal
		err     error
	}
	removedMsg struct{ id session.ID }
)

// askRemove deletes a session, once it is known what that means. It asks first for one that its agent stores too.
func (l Sessions) askRemove(s session.Meta) panel.Effect {
	if s.ID == l.Now {
		return panel.Notice{Text: "This session is open here. Open another one or /new first", Warn: true}
	}
	m := l.Manager
	return panel.Start{Cmd: func(ctx context.Context) tea.Msg {
		r, err := m.Removal(ctx, s.ID)
		return removalMsg{s, r, err}
	}}
}

// gotRemoval deletes the session, or opens the question.
func (l Sessions) gotRemoval(msg removalMsg) panel.Effect {
	switch session.KindOf(msg.err) {
	case "":
		if f := msg.removal.Folder; f != "" && scratch.Holds(f, l.Dir) { // of a chat that nothing is stored of
			return panel.Notice{Text: "This chat works in its scratch folder. Open another session first", Warn: true}
		}
		if len(msg.removal.Paths) == 0 {
			return discard(l.Manager, msg.session, msg.removal, false)
		}
		return panel.Push{Panel: list.Open(l.Look, removing{msg.session, msg.removal, l.Home, l.Manager}, "")}
	case session.KindNotFound:
		return panel.Notice{Text: core.AgentTitle(msg.session.Agent) + " keeps this session. parley can't delete it there", Warn: true}
	}
	return failure("Not deleted. ", msg.err)
}

// discard moves a session into the bin, and says so of the folder that goes along.
func discard(m core.Manager, s session.Meta, r library.Removal, kept bool) panel.Effect {
	with := ""
	if r.Folder != "" {
		with = " with its scratch folder"
	}
	return panel.Run{Work: func(ctx context.Context) panel.Effect {
		if err := m.Discard(ctx, s.ID, kept); err != nil {
			return failure("Not deleted. ", err)
		}
		return panel.All{panel.Tell{Msg: removedMsg{s.ID}}, panel.Notice{Text: "Deleted “" + style.VisibleLine(s.Headline()) + "”" + with + ". alt+u brings it back"}}
	}}
}

// removing asks whether to delete a session that its agent stores too.
type removing struct {
	session session.Meta
	removal library.Removal
	home    string
	manager core.Manager
}

// Options returns the texts of the list.
func (l removing) Options() list.Options {
	return list.Options{Title: "Delete this session?", Text: l.text(), Keys: "enter choose · esc back", Sure: true}
}

// text says what is deleted and what stays.
func (l removing) text() string {
	text := "“" + style.VisibleLine(l.session.Headline()) + "”"
	if n := l.session.Turns; n > 0 {
		text += ", " + human.Count(n, "turn", "turns")
	}
	var paths []string
	for _, p := range l.removal.Paths {
		paths = append(paths, style.VisibleLine(style.ShortPath(p, l.home)))
	}
	text += ". It goes into the bin, from where it can be brought back.\n" + core.AgentTitle(l.removal.Agent) + " keeps it too. It is gone from there as well: " + strings.Join(paths, ", ")
	if l.removal.Folder != "" {
		text += "\nIts scratch folder goes along, with the files in it."
	}
	if l.session.Remote != nil {
		text += "\nGitHub keeps its own copy, so it stays in this list."
	}
	return text
}

// Rows returns no and yes.
func (l removing) Rows() []list.Row {
	return []list.Row{{ID: "no", Cells: []string{"no, keep it"}}, {ID: "yes", Cells: []string{"yes, delete it"}}}
}

// Choose deletes the session for yes.
func (l removing) Choose(id string) panel.Effect {
	if id != "yes" {
		return nil
	}
	return discard(l.manager, l.session, l.removal, true)
}
