package claude

import (
	"context"
	"sync"
)

// monitor is a lock on state that goroutines can wait for. Its zero value is ready to use.
type monitor struct {
	sync.Mutex
	changed chan struct{} // closed by notify, nil while nothing waits
}

// notify wakes all waiters. The lock is held.
func (m *monitor) notify() {
	if m.changed != nil {
		close(m.changed)
		m.changed = nil
	}
}

// wait returns once the condition is true, or with the error of ctx. The condition is called with the lock held.
func (m *monitor) wait(ctx context.Context, condition func() bool) error {
	for {
		m.Lock()
		if condition() {
			m.Unlock()
			return nil
		}
		if m.changed == nil {
			m.changed = make(chan struct{})
		}
		changed := m.changed
		m.Unlock()
		select {
		case <-changed:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// check returns the condition, called with the lock held.
func (m *monitor) check(condition func() bool) bool {
	m.Lock()
	defer m.Unlock()
	return condition()
}
