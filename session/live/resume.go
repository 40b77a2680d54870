package live

import (
	"context"
	"fmt"

	"parley/session"
	"parley/session/history"
	"parley/session/sources"
)

// Resume loads a stored session, without locking it or starting anything, and returns the same one if it is already
// open in this manager. The package comment describes what it closes. Sessions of an unknown agent can be read, but
// sending fails. Errors are of kind [session.KindNotFound] or [session.KindCorrupt].
func (m *Manager) Resume(ctx context.Context, id session.ID) (*Session, error) {
	s := m.find(id)
	if s != nil {
		return s.handle, nil
	}
	// The holder is read first: a session without one is then read completely.
	pid, held := m.Holder(ctx, id)
	meta, events, read, err := m.load(ctx, id)
	if err != nil {
		return nil, err
	}
	agent := m.agent(meta.Agent)
	if meta.Agent == "" {
		agent = nil
	}
	s = newSession(m, agent, meta)
	st, sto := s.state, s.storage
	sto.resumed, sto.stored, sto.read = true, read.Events >= 0, read
	if sto.elsewhere = held && sto.stored; sto.elsewhere {
		sto.holder = pid
	}
	t := sto.restore(events)
	st.gen = max(st.gen, read.Gen)
	st.endBypass(session.ModeDefault)
	st.limit(m.d.forbidden(st.settings.Mode), m.d.instead(st.settings.Mode))
	if sto.elsewhere {
		st.leaveOpen(t, pid)
	} else {
		st.closeLeftovers(t, sto.remote)
	}
	mine, err := m.register("resume session", s)
	if err != nil {
		return nil, err
	}
	if mine == s {
		sayForeign(ctx, s)
		s.files.count(s.life)
		s.worker.follow(t)
	}
	return mine.handle, nil
}

// sayForeign shows that another program has the session, or another session its id, and how to go on with it.
func sayForeign(ctx context.Context, s *local) {
	if s.agent == nil || !session.Foreign(s.agent.Name()) && !sources.Marked(s.id) {
		return
	}
	err := sources.ReadOnly(opOpen, session.AgentTitle(s.agent.Name()), s.id)
	if !sources.Marked(s.id) {
		_, err = s.agent.Open(ctx, session.OpenOptions{Session: s.id})
	}
	p := session.ProblemOf(err, s.m.d.Now())
	s.state.Lock()
	defer s.state.Unlock()
	s.state.announce(s.state.notice(session.Info, p.What+" "+p.Next))
}

// Read returns a stored session as [Manager.Resume] shows it, without opening or closing anything. Errors are of kind
// [session.KindNotFound] or [session.KindCorrupt].
func (m *Manager) Read(ctx context.Context, id session.ID) (session.Meta, []session.Event, error) {
	meta, events, _, err := m.load(ctx, id)
	return meta, events, err
}

// load reads a session from its journal and the agent's transcript, and returns the position in the journal. An unreadable
// journal does not hide the transcript.
func (m *Manager) load(ctx context.Context, id session.ID) (session.Meta, []session.Event, history.ReadMark, error) {
	none := history.ReadMark{Events: -1}
	meta, events, err := m.d.Journals.Read(ctx, id)
	if err == nil {
		meta.ID = id
		if meta.Agent == "" || meta.Dir == "" { // the journal's description is damaged
			if own, _, ok := m.Keeper(ctx, id); ok {
				meta = describedBy(meta, own)
			}
		}
		meta, all := titled(ctx, m, meta, m.withTruth(ctx, meta, events))
		return meta, all, history.ReadMarkOf(events), nil
	}
	own, r, ok := m.Keeper(ctx, id)
	if !ok {
		return session.Meta{}, nil, none, err
	}
	truth, replayErr := r.Replay(ctx, id)
	if replayErr != nil {
		return session.Meta{}, nil, none, &session.Error{Op: "resume session", Kind: session.KindCorrupt, Err: replayErr}
	}
	if session.KindOf(err) != session.KindNotFound {
		truth = append(truth[:len(truth):len(truth)], session.Notice{Head: session.Head{Session: id, At: m.d.Now()}, Severity: session.Warning,
			Text: "What parley kept of this session cannot be read. " + session.ProblemOf(err, m.d.Now()).What})
	}
	own, truth = titled(ctx, m, own, truth)
	return own, truth, none, nil
}

// titled returns a session with the title that neither its journal nor its agent stores, if there is one.
func titled(ctx context.Context, m *Manager, meta session.Meta, events []session.Event) (session.Meta, []session.Event) {
	if title := m.Title(ctx, meta.Agent, meta.ID); title != "" {
		meta.Title = title
		events = append(events[:len(events):len(events)], session.TitleChanged{Head: session.Head{Session: meta.ID, At: meta.Updated}, Title: title})
	}
	return meta, events
}

// withTruth merges the journal with the agent's transcript, if there is one; see [history.Merge].
func (m *Manager) withTruth(ctx context.Context, meta session.Meta, events []session.Event) []session.Event {
	r, ok := m.agent(meta.Agent).(session.Replayer)
	if !ok || meta.Agent == "" {
		return events
	}
	truth, err := r.Replay(ctx, meta.ID)
	if err != nil || len(truth) == 0 {
		text := "The agent has no transcript of this session; this is what parley kept of it."
		if err != nil {
			text = fmt.Sprintf("The agent's transcript of this session cannot be read, this is what parley kept of it. %s",
				session.ProblemOf(err, m.d.Now()).What)
		}
		return append(events[:len(events):len(events)], session.Notice{Head: session.Head{Session: meta.ID, At: m.d.Now()}, Severity: session.Info, Text: text})
	}
	return history.Merge(truth, events)
}
