package proxy

import (
	"testing"
	"time"
)

// A session's window takes the place of the server's, and of none where nothing is joined.
func TestWindowOfASession(t *testing.T) {
	length := func(c clock) time.Duration {
		if c.window == nil {
			return 0
		}
		return c.window(func() {}).(*timedWindow).length
	}
	for _, x := range []struct{ server, session, want time.Duration }{
		{0, 0, defaultJoinWithin},
		{0, 33 * time.Millisecond, 33 * time.Millisecond},
		{50 * time.Millisecond, 0, 50 * time.Millisecond},
		{50 * time.Millisecond, 20 * time.Millisecond, 20 * time.Millisecond},
		{-1, 33 * time.Millisecond, 0},
	} {
		if got := length(newClock(0, x.server).joining(x.session)); got != x.want {
			t.Errorf("server %v, session %v: %v, want %v", x.server, x.session, got, x.want)
		}
	}
	o := &opened{}
	WithWindow(33 * time.Millisecond)(o)
	if o.within != 33*time.Millisecond {
		t.Error("the option is not kept")
	}
}
