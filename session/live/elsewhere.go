package live

import (
	"context"

	"parley/session"
	"parley/session/library"
)

// Elsewhere reports whether another process has the session, as far as is known, and which one; pid is 0 if that is not known. The
// session is shown as it was read, and cannot go on here.
func (s *local) Elsewhere() (pid int, elsewhere bool) {
	s.state.Lock()
	defer s.state.Unlock()
	return s.storage.holder, s.storage.elsewhere
}

// Rejoin looks whether another process still has the session, and reports that. If none has, the session goes on here: what the
// other one added is published, and what it left open is closed. It waits for the disk.
func (s *local) Rejoin(ctx context.Context) (elsewhere bool, err error) {
	st, sto := s.state, s.storage
	pid, held := library.HolderOf(ctx, sto.journals, st.id)
	st.Lock()
	if held && sto.elsewhere {
		sto.holder = pid
	}
	if elsewhere = sto.elsewhere; held || !elsewhere || sto.saving != nil || st.queue.Working || st.closed {
		st.Unlock()
		return elsewhere, nil
	}
	done := make(chan struct{})
	sto.saving = done
	st.Unlock()
	err = sto.save(ctx, false)
	st.Lock()
	defer st.Unlock()
	sto.saving = nil
	close(done)
	if session.KindOf(err) == session.KindLocked { // a third process was faster
		err = nil
	}
	return sto.elsewhere, err
}
