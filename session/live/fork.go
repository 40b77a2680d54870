package live

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"parley/internal/human"
	"parley/session"
)

const opFork = "fork session"

// ownAgent is the agent that continues what a journal has.
const ownAgent = "builtin"

// Fork copies a session up to and including a turn, or whole for an empty turn, and returns the copy like
// [Manager.Resume]; see the package comment. Errors are of kind [session.KindNotFound] for a missing session or turn,
// [session.KindInvalid] for an unanswered turn, [session.KindUnsupported] if the agent cannot copy.
func (m *Manager) Fork(ctx context.Context, id session.ID, upTo session.TurnID) (*Session, error) {
	src, settings, events, err := m.source(ctx, id)
	if err != nil {
		return nil, err
	}
	if len(events) == 0 && upTo == "" {
		return m.draftInstead(src, settings)
	}
	meta, calls := src, callsUntil(events, upTo)
	meta.Parent = id
	r, byAgent := m.agent(src.Agent).(session.Replayer)
	byAgent = byAgent && src.Agent != ""
	if session.Foreign(src.Agent) { // parley's own agent goes on from the journal, with a model of its own
		byAgent, settings, meta.Agent, meta.Model = false, session.Settings{}, ownAgent, ""
		if meta.Dir == "" {
			return nil, fail(opFork, session.KindInvalid, "%s did not record in which directory it was", session.AgentTitle(src.Agent))
		}
	}
	if byAgent {
		f, ok := r.(session.Forker)
		if !ok {
			return nil, &session.Error{Op: opFork, Kind: session.KindUnsupported, Err: fmt.Errorf("the agent %s cannot copy sessions", src.Agent)}
		}
		if meta.ID, err = f.Fork(ctx, id, upTo); err != nil {
			return nil, err
		}
		// The agent has the conversation.
		if events, err = reassign(append(contextWindow(events, meta.ID), changesOf(events, calls)...), meta.ID); err != nil {
			return nil, &session.Error{Op: opFork, Kind: session.KindInternal, Err: err}
		}
	} else {
		meta.ID = session.ID(m.d.NewID())
		if events, err = cutAt(events, upTo); err != nil {
			return nil, err
		}
		if events, err = reassign(events, meta.ID); err != nil {
			return nil, &session.Error{Op: opFork, Kind: session.KindInternal, Err: err}
		}
	}
	if err := m.storeFork(ctx, meta, settings, events, byAgent); err != nil {
		return nil, err
	}
	uncopied := m.copyFiles(ctx, id, meta.ID, calls)
	s, err := m.Resume(ctx, meta.ID)
	if err == nil && uncopied != nil {
		note(m.find(meta.ID), "The changes to files were not copied with the session. "+session.ProblemOf(uncopied, m.d.Now()).What)
	}
	return s, err
}

// source returns the session to copy: the state of an open one, otherwise what is stored, as of a foreign one always.
func (m *Manager) source(ctx context.Context, id session.ID) (session.Meta, session.Settings, []session.Event, error) {
	s := m.find(id)
	if s != nil && (s.agent == nil || !session.Foreign(s.agent.Name())) {
		meta, settings, events := snapshot(s)
		return meta, settings, events, nil
	}
	meta, events, _, err := m.load(ctx, id)
	if err != nil {
		return session.Meta{}, session.Settings{}, nil, err
	}
	settings := session.Fold(events).Settings
	if settings.Mode == session.ModeBypass {
		settings.Mode = session.ModeDefault // as Resume does
	}
	return meta, settings, events, nil
}

// draftInstead returns a new session in place of a copy of nothing.
func (m *Manager) draftInstead(src session.Meta, settings session.Settings) (*Session, error) {
	settings.Mode = m.d.instead(settings.Mode)
	s, err := m.Draft(DraftOptions{Agent: src.Agent, Dir: src.Dir, Dirs: src.Dirs, Settings: settings})
	if err == nil {
		note(m.find(s.ID()), "There was nothing to copy yet; this is a new session.")
	}
	return s, err
}

// note shows a warning in a session, nil for none, and stores nothing of it.
func note(s *local, text string) {
	if s != nil {
		s.state.Lock()
		defer s.state.Unlock()
		s.state.announce(s.state.notice(session.Warning, text))
	}
}

// contextWindow returns the newest report on the context window, whose size transcripts lack.
func contextWindow(events []session.Event, id session.ID) []session.Event {
	for _, e := range slices.Backward(events) {
		if c, ok := e.(session.ContextReported); ok && c.Window > 0 {
			return []session.Event{session.ContextReported{Head: session.Head{Session: id}, Used: c.Used, Window: c.Window}}
		}
	}
	return nil
}

