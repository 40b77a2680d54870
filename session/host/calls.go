package host

import (
	"context"
	"maps"
	"sync"
	"time"

	"parley/internal/crash"
	"parley/session"
	"parley/session/caps"
)

// remote is a session in a host, the [live.Transport] of a screen: it answers from its mirror, or asks the host.
type remote struct{ mirror *mirror }

// warmEvery is how often the host learns that the user types.
const warmEvery = 3 * time.Second

// call asks the host about the session.
func (s *mirror) call(ctx context.Context, do string, args, result any) error {
	c, err := s.attached(ctx)
	if err != nil {
		return err
	}
	return c.call(ctx, do, args, result, nil)
}

// quick asks the host for what it does at once.
func (s *mirror) quick(do string, args, result any) error {
	ctx, cancel := context.WithTimeout(s.m.life, replyTime)
	defer cancel()
	err := s.call(ctx, do, args, result)
	if ctx.Err() != nil {
		return silentAt(do, s.at())
	}
	return err
}

// knows returns what is known beside events.
func (s *mirror) knows() known {
	s.state.Lock()
	defer s.state.Unlock()
	return s.now
}

// must asks for what cannot fail but by the host's end, which is shown.
func (s *mirror) must(do string, args any) {
	if err := s.quick(do, args, nil); err != nil {
		s.note(session.ProblemOf(err, time.Now()).What)
	}
}

// ID returns the session's id.
func (s *remote) ID() session.ID { return s.mirror.id }

// Meta describes the session.
func (s *remote) Meta() session.Meta { return s.mirror.knows().Meta }

// Draft reports whether no prompt was stored yet.
func (s *remote) Draft() bool { return s.mirror.knows().Draft }

// Settings returns the newest settings of the user.
func (s *remote) Settings() session.Settings { return s.mirror.knows().Settings }

// Held returns the waiting prompts that are held.
func (s *remote) Held() map[session.PromptID]bool { return maps.Clone(s.mirror.knows().Held) }

// Controls returns what the open conversation can do with what runs.
func (s *remote) Controls() session.WorkControls { return s.mirror.knows().Controls }

// Elsewhere reports whether a process other than the host has the session.
func (s *remote) Elsewhere() (pid int, elsewhere bool) {
	k := s.mirror.knows()
	return k.Holder, k.Elsewhere
}

// Read returns all events so far and a reader of the later ones.
func (s *remote) Read(wake func(text bool)) (history []session.Event, r *session.Reader) {
	return s.mirror.log.Read(wake)
}

// Attach returns all events so far, and calls call with the later ones.
func (s *remote) Attach(call func(session.Event)) (history []session.Event, detach func()) {
	news, done := make(chan struct{}, 1), make(chan struct{})
	history, r := s.mirror.log.Read(func(bool) {
		select {
		case news <- struct{}{}:
		default:
		}
	})
	crash.Go(func() {
		for {
			select {
			case <-done:
				return
			case <-s.mirror.m.life.Done():
				return
			case <-news:
			}
			for _, e := range r.Take() {
				call(e)
			}
		}
	})
	var once sync.Once
	return history, func() {
		once.Do(func() {
			r.Close()
			close(done)
		})
	}
}

// Send queues a prompt and returns its id.
func (s *remote) Send(p session.Prompt) (session.PromptID, error) { return s.mirror.prompt(p, false) }

// Steer delivers a prompt into the running turn if the agent can.
func (s *remote) Steer(p session.Prompt) (session.PromptID, error) { return s.mirror.prompt(p, true) }

// Ask sends a prompt and waits for the end of its turn.
func (s *remote) Ask(ctx context.Context, p session.Prompt) (end session.TurnEnded, err error) {
	err = s.mirror.call(ctx, "ask", p, &end)
	return end, err
}

// AskAside asks the conversation a question beside its history.
func (s *remote) AskAside(ctx context.Context, question string, emit func(text string)) error {
	c, err := s.mirror.attached(ctx)
	if err != nil {
		return err
	}
	return c.call(ctx, "aside", question, nil, emit)
}

// Stored waits until everything published so far is in the journal, also over a break of the connection.
func (s *remote) Stored(ctx context.Context) error {
	sent := s.mirror.sent() // on the connection that is attached, or on the next one before it is
	for {
		c, err := s.mirror.attached(ctx)
		if err != nil {
			return err
		}
		if err = c.call(ctx, "stored", struct{}{}, nil, nil); Ended(err) {
			continue
		}
		for _, p := range sent {
			if err == nil {
				s.mirror.stored(p.Prompt.ID) // the host may end before it reports each
			}
		}
		return err
	}
}

// Unqueue removes a waiting prompt from the queue and returns it.
func (s *remote) Unqueue(id session.PromptID) (session.Prompt, bool) {
	var t taken
	err := s.mirror.quick("unqueue", id, &t)
	return t.Prompt, err == nil && t.OK
}

