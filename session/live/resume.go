package live

import (
	"context"
	"fmt"

	"parley/session"
	"parley/session/merge"
)

// Resume loads a stored session, without locking it or starting anything. Errors are of kind [KindNotFound] or
// [KindCorrupt]. Resuming a session that is already open in this manager returns the same one. A session that was left in
// [ModeBypass] is resumed in [ModeDefault], which a notice says: bypassing is chosen again in every process.
//
// What the process that had it before left open is closed: its running turn was cancelled, its asks too. Prompts that
// waited wait again, but are not sent before [Session.Release]. A notice tells both. The journal learns of it with the
// first prompt. A session whose agent is not among the manager's can be read, but sending fails.
//
// A session that another living process has, as far as the journals can tell ([HolderTeller]), is shown as it was when it
// was read, and a notice names the process. Its running turn is shown as [TurnElsewhere], and its asks and waiting
// prompts are not shown, because they can only be answered there. Sending fails with an error of kind [KindLocked] as
// long as that process has it, and shows what it did once it has not.
func (m *Manager) Resume(ctx context.Context, id session.ID) (*Session, error) {
	m.mu.Lock()
	s := m.sessions[id]
	m.mu.Unlock()
	if s != nil {
		return s, nil
	}
	// Asked before reading: what is read of a session that nobody has is all there is.
	pid, held := holder(ctx, m.d.Journals, id)
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
	sto.resumed, sto.stored, sto.read = true, read.events >= 0, read
	sto.elsewhere = held && sto.stored
	t := sto.restore(events)
	st.gen = max(st.gen, read.gen)
	st.endBypass(session.ModeDefault)
	if sto.elsewhere {
		st.leaveOpen(t, pid)
	} else {
		st.closeLeftovers(t)
	}
	return m.register("resume session", s)
}

// holder returns the living process that has the session, where the journals can tell.
func holder(ctx context.Context, journals session.Journals, id session.ID) (pid int, held bool) {
	if h, ok := journals.(session.HolderTeller); ok {
		return h.Holder(ctx, id)
	}
	return 0, false
}

// Read returns what is stored of a session, whoever keeps it, as [Manager.Resume] would show it, without opening or closing
// anything. Errors are of kind [KindNotFound] or [KindCorrupt].
func (m *Manager) Read(ctx context.Context, id session.ID) (session.Meta, []session.Event, error) {
	meta, events, _, err := m.load(ctx, id)
	return meta, events, err
}

// load reads a session from its journal or from the agent that keeps it, and says how far the journal was read. A journal
// that cannot be read hides nothing that an agent keeps itself.
func (m *Manager) load(ctx context.Context, id session.ID) (session.Meta, []session.Event, readMark, error) {
	none := readMark{events: -1}
	meta, events, err := m.d.Journals.Read(ctx, id)
	if err == nil {
		meta.ID = id
		if meta.Agent == "" || meta.Dir == "" { // the journal's own description is damaged
			if own, _, ok := m.keeper(ctx, id); ok {
				meta = describedBy(meta, own)
			}
		}
		return meta, m.withTruth(ctx, meta, events), markOf(events), nil
	}
	own, r, ok := m.keeper(ctx, id)
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
	return own, truth, none, nil
}

// keeper finds the agent that keeps a session itself.
func (m *Manager) keeper(ctx context.Context, id session.ID) (session.Meta, session.Replayer, bool) {
	for _, a := range m.d.Agents {
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
		own, _ := r.Sessions(ctx) // what cannot be listed may be another agent's
		for _, meta := range own {
			if meta.ID == id {
				return meta, r, true
			}
		}
	}
	return session.Meta{}, nil, false
}

// withTruth replaces journaled turns by those of the agent's own transcript, where it keeps one: that decides what
// happened. The journal keeps what is not there.
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
	return merge.Merge(truth, events)
}
