package live

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"parley/session"
)

// Listing is the list of stored sessions.
type Listing struct {
	// Sessions are most recently updated first.
	Sessions []session.Meta
	// Problems are the errors of listing; with any, sessions may be missing.
	Problems []error
}

// List describes the stored sessions of all agents, most recently updated first. It fails only if no source could be listed;
// [Manager.Listing] also returns the errors of single sources.
func (m *Manager) List(ctx context.Context) ([]session.Meta, error) {
	l := m.Listing(ctx)
	if len(l.Sessions) > 0 {
		return l.Sessions, nil
	}
	return nil, errors.Join(l.Problems...)
}

// Listing describes the stored sessions of all agents, from journals and from the agents' transcripts. If both have a
// session, the journal's description counts, and the agent's fills its gaps.
func (m *Manager) Listing(ctx context.Context) Listing {
	l := listing(ctx, m, true)
	m.mu.Lock()
	m.known = slices.Clone(l.Sessions)
	m.mu.Unlock()
	return l
}

// marker is an agent that gives a session a name of which it has no other.
type marker interface {
	Mark(ctx context.Context, id session.ID) session.ID
}

// Continuable is [Manager.Listing] without the sessions of programs that parley does not drive, of which it reads nothing.
func Continuable(ctx context.Context, m *Manager) Listing { return listing(ctx, m, false) }

func listing(ctx context.Context, m *Manager, foreign bool) Listing {
	var l Listing
	if err := m.RecoverBin(ctx); err != nil {
		l.Problems = append(l.Problems, err)
	}
	metas, err := m.d.Journals.List(ctx)
	if err != nil {
		l.Problems = append(l.Problems, err)
	}
	l.Sessions = slices.Clone(metas)
	at := make(map[session.ID]int, len(metas))
	for i, meta := range metas {
		at[meta.ID] = i
	}
	add := func(a session.Agent, meta session.Meta) bool {
		i, known := at[meta.ID]
		switch {
		case !known:
			at[meta.ID] = len(l.Sessions)
			l.Sessions = append(l.Sessions, meta)
		case i < len(metas) && cmp.Or(l.Sessions[i].Agent, a.Name()) == a.Name():
			l.Sessions[i] = describedBy(l.Sessions[i], meta)
		default:
			return false
		}
		return true
	}
	for _, a := range m.d.Agents {
		r, ok := a.(session.Replayer)
		if !ok || !foreign && session.Foreign(a.Name()) {
			continue
		}
		own, err := r.Sessions(ctx)
		if err != nil {
			l.Problems = append(l.Problems, err)
		}
		for _, meta := range own {
			if add(a, meta) {
				continue
			}
			if m, can := a.(marker); can { // another agent's session has the id
				meta.ID = m.Mark(ctx, meta.ID)
			}
			if !add(a, meta) {
				l.Problems = append(l.Problems, fail("list sessions", session.KindCorrupt, "%s has a session %s too", session.AgentTitle(a.Name()), meta.ID))
			}
		}
	}
	slices.SortStableFunc(l.Sessions, func(a, b session.Meta) int { return cmp.Or(b.Updated.Compare(a.Updated), cmp.Compare(a.ID, b.ID)) })
	if err := m.Sort(ctx, l.Sessions); err != nil {
		l.Problems = append(l.Problems, err)
	}
	return l
}

// Known returns the sessions of the last listing at once, nil before the first. They may have changed or be gone. The caller may
// not change them.
func (m *Manager) Known() []session.Meta {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.known
}

// clockSlack is the longest time after the journal in which an agent writes its transcript of the same turn.
const clockSlack = time.Minute

// describedBy fills the gaps in a journal's description. A session that continued outside of parley has an unknown number of
// turns.
func describedBy(journal, own session.Meta) session.Meta {
	journal.Agent = cmp.Or(journal.Agent, own.Agent)
	journal.Dir = cmp.Or(journal.Dir, own.Dir)
	journal.Branch = cmp.Or(journal.Branch, own.Branch)
	journal.Title = cmp.Or(journal.Title, own.Title)
	journal.First = cmp.Or(journal.First, own.First)
	journal.Model = cmp.Or(journal.Model, own.Model)
	journal.Remote = cmp.Or(own.Remote, journal.Remote)
	journal.Archived = journal.Archived || own.Archived // an agent with an archive alone knows it, as it does its tag
	if len(journal.Tags) == 0 {
		journal.Tags = own.Tags
	}
	if journal.Created.IsZero() {
		journal.Created = own.Created
	}
	if own.Updated.Sub(journal.Updated) > clockSlack {
		journal.Turns = 0
	}
	if own.Updated.After(journal.Updated) {
		journal.Updated = own.Updated
	}
	return journal
}