// Move moves a waiting prompt by step places.
func (s *remote) Move(id session.PromptID, step int) (moved bool) {
	err := s.mirror.quick("move", moving{id, step}, &moved)
	return err == nil && moved
}

// Hold makes the prompts that wait do so until Release.
func (s *remote) Hold() (n int) {
	_ = s.mirror.quick("hold", struct{}{}, &n) // a host that ended delivers nothing
	return n
}

// Release makes held prompts deliverable.
func (s *remote) Release() (n int) {
	if err := s.mirror.quick("release", struct{}{}, &n); err != nil {
		s.mirror.note("Couldn't send the waiting prompts. " + session.ProblemOf(err, time.Now()).What)
	}
	return n
}

// Answer answers an open ask, once.
func (s *remote) Answer(ask session.AskID, answer session.Answer) error {
	return s.mirror.quick("answer", answering{ask, answer}, nil)
}

// RevokeRule takes back a rule that holds in the session.
func (s *remote) RevokeRule(rule session.Rule, asks []session.AskID) error {
	return s.mirror.quick("revoke", revoking{rule, asks}, nil)
}

// Abort interrupts the running turn. It returns at once.
func (s *remote) Abort() {
	s.mirror.state.Lock()
	c := s.mirror.c
	s.mirror.state.Unlock()
	if c != nil {
		_, _, _ = c.ask("abort", struct{}{}, nil, nil) // what runs ends with a host that cannot be asked
	}
}

// Configure changes model, effort and mode.
func (s *remote) Configure(v session.Settings) error { return s.mirror.quick("configure", v, nil) }

// Rename gives the session a title.
func (s *remote) Rename(title string) error { return s.mirror.quick("retitle", title, nil) }

// Bound bounds what later conversations may use.
func (s *remote) Bound(l session.Limits) { s.mirror.must("bound", l) }

// Shape makes later conversations hold their answers to a schema.
func (s *remote) Shape(schema string) { s.mirror.must("shape", schema) }

// Cap sets limits of what the session and a day may cost.
func (s *remote) Cap(c caps.Caps) { s.mirror.must("cap", c) }

// Standing reads what the session and the day have cost.
func (s *remote) Standing(ctx context.Context) (st caps.Standing, err error) {
	err = s.mirror.call(ctx, "standing", struct{}{}, &st)
	return st, err
}

// Warm lets the agent prepare for the next prompt. It returns at once.
func (s *remote) Warm() {
	s.mirror.state.Lock()
	due := time.Since(s.mirror.warmed) >= warmEvery && !s.mirror.closed
	if due {
		s.mirror.warmed = time.Now()
	}
	s.mirror.state.Unlock()
	if due {
		crash.Go(func() { _ = s.mirror.quick("warm", struct{}{}, nil) }) // the prompt meets the same problem and reports it
	}
}

// StopCall stops a command or a child agent.
func (s *remote) StopCall(ctx context.Context, call session.CallID) error {
	return s.mirror.call(ctx, "stop call", call, nil)
}

// ToBackground sends a running call to the background.
func (s *remote) ToBackground(ctx context.Context, call session.CallID) error {
	return s.mirror.call(ctx, "to background", call, nil)
}

// SteerChild sends a prompt to a running child agent.
func (s *remote) SteerChild(ctx context.Context, child session.ChildID, p session.Prompt) error {
	return s.mirror.call(ctx, "steer child", childPrompt{child, p}, nil)
}

// ResumeChild continues an ended child agent.
func (s *remote) ResumeChild(ctx context.Context, child session.ChildID, p session.Prompt) error {
	return s.mirror.call(ctx, "resume child", childPrompt{child, p}, nil)
}

// Follow asks for the output of a call in the background, until ctx ends. It returns at once.
func (s *remote) Follow(ctx context.Context, call session.CallID) {
	crash.Go(func() { _ = s.mirror.call(ctx, "follow", call, nil) })
}

// Rejoin looks whether another process still has the session.
func (s *remote) Rejoin(ctx context.Context) (elsewhere bool, err error) {
	err = s.mirror.call(ctx, "rejoin", struct{}{}, &elsewhere)
	return elsewhere, err
}

// Wait returns when no turn runs and no prompt is queued.
func (s *remote) Wait(ctx context.Context) error { return s.mirror.call(ctx, "wait", struct{}{}, nil) }

// Settle returns once no child agent works in the background.
func (s *remote) Settle(ctx context.Context) error {
	return s.mirror.call(ctx, "settle", struct{}{}, nil)
}

// Recorded returns once what the ended calls changed in files is known.
func (s *remote) Recorded(ctx context.Context) error {
	return s.mirror.call(ctx, "recorded", struct{}{}, nil)
}

// Close leaves the session, which goes on.
func (s *remote) Close(ctx context.Context) error { return s.mirror.close(ctx) }

// Rename gives a session that the host of a place has open a title, and returns it as it is kept.
func Rename(ctx context.Context, p Place, program string, id session.ID, title string) (kept string, err error) {
	err = Ask(ctx, p, program, "rename", renaming{id, title}, &kept)
	return kept, err
}
