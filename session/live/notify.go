package live

import "parley/session"

// Notify publishes a notice in the running turn of an open session, or outside of turns if none runs. It does nothing if the
// session is not open, or if that turn has the same notice.
func (m *Manager) Notify(id session.ID, severity session.Severity, text string) {
	s := m.find(id)
	if s == nil {
		return
	}
	st := s.state
	st.Lock()
	defer st.Unlock()
	if st.closed {
		return
	}
	n := st.notice(severity, text)
	if it := st.queue.Current; it != nil {
		n.Turn = it.Turn
	}
	for _, e := range st.feed.All() {
		if o, ok := e.(session.Notice); ok && n.Turn != "" && o.Turn == n.Turn && o.Text == text {
			return
		}
	}
	st.publish(n)
}
