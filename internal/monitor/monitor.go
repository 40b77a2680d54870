package monitor

import (
	"context"
	"sync"
)

// Monitor is a lock on state that goroutines can wait for. Its zero value is ready to use.
type Monitor struct {
	sync.Mutex
	changed chan struct{} // closed by Notify, nil while nothing waits
}

// Notify wakes all waiters. The lock is held.
func (m *Monitor) Notify() {
	if m.changed != nil {
		close(m.changed)
		m.changed = nil
	}
}

// Wait returns once the condition is true, or with the error of ctx. The condition is called with the lock held.
func (m *Monitor) Wait(ctx context.Context, condition func() bool) error {
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

// Check returns the condition, called with the lock held.
func (m *Monitor) Check(condition func() bool) bool {
	m.Lock()
	defer m.Unlock()
	return condition()
}
