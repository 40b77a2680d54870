package live

import (
	"context"
	"parley/session"
	"time"
)

// toWrite is an event on its way to the journal, or, with written, a question whether everything before it is there.
type toWrite struct {
	event   session.Event
	written chan error
}

// journalLoop is the one goroutine that uses a journal.
type journalLoop struct {
	j    session.Journal
	wake chan struct{} // holds one
	quit chan struct{}
	last []toWrite // what to write after quit
	done chan struct{}
	err  error // of closing; valid after done
}

// write hands something to the journal, or keeps it until there is one. The lock is held.
func (s *Session) write(w toWrite) {
	s.unwritten = append(s.unwritten, w)
	if _, later := session.Fragment(w.event); later && s.unflushed.IsZero() {
		s.unflushed = time.Now()
	}
	if s.journal == nil {
		return
	}
	select {
	case s.journal.wake <- struct{}{}:
	default:
	}
}

// startJournal begins to write to j, with everything that is not yet written. The lock is held.
func (s *Session) startJournal(j session.Journal) {
	l := &journalLoop{j: j, wake: make(chan struct{}, 1), quit: make(chan struct{}), done: make(chan struct{})}
	l.wake <- struct{}{}
	s.journal = l
	go s.keep(l)
}

// stopJournal makes the journal write what is left, close and give its lock back. It returns nil if there is none. The
// lock is held; wait for done without it.
func (s *Session) stopJournal() *journalLoop {
	l := s.journal
	if l == nil {
		return nil
	}
	s.journal = nil
	l.last, s.unwritten = s.unwritten, nil
	close(l.quit)
	return l
}

// keep writes the journal until it is stopped. While deltas come it flushes every so often, reckoned from when the oldest
// that is not flushed was said: neither a slow disk nor a late start of this goroutine adds to that.
func (s *Session) keep(l *journalLoop) {
	defer close(l.done)
	var timer *time.Timer
	var due <-chan time.Time
	complained := false
	told := func(err error) {
		if err != nil && !complained {
			s.complain(err)
		}
		complained = err != nil
	}
	put := func(ws []toWrite) {
		if err, known := appendAll(l.j, ws); known {
			told(err)
		}
	}
	for {
		select {
		case <-l.wake:
			ws, since := s.takeUnwritten(l)
			put(ws)
			if due == nil && endsPending(ws) {
				timer = time.NewTimer(s.m.d.FlushEvery - time.Since(since))
				due = timer.C
			}
		case <-due:
			due = nil
			told(l.j.Flush())
		case <-l.quit:
			if timer != nil {
				timer.Stop()
			}
			put(l.last)
			l.err = l.j.Close()
			return
		}
	}
}

// takeUnwritten returns what l has to write, nothing if l was stopped, and since when the oldest delta among it waits.
func (s *Session) takeUnwritten(l *journalLoop) (ws []toWrite, since time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.journal != l {
		return nil, time.Time{}
	}
	ws, since = s.unwritten, s.unflushed
	s.unwritten, s.unflushed = nil, time.Time{}
	return ws, since
}

// appendAll writes ws in order and answers those who ask. It returns how the last attempt to write ended, and whether
// there was any: a delta is only taken note of.
func appendAll(j session.Journal, ws []toWrite) (failed error, known bool) {
	for _, w := range ws {
		if w.written == nil {
			err := j.Append(w.event)
			if _, later := session.Fragment(w.event); err != nil || !later {
				failed, known = err, true
			}
			continue
		}
		err := j.Flush()
		if err == nil {
			err = failed
		}
		w.written <- err
		failed, known = err, true
	}
	return failed, known
}

// endsPending reports whether something in ws still waits for a flush.
func endsPending(ws []toWrite) bool {
	if len(ws) == 0 || ws[len(ws)-1].event == nil {
		return false
	}
	_, ok := session.Fragment(ws[len(ws)-1].event)
	return ok
}

// complain tells that the journal cannot be written. It is said once until writing works again.
func (s *Session) complain(err error) {
	p := session.ProblemOf(err, s.m.d.Now())
	s.mu.Lock()
	defer s.mu.Unlock()
	s.say(session.Notice{Head: s.head(""), Severity: session.Warning,
		Text: "This conversation is not being stored; what is not stored is tried again. " + p.What})
}

// recorded returns once everything said so far is in the journal, which has to be open.
func (s *Session) recorded(ctx context.Context) error {
	s.mu.Lock()
	if s.journal == nil {
		s.mu.Unlock()
		return s.fail("store prompt", session.KindInternal, "there is no journal")
	}
	written := s.askWritten()
	s.mu.Unlock()
	select {
	case err := <-written:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// askWritten returns where the journal will answer whether everything said so far is in it. The lock is held.
func (s *Session) askWritten() <-chan error {
	ask := make(chan error, 1)
	s.write(toWrite{written: ask})
	return ask
}

// Stored waits until everything said so far, such as a prompt that Send has just taken, is in the journal, and returns nil
// then. It waits for a journal that is still to be opened, and writes nothing that would not be written anyway. The error
// is that of the disk, that of ctx, or of kind [KindInvalid] if the session was closed before.
func (s *Session) Stored(ctx context.Context) error {
	s.mu.Lock()
	written := s.askWritten()
	s.mu.Unlock()
	select {
	case err := <-written:
		return err
	case <-ctx.Done():
		return ctx.Err()
	case <-s.shut:
	}
	select {
	case err := <-written: // answered while it was closed
		return err
	default:
		return &session.Error{Op: "store prompt", Kind: session.KindInvalid, Err: errClosed}
	}
}
