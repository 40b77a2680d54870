package session

import (
	"context"
	"fmt"
	"slices"
)

// Resume loads a stored session, without locking it or starting anything. Errors are of kind [KindNotFound] or
// [KindCorrupt]. Resuming a session that is already open in this manager returns the same one.
//
// What the process that had it before left open is closed: its running turn was cancelled, its asks too. Prompts that
// waited wait again, but are not sent before [Session.Release]. A notice tells both. The journal learns of it with the
// first prompt. A session whose agent is not among the manager's can be read, but sending fails.
func (m *Manager) Resume(ctx context.Context, id ID) (*Session, error) {
	m.mu.Lock()
	s := m.sessions[id]
	m.mu.Unlock()
	if s != nil {
		return s, nil
	}
	meta, events, journaled, err := m.load(ctx, id)
	if err != nil {
		return nil, err
	}
	s = newSession(m, m.agent(meta.Agent), meta)
	if meta.Agent == "" {
		s.agent = nil
	}
	s.resumed, s.stored, s.readEvents = true, journaled >= 0, journaled
	s.restore(events)
	return m.register("resume session", s)
}

// load reads a session from its journal or from the agent that keeps it, and says how many events the journal has, -1 if
// there is none.
func (m *Manager) load(ctx context.Context, id ID) (Meta, []Event, int, error) {
	meta, events, err := m.d.Journals.Read(ctx, id)
	if err == nil {
		meta.ID = id
		return meta, m.withTruth(ctx, meta, events), len(events), nil
	}
	if KindOf(err) != KindNotFound {
		return Meta{}, nil, -1, err
	}
	for _, a := range m.d.Agents {
		r, ok := a.(Replayer)
		if !ok {
			continue
		}
		own, listErr := r.Sessions(ctx)
		if listErr != nil {
			continue // another agent may have it
		}
		for _, meta := range own {
			if meta.ID != id {
				continue
			}
			events, err := r.Replay(ctx, id)
			if err != nil {
				return Meta{}, nil, -1, &Error{Op: "resume session", Kind: KindCorrupt, Err: err}
			}
			return meta, events, -1, nil
		}
	}
	return Meta{}, nil, -1, err
}

// withTruth replaces journaled turns by those of the agent's own transcript, where it keeps one: that decides what
// happened. The journal keeps what is not there: turns that never arrived, settings, titles, the queue.
func (m *Manager) withTruth(ctx context.Context, meta Meta, events []Event) []Event {
	r, ok := m.agent(meta.Agent).(Replayer)
	if !ok || meta.Agent == "" {
		return events
	}
	truth, err := r.Replay(ctx, meta.ID)
	if err != nil || len(truth) == 0 {
		text := "The agent has no transcript of this session; this is what parley kept of it."
		if err != nil {
			text = fmt.Sprintf("The agent's transcript of this session cannot be read, this is what parley kept of it. %s",
				ProblemOf(err, m.d.Now()).What)
		}
		return append(events[:len(events):len(events)], Notice{Head: Head{Session: meta.ID, At: m.d.Now()}, Severity: Info, Text: text})
	}
	there := map[TurnID]bool{"": true}
	for _, e := range truth {
		there[e.Header().Turn] = true
	}
	// Choices come first: between the turns of the truth nobody knows their place any more.
	var chosen, rest []Event
	for _, e := range events {
		switch e.(type) {
		case ModelChanged, ModeChanged, TitleChanged:
			chosen = append(chosen, e)
		case Queued, Unqueued:
			rest = append(rest, e)
		default:
			if !there[e.Header().Turn] {
				rest = append(rest, e)
			}
		}
	}
	return slices.Concat(chosen, truth, rest)
}

// restore fills a session with what happened in it, and closes what was left open.
func (s *Session) restore(events []Event) {
	t := &Transcript{}
	for _, e := range events {
		t.Apply(e)
		s.log.add(e)
	}
	s.gen, s.settings = t.Gen, t.Settings
	if t.Title != "" {
		s.meta.Title = t.Title
	}
	for _, turn := range t.Turns {
		if turn.ID == "" {
			continue
		}
		s.turns[turn.ID] = false
		if s.meta.First == "" {
			s.meta.First = oneSubject(turn.Prompt.Text)
		}
	}
	s.closeLeftovers(t)
}

// closeLeftovers settles the asks, ends the turns and holds the prompts that a process left when it died.
func (s *Session) closeLeftovers(t *Transcript) {
	for _, a := range t.Asks {
		s.say(Settled{Head: s.headIn(a.Head), Ask: a.Ask, How: SettledCancelled})
	}
	for _, turn := range t.Turns {
		s.endChildren(turn.ID, turn.Entries)
	}
	cut := 0
	for _, turn := range t.Turns {
		if turn.Running() {
			s.say(TurnEnded{Head: s.head(turn.ID), Outcome: TurnCancelled})
			cut++
		}
	}
	if cut > 0 {
		s.say(Notice{Head: s.head(""), Severity: Info, Text: "parley ended in the middle of this turn. Send a prompt to go on."})
	}
	for _, p := range t.Queue {
		s.queue = append(s.queue, &item{prompt: p, turn: TurnID(p.ID), origin: OriginQueued, held: true, done: make(chan struct{})})
	}
	switch n := len(t.Queue); {
	case n == 1:
		s.say(Notice{Head: s.head(""), Severity: Info,
			Text: "A prompt was waiting when parley ended. It still waits and is not sent until you say so."})
	case n > 1:
		s.say(Notice{Head: s.head(""), Severity: Info,
			Text: fmt.Sprintf("%d prompts were waiting when parley ended. They still wait and are not sent until you say so.", n)})
	}
}

// endChildren ends the children that still ran, inner ones first.
func (s *Session) endChildren(turn TurnID, entries []Entry) {
	for _, e := range entries {
		c, ok := e.(*Child)
		if !ok {
			continue
		}
		s.endChildren(turn, c.Entries)
		if !c.Ended {
			h := s.head(turn)
			h.Child = c.Parent
			s.say(ChildEnded{Head: h, ID: c.ID, Outcome: TurnCancelled})
		}
	}
}

// note takes over into the session's state what another process recorded. The lock is held.
func (s *Session) note(e Event) {
	s.gen = max(s.gen, e.Header().Gen)
	switch e := e.(type) {
	case TurnStarted:
		if _, known := s.turns[e.Turn]; !known {
			s.turns[e.Turn] = false
		}
	case ModelChanged:
		s.settings.Model, s.settings.Effort = e.Model, e.Effort
	case ModeChanged:
		s.settings.Mode = e.Mode
	case TitleChanged:
		s.meta.Title = e.Title
	}
}