// storeFork writes the journal of a copy, whole or not at all. byAgent reports whether the agent has the conversation.
func (m *Manager) storeFork(ctx context.Context, meta session.Meta, settings session.Settings, events []session.Event, byAgent bool) error {
	now := m.d.Now()
	head := session.Head{Session: meta.ID, At: now}
	meta.Created, meta.Updated = now, now
	meta.Title = human.Fork(cmp.Or(meta.Title, meta.First))
	events = append(events, session.TitleChanged{Head: head, Title: meta.Title})
	if byAgent {
		head.At = time.Time{} // with the current time these choices would be shown as changes at the end of the copy
	}
	if settings.Model != "" {
		events = append(events, session.ModelChanged{Head: head, Model: settings.Model, Effort: settings.Effort})
	}
	if settings.Mode != "" {
		events = append(events, session.ModeChanged{Head: head, Mode: settings.Mode})
	}
	if settings.Custom != "" {
		events = append(events, session.CustomChanged{Head: head, Custom: settings.Custom})
	}
	if settings.Dirs != "" {
		events = append(events, session.DirsChanged{Head: head, Dirs: settings.Dirs.Or(nil)})
	}
	j, err := m.d.Journals.Create(ctx, meta)
	if err != nil {
		return err
	}
	for _, e := range events {
		err = errors.Join(err, j.Append(e))
	}
	if err = errors.Join(err, j.Close()); err != nil {
		_ = m.d.Journals.Remove(ctx, meta.ID) // part of a copy is none
	}
	return err
}

// cutAt returns the events up to the end of a turn.
func cutAt(events []session.Event, upTo session.TurnID) ([]session.Event, error) {
	t := session.Fold(events)
	at := slices.IndexFunc(t.Turns, func(turn *session.Turn) bool { return turn.ID != "" && turn.ID == upTo })
	if upTo == "" {
		at = len(t.Turns) - 1
	}
	if at < 0 {
		return nil, &session.Error{Op: opFork, Kind: session.KindNotFound, Err: fmt.Errorf("there is no turn %s", upTo)}
	}
	if turn := t.Turns[at]; turn.ID != "" && (turn.Running() || turn.Outcome == session.TurnElsewhere || !answered(turn)) {
		return nil, &session.Error{Op: opFork, Kind: session.KindInvalid,
			Err: errors.New("the turn has no answer to go on from; fork at an earlier turn")}
	}
	kept := map[session.TurnID]bool{}
	for _, turn := range t.Turns[:at+1] {
		kept[turn.ID] = true
	}
	steered := map[session.PromptID]bool{}
	for _, e := range events {
		if s, ok := e.(session.Steered); ok && kept[s.Turn] {
			steered[s.Prompt] = true
		}
	}
	var out []session.Event
	last := session.TurnID("")
	for _, e := range events {
		id := e.Header().Turn
		switch e := e.(type) {
		case session.Queued:
			if steered[e.Prompt.ID] { // the turn that took it shows it
				out = append(out, e)
			}
			continue
		case session.Unqueued, session.Requeued:
			continue
		case session.FilesChanged:
			if e.Call == "" { // a count, which the copy finds out itself
				continue
			}
		}
		if id != "" {
			last = id
		}
		if kept[id] && id != "" || id == "" && (last == "" || kept[last]) {
			out = append(out, e)
		}
	}
	return out, nil
}

// answered reports whether the agent answered or acted in the turn.
func answered(t *session.Turn) bool {
	return slices.ContainsFunc(t.Entries, func(e session.Entry) bool {
		switch e := e.(type) {
		case *session.Part:
			return !e.Retracted && e.Len() > 0
		case *session.Tool:
			return e.Ended
		}
		return false
	})
}

// withoutGrant returns a settlement without its grant for the session.
func withoutGrant(e session.Settled) session.Settled {
	if e.Answer.Scope == session.ScopeSession {
		e.Answer.Scope, e.Answer.Rule = session.ScopeOnce, nil
	}
	return e
}

// reassign returns events as those of another session, without grants.
func reassign(events []session.Event, id session.ID) ([]session.Event, error) {
	to, err := json.Marshal(id)
	if err != nil {
		return nil, err
	}
	out := make([]session.Event, 0, len(events))
	for _, e := range events {
		switch was := e.(type) {
		case session.SessionIDChanged:
			continue
		case session.Settled:
			e = withoutGrant(was)
		}
		data, err := session.EncodeEvent(e)
		if err != nil {
			return nil, err
		}
		var fields map[string]json.RawMessage
		if err := json.Unmarshal(data, &fields); err != nil {
			return nil, err
		}
		if _, has := fields["session"]; has {
			fields["session"] = to
		}
		var plain bytes.Buffer
		enc := json.NewEncoder(&plain)
		enc.SetEscapeHTML(false) // opaque JSON stays unchanged
		if err := enc.Encode(fields); err != nil {
			return nil, err
		}
		if e, err = session.DecodeEvent(plain.Bytes()); err != nil {
			return nil, err
		}
		out = append(out, e)
	}
	return out, nil
}
