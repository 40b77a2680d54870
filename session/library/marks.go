package library

import (
	"cmp"
	"context"
	"slices"

	"parley/session"
	"parley/session/sources"
	"parley/session/store/marks"
)

// Sort completes descriptions of sessions by how the user sorted them, in place. What cannot be read hides no other: the error joins it.
func (l *Library) Sort(ctx context.Context, all []session.Meta) error {
	if l.o.Marks == nil {
		return nil
	}
	by, err := l.o.Marks.All(ctx)
	if len(by) == 0 {
		return err
	}
	once := map[session.ID]bool{} // the ids of sessions whose names had a mark
	for id := range by {
		if sources.Marked(id) {
			once[sources.Raw(id)] = true
		}
	}
	for i := range all {
		id := all[i].ID
		if once[id] {
			id = l.markedAs(ctx, all[i].Agent, id)
		}
		m, marked := by[id]
		if !marked {
			continue
		}
		if tags, bad := marks.Tags(slices.Concat(m.Tags, all[i].Tags)); bad == nil { // those of an agent may be any
			m.Tags = tags
		}
		all[i].Tags, all[i].Pinned, all[i].Archived = m.Tags, m.Pinned, m.Archived || all[i].Archived
		all[i].Title = cmp.Or(m.Title, all[i].Title)
	}
	return err
}

// namer is an agent that names a session by its file, whether or not another one has its id.
type namer interface {
	Mark(ctx context.Context, id session.ID) session.ID
}

// markedAs returns the name under which the marks of a session are: that of its file, if they were made while another session had its id.
func (l *Library) markedAs(ctx context.Context, agent string, id session.ID) session.ID {
	for _, a := range l.o.Agents {
		if n, can := a.(namer); can && a.Name() == agent {
			if name := n.Mark(ctx, id); name != id && l.o.Marks.Has(name) {
				return name
			}
		}
	}
	return id
}

// Mark changes how a session is sorted, also of one that is open elsewhere, and returns how it is now. An agent that has tags gets the first
// one, and one that has an archive alone knows what is archived. Errors are those of [marks.Store.Change] and of the agent.
func (l *Library) Mark(ctx context.Context, id session.ID, change func(*marks.Marks)) (marks.Marks, error) {
	if l.o.Marks == nil {
		return marks.Marks{}, fail("mark session", session.KindUnsupported, "tags and pins are stored nowhere here")
	}
	own, keeper, kept := l.Keeper(ctx, id)
	labeler, _ := keeper.(session.Labeler)
	tags, err := marks.Tags(own.Tags)
	if err != nil {
		tags = nil // none of ours
	}
	archived := false
	now, err := l.o.Marks.Change(ctx, l.markedAs(ctx, own.Agent, id), marks.Marks{Tags: tags}, func(m *marks.Marks) {
		m.Archived = m.Archived || own.Archived
		change(m)
		if archived = m.Archived; kept && labeler != nil {
			m.Archived = false
		}
	})
	if err == nil && kept && labeler != nil && archived != own.Archived {
		err = labeler.SetArchived(ctx, id, archived)
	}
	now.Archived = archived
	if err != nil || slices.Equal(now.Tags, tags) || slices.ContainsFunc(tags, func(t string) bool { return slices.Contains(now.Tags, t) }) {
		return now, err
	}
	first := ""
	if len(now.Tags) > 0 {
		first = now.Tags[0]
	}
	if labeler != nil {
		return now, labeler.SetTag(ctx, id, first)
	}
	return now, nil
}

// titled is where the titles of an agent's sessions are stored beside journals.
type titled int

const (
	nowhere titled = iota // the agent stores no session
	byAgent
	byMarks
)

// titledBy returns where the titles of an agent's sessions are stored, and the agent if it has titles.
func (l *Library) titledBy(agent string) (titled, session.Labeler) {
	i := slices.IndexFunc(l.o.Agents, func(a session.Agent) bool { return a.Name() == agent })
	if i < 0 {
		return nowhere, nil
	}
	if a, has := l.o.Agents[i].(session.Labeler); has {
		return byAgent, a
	}
	if _, keeps := l.o.Agents[i].(session.Replayer); keeps {
		return byMarks, nil
	}
	return nowhere, nil
}

// Title returns the title that the user gave a session of an agent which neither its journal nor the agent stores, "" for none.
func (l *Library) Title(ctx context.Context, agent string, id session.ID) string {
	if by, _ := l.titledBy(agent); by != byMarks || l.o.Marks == nil {
		return ""
	}
	m, _ := l.o.Marks.Of(ctx, l.markedAs(ctx, agent, id)) // the list reports it
	return m.Title
}

// Retitle stores a title beside the journal of a session: with its agent if that has titles, else with the marks unless the journal alone
// has it. An agent that stores no session needs none. Errors are of kind [session.KindNotFound] if the agent does not have the session, and
// those of the agent and of [marks.Store.Change].
func (l *Library) Retitle(ctx context.Context, agent string, id session.ID, title string) error {
	switch by, labeler := l.titledBy(agent); by {
	case byAgent:
		return labeler.SetTitle(ctx, id, title)
	case nowhere:
		return nil
	}
	if j, can := l.o.Journals.(session.PromptJournals); can && j.Has(id) && l.Title(ctx, agent, id) == "" {
		return nil
	}
	if _, _, kept := l.Keeper(ctx, id); !kept {
		return fail(opRename, session.KindNotFound, "%s is not stored yet", id)
	}
	if l.o.Marks == nil {
		return fail(opRename, session.KindUnsupported, "titles are stored nowhere here")
	}
	_, err := l.o.Marks.Change(ctx, l.markedAs(ctx, agent, id), marks.Marks{}, func(m *marks.Marks) { m.Title = title })
	return err
}

const opRename = "rename session"
