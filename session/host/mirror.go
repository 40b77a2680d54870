package host

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"

	"parley/internal/crash"
	"parley/internal/monitor"
	"parley/session"
	"parley/session/live"
)

// maxTries is how often in a row a session is taken up again whose host ends at once.
const maxTries = 3

// mirror is a copy of a session in a host: its events and what else is known, which a connection keeps up to date.
type mirror struct {
	m      *Manager
	handle *live.Session
	id     session.ID
	draft  *live.DraftOptions // to make it with; nil for a stored one
	log    session.Log

	sending sync.Mutex // held while a prompt is sent, so that they arrive in order

	state   monitor.Monitor // guards the rest
	place   Place
	now     known
	c       *conn     // nil while it is not attached
	keeping bool      // keep runs
	again   bool      // a prompt came that it does not know of
	failed  error     // why it ended
	closed  bool      // by this screen
	begun   bool      // it was attached before
	epoch   string    // of the log of which this one has the begin; "" if it has something else too
	pending []sending // prompts that may not be on disk
	warmed  time.Time
	// resources are those of its servers, as of resourcesAt.
	resources   []session.ServerResource
	resourcesAt time.Time
}

func newMirror(m *Manager, id session.ID, p Place) *mirror {
	s := &mirror{m: m, id: id, place: p}
	s.handle = &live.Session{Transport: &remote{s}}
	return s
}

// want makes sure that the session is attached, or becomes so.
func (s *mirror) want() {
	s.state.Lock()
	defer s.state.Unlock()
	if s.keeping || s.closed {
		return
	}
	s.keeping, s.failed = true, nil
	crash.Go(s.keep)
}

// at returns the place of its host.
func (s *mirror) at() Place {
	s.state.Lock()
	defer s.state.Unlock()
	return s.place
}

// moved finds the host that takes the session over from one that has ended: another that has it, or that of the manager. It waits a
// moment for the lock of a process that was just killed, and reports false if that stays.
func (s *mirror) moved(ctx context.Context) bool {
	old := s.at()
	if old == s.m.o.Place {
		return false
	}
	ctx, cancel := context.WithTimeout(ctx, replyTime)
	defer cancel()
	for {
		if next := s.m.placeOf(ctx, s.id); next != old {
			s.state.Lock()
			defer s.state.Unlock()
			s.place = next
			return true
		}
		select {
		case <-time.After(10 * time.Millisecond):
		case <-ctx.Done():
			return false
		}
	}
}

// connected reports whether it is attached now.
func (s *mirror) connected() bool {
	s.state.Lock()
	defer s.state.Unlock()
	return s.c != nil
}

// attached returns the connection, and waits for it.
func (s *mirror) attached(ctx context.Context) (*conn, error) {
	s.want()
	var c *conn
	var failed error
	err := s.state.Wait(ctx, func() bool {
		c, failed = s.c, s.failed
		if s.closed {
			failed = &session.Error{Op: "use the session", Kind: session.KindInvalid, Err: errors.New("it is closed")}
		}
		return c != nil || failed != nil
	})
	if err != nil {
		return nil, err
	}
	return c, failed
}

// keep attaches the session, and again when its host was killed, until the host ends on purpose, cannot be reached, or the session is
// closed.
func (s *mirror) keep() {
	for tries := 0; ; tries++ {
		began := time.Now()
		s.state.Lock()
		s.again = false
		s.state.Unlock()
		c, err := s.take()
		if err == nil {
			<-c.done
		}
		s.state.Lock()
		s.c = nil
		closed := s.closed
		s.state.Notify()
		s.state.Unlock()
		bye := false
		if closed {
			err = errLost
		} else if err == nil {
			if _, bye = c.over(); bye {
				err = &session.Error{Op: "follow the session", Kind: session.KindRuntime, Err: errLost}
				s.note("The session host ended. Your next prompt starts it again.")
			} else if tries >= maxTries {
				err = &session.Error{Op: "follow the session", Kind: session.KindRuntime, Err: errors.New("the session host ended several times")}
				s.note("The session host ended several times; parley's log says why. Your next prompt starts it again.")
			}
		} else if Ended(err) && tries < maxTries {
			err = nil // it ended while it was asked
		} else {
			s.note("Couldn't reach the session host: " + session.ProblemOf(err, time.Now()).What)
		}
		if err != nil {
			s.state.Lock()
			if !closed && (s.again || bye && len(s.pending) > 0) && tries < maxTries { // it was sent while the host ended, or was looked for
				s.state.Unlock()
				continue
			}
			s.keeping, s.failed = false, err
			s.state.Notify()
			s.state.Unlock()
			return
		}
		if time.Since(began) > time.Minute {
			tries = 0
		}
	}
}

// note shows a warning in this screen only. The next attachment brings the whole history then.
func (s *mirror) note(text string) {
	s.state.Lock()
	defer s.state.Unlock()
	s.epoch = ""
	s.log.Add(session.Notice{Head: session.Head{Session: s.id, At: time.Now()}, Severity: session.Warning, Text: text})
}

