package library

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"parley/session"
	"parley/session/scratch"
	"parley/session/store/bin"
	"parley/session/store/index"
	"parley/session/store/marks"
)

// Options are the sources of a [Library]. Files, Index, Marks and Bin are optional.
type Options struct {
	Agents   []session.Agent
	Journals session.Journals
	Files    session.FileKeeper
	Index    *index.Index
	Marks    *marks.Store
	// Bin takes deleted sessions, with the files that Belongings, which may be nil, names besides those of journals and agents. Such a
	// file need not exist.
	Bin        *bin.Bin
	Belongings func(id session.ID) []string
	// Scratch are the folders that go with the last session in them.
	Scratch scratch.Folders
}

// Library is the stored sessions. It is safe for concurrent use.
type Library struct{ o Options }

// New returns the library of some sources without reading them.
func New(o Options) *Library { return &Library{o} }

// Holder returns the running process that has a session, which may be this one, as far as is known. The call is cheap.
func (l *Library) Holder(ctx context.Context, id session.ID) (pid int, held bool) {
	return HolderOf(ctx, l.o.Journals, id)
}

// HolderOf returns the running process that has a session, if the journals know it.
func HolderOf(ctx context.Context, journals session.Journals, id session.ID) (pid int, held bool) {
	if h, ok := journals.(session.HolderReporter); ok {
		return h.Holder(ctx, id)
	}
	return 0, false
}

// Keeper returns the agent with a transcript of the session, and how it describes the session.
func (l *Library) Keeper(ctx context.Context, id session.ID) (session.Meta, session.Replayer, bool) {
	for _, a := range l.agents(ctx, id) {
		r, ok := a.(session.Replayer)
		if !ok {
			continue
		}
		if d, ok := a.(session.Describer); ok {
			if meta, err := d.Describe(ctx, id); err == nil {
				return meta, r, true
			}
			continue
		}
		own, _ := r.Sessions(ctx) // an unlisted session may be of another agent
		for _, meta := range own {
			if meta.ID == id {
				return meta, r, true
			}
		}
	}
	return session.Meta{}, nil, false
}

// agents returns the agents that may store a session: that of its journal, all without one. Another agent may have another session with
// the same id.
func (l *Library) agents(ctx context.Context, id session.ID) []session.Agent {
	j, can := l.o.Journals.(session.PromptJournals)
	if !can || !j.Has(id) {
		return l.o.Agents
	}
	all, _ := l.o.Journals.List(ctx) // that of an unreadable journal is not known
	i := slices.IndexFunc(all, func(m session.Meta) bool { return m.ID == id && m.Agent != "" })
	if i < 0 {
		return l.o.Agents
	}
	return slices.DeleteFunc(slices.Clone(l.o.Agents), func(a session.Agent) bool { return a.Name() != all[i].Agent })
}

// Rename stores a title for a session that is not open here: in its journal, and as [Library.Retitle] does. Errors are of kind
// [session.KindLocked] if another process has it, and those of its journal and of Retitle.
func (l *Library) Rename(ctx context.Context, id session.ID, title string) error {
	j, meta, _, err := l.o.Journals.Open(ctx, id)
	switch session.KindOf(err) {
	case "":
		at := meta.Updated // a title is no reason to stand above newer sessions
		err = errors.Join(j.Append(session.TitleChanged{Head: session.Head{Session: id, At: at}, Title: title}), j.Close())
		if err != nil {
			return err
		}
	case session.KindNotFound:
	default:
		return err
	}
	own, _, kept := l.Keeper(ctx, id)
	if !kept {
		return err // its journal alone has it, or nothing
	}
	return l.Retitle(ctx, own.Agent, id, title)
}

func fail(op string, kind session.Kind, format string, args ...any) error {
	return &session.Error{Op: op, Kind: kind, Err: fmt.Errorf(format, args...)}
}
