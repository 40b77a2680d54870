package live

import (
	"context"
	"parley/session"
	"time"
)

// warmFor is how long something warmed up is kept for a prompt that does not come.
const warmFor = 5 * time.Minute

// wokenFor is how long a conversation that was woken is taken for awake: not every key needs to ask.
const wokenFor = 10 * time.Second

// coldFor is how long nothing is prepared after it has failed: with every key it would fail again.
const coldFor = 30 * time.Second

// warmth is something an agent has prepared, or is preparing, for the session's first prompt.
type warmth struct {
	settings session.Settings
	ctx      context.Context
	cancel   context.CancelFunc
	timer    *time.Timer
	done     chan struct{} // closed when nothing of it is left: taken by the conversation, or thrown away
}

// Warm lets the agent prepare for the next prompt, where it can, because the user has begun to type. It returns at once
// and may be called with every key: what is prepared already is not prepared again, nor what has just failed. A conversation
// that is open is woken ([Waker]). Nothing else is told, stored or listed. What was prepared is thrown away when the
// settings change, when no prompt comes for some minutes, and with the session. Nothing is prepared for a session that another process has.
func (s *Session) Warm() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.wake() {
		return
	}
	warmer, can := s.agent.(session.Warmer)
	if !can || s.closed || s.warm != nil || s.conv != nil || s.current != nil || s.elsewhere || len(s.retired) > 0 ||
		s.m.d.Now().Before(s.coldUntil) {
		return
	}
	w := &warmth{settings: s.settings, done: make(chan struct{})}
	w.ctx, w.cancel = context.WithCancel(s.life)
	w.timer = time.AfterFunc(warmFor, func() { s.cool(w) })
	s.warm = w
	go s.warmUp(w, warmer, s.journal != nil)
}

// wake wakes the conversation, if there is one. The lock is held.
func (s *Session) wake() (open bool) {
	now := s.m.d.Now()
	w, can := s.conv.(session.Waker)
	if !can || s.closed || s.current != nil || s.waking || now.Before(s.awakeUntil) || now.Before(s.coldUntil) {
		return s.conv != nil
	}
	s.waking, s.awakeUntil = true, now.Add(wokenFor)
	go func() {
		err := w.Wake(s.life)
		s.mu.Lock()
		defer s.mu.Unlock()
		s.waking = false
		if err != nil && s.life.Err() == nil { // the prompt will meet the same trouble, and tell it
			s.coldUntil = s.m.d.Now().Add(coldFor)
		}
	}()
	return true
}

// warmUp prepares, and throws away what it has prepared as soon as that is no longer wanted. mine says that this process
// has the session.
func (s *Session) warmUp(w *warmth, warmer session.Warmer, mine bool) {
	defer close(w.done)
	defer s.closeUnusedEndpoint()
	defer s.unwarm(w)
	if _, held := s.m.holder(w.ctx, s.id); held && !mine { // a session has one process, and by now that is another's
		s.chill(w)
		return
	}
	endpoint, err := s.endpointFor(w.ctx)
	if err != nil {
		s.chill(w)
		return // the prompt will meet the same trouble, and tell it
	}
	s.mu.Lock()
	o := session.OpenOptions{Session: s.id, Dir: s.meta.Dir, Dirs: append([]string(nil), s.meta.Dirs...), Settings: w.settings, Endpoint: endpoint}
	s.mu.Unlock()
	release, err := warmer.Warm(w.ctx, o)
	if err != nil {
		s.chill(w)
		return
	}
	<-w.ctx.Done()
	release()
}

// chill takes note that preparing has failed, unless it was given up.
func (s *Session) chill(w *warmth) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if w.ctx.Err() == nil {
		s.coldUntil = s.m.d.Now().Add(coldFor)
	}
}

// unwarm forgets w.
func (s *Session) unwarm(w *warmth) {
	w.timer.Stop()
	w.cancel()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.warm == w {
		s.warm = nil
	}
}

// cool throws away what was prepared. It does not wait. A conversation that has taken it keeps it.
func (s *Session) cool(w *warmth) {
	if w != nil {
		w.cancel()
	}
}

// coolOutdated throws away what was prepared for other settings, with which it may also work where it has failed. The lock
// is held.
func (s *Session) coolOutdated() {
	s.coldUntil = time.Time{}
	if w := s.warm; w != nil && w.settings != s.settings {
		w.cancel()
	}
}

// endpointFor returns the session's endpoint and opens it if it is not.
func (s *Session) endpointFor(ctx context.Context) (session.Endpoint, error) {
	select {
	case s.port <- struct{}{}:
	case <-ctx.Done():
		return session.Endpoint{}, ctx.Err()
	}
	defer func() { <-s.port }()
	s.mu.Lock()
	e, has := s.endpoint, s.hasPort
	s.mu.Unlock()
	if has {
		return e, nil
	}
	var err error
	if d, ok := s.m.d.Endpoints.(session.AgentEndpoints); ok && s.agent != nil {
		e, err = d.OpenFor(ctx, s.id, s.agent.Name())
	} else {
		e, err = s.m.d.Endpoints.Open(ctx, s.id)
	}
	if err != nil {
		return session.Endpoint{}, err
	}
	s.mu.Lock()
	s.endpoint, s.hasPort = e, true
	s.mu.Unlock()
	return e, nil
}

// giveBackEndpoint closes the endpoint of a session that has no conversation. What was prepared with it goes first.
func (s *Session) giveBackEndpoint() {
	s.mu.Lock()
	w := s.warm
	s.cool(w)
	s.mu.Unlock()
	if w != nil {
		<-w.done
	}
	s.port <- struct{}{}
	defer func() { <-s.port }()
	s.mu.Lock()
	has := s.hasPort
	s.hasPort, s.endpoint = false, session.Endpoint{}
	s.mu.Unlock()
	if has {
		s.m.d.Endpoints.Close(s.id)
	}
}

// closeUnusedEndpoint closes the endpoint if neither a prompt nor a conversation needs it.
func (s *Session) closeUnusedEndpoint() {
	s.port <- struct{}{}
	defer func() { <-s.port }()
	s.mu.Lock()
	unused := s.hasPort && s.conv == nil && s.current == nil
	if unused {
		s.hasPort, s.endpoint = false, session.Endpoint{}
	}
	s.mu.Unlock()
	if unused {
		s.m.d.Endpoints.Close(s.id)
	}
}
