package library

import (
	"context"
	"slices"

	"parley/session"
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
	for i := range all {
		m, marked := by[all[i].ID]
		if !marked {
			continue
		}
		if tags, bad := marks.Tags(slices.Concat(m.Tags, all[i].Tags)); bad == nil { // those of an agent may be any
			m.Tags = tags
		}
		all[i].Tags, all[i].Pinned, all[i].Archived = m.Tags, m.Pinned, m.Archived || all[i].Archived
	}
	return err
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
	now, err := l.o.Marks.Change(ctx, id, marks.Marks{Tags: tags}, func(m *marks.Marks) {
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
	return now, l.label(ctx, id, func(a session.Labeler) error { return a.SetTag(ctx, id, first) })
}

// label calls do with the agent that stores a session and has titles and tags, if there is one.
func (l *Library) label(ctx context.Context, id session.ID, do func(session.Labeler) error) error {
	_, keeper, kept := l.Keeper(ctx, id)
	if a, has := keeper.(session.Labeler); kept && has {
		return do(a)
	}
	return nil
}