// take connects, gets the session's history, and sends the prompts that may not have arrived before.
func (s *mirror) take() (*conn, error) {
	c, err := s.m.connect(s.m.life, s.at())
	if session.KindOf(err) == session.KindNotFound && s.moved(s.m.life) {
		c, err = s.m.connect(s.m.life, s.at())
	}
	if err != nil {
		return nil, err
	}
	in := &incoming{s: s, ready: make(chan struct{})}
	c.event, c.known, c.kept = in.event, s.learn, s.stored
	if s.m.o.Open != nil {
		o := &opener{s: s, waits: map[uint64]context.CancelFunc{}}
		c.open = func(data []byte) error { return o.take(c, data) }
	}
	s.state.Lock()
	if s.closed {
		s.state.Unlock()
		c.c.Close()
		return nil, errLost
	}
	a := attach{Session: s.id, Draft: s.draft, Environ: s.m.o.Environ, Opens: s.m.o.Open != nil}
	if s.epoch != "" {
		a.Since = sinceOf(s.epoch, s.log.All())
	}
	s.state.Unlock()
	c.start()
	_, ch, err := c.ask("attach", a, nil, in.attached)
	if err != nil {
		err = lost("attach")
	} else {
		select {
		case r := <-ch:
			err = r.into(nil)
		case <-c.done:
			err = lost("attach")
		case <-s.m.life.Done():
			err = s.m.life.Err()
		}
	}
	if err == nil {
		select {
		case <-in.ready:
		case <-c.done:
			err = lost("attach")
		}
	}
	if err != nil {
		c.c.Close()
		<-c.done
		return nil, err
	}
	s.sending.Lock()
	defer s.sending.Unlock()
	s.state.Lock()
	pending := slices.Clone(s.pending)
	s.state.Unlock()
	for _, p := range pending { // before the connection is that of the session
		p.Again = true
		if _, _, err := c.ask("send", p, nil, nil); err != nil {
			break // it has ended again
		}
	}
	s.state.Lock()
	defer s.state.Unlock()
	if s.closed {
		c.c.Close()
	}
	s.c, s.begun, s.failed = c, true, nil
	s.state.Notify()
	return c, nil
}

// learn takes what the host knows beside events.
func (s *mirror) learn(now known) {
	s.state.Lock()
	defer s.state.Unlock()
	s.now = now
	s.state.Notify()
}

// sent returns the prompts that may not be on disk.
func (s *mirror) sent() []sending {
	s.sending.Lock()
	defer s.sending.Unlock()
	s.state.Lock()
	defer s.state.Unlock()
	return slices.Clone(s.pending)
}

// stored forgets a prompt that the host has on disk.
func (s *mirror) stored(id session.PromptID) {
	s.state.Lock()
	defer s.state.Unlock()
	s.pending = slices.DeleteFunc(s.pending, func(p sending) bool { return p.Prompt.ID == id })
	s.state.Notify()
}

// prompt sends a prompt, and again after a break until the host has it on disk. Without a connection it does not wait for one.
func (s *mirror) prompt(p session.Prompt, steer bool) (session.PromptID, error) {
	if p.ID == "" {
		p.ID = session.PromptID(uuid.NewString())
	}
	c, ch, err := s.put(sending{Prompt: p, Steer: steer})
	if err != nil {
		return "", err
	}
	if c == nil {
		s.want()
		return p.ID, nil
	}
	t := time.NewTimer(replyTime)
	defer t.Stop()
	select {
	case r := <-ch:
		if err := r.into(nil); err != nil {
			s.stored(p.ID)
			return "", err
		}
	case <-c.done: // it is sent again
	case <-t.C:
	}
	return p.ID, nil
}

// put queues a prompt, and sends it if there is a connection.
func (s *mirror) put(p sending) (*conn, <-chan reply, error) {
	s.sending.Lock()
	defer s.sending.Unlock()
	s.state.Lock()
	c, closed := s.c, s.closed
	if !closed {
		s.pending, s.again = append(s.pending, p), s.again || c == nil
	}
	s.state.Unlock()
	if closed {
		return nil, nil, &session.Error{Op: "send prompt", Kind: session.KindInvalid, Err: errors.New("the session is closed")}
	}
	if c == nil {
		return nil, nil, nil
	}
	_, ch, _ := c.ask("send", p, nil, nil) // what a broken connection did not take is sent again
	return c, ch, nil
}

// close leaves the session, which goes on. It waits until the host has its prompts, or ctx ends.
func (s *mirror) close(ctx context.Context) error {
	wait, cancel := context.WithTimeout(ctx, replyTime)
	defer cancel()
	err := s.state.Wait(wait, func() bool { return len(s.pending) == 0 || !s.keeping })
	s.state.Lock()
	s.closed = true
	c, unsent := s.c, len(s.pending)
	s.state.Notify()
	s.state.Unlock()
	if c != nil {
		c.c.Close()
		<-c.done
	}
	s.m.mu.Lock()
	if s.m.sessions[s.id] == s {
		delete(s.m.sessions, s.id)
	}
	s.m.mu.Unlock()
	if unsent == 0 {
		return nil
	}
	return &session.Error{Op: "close session", Kind: session.KindStalled, Err: fmt.Errorf("the session host didn't take %d prompts: %w", unsent, errors.Join(err, errLost))}
}
