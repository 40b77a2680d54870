package proxy

import "time"

// clock is the time as the server needs it.
type clock struct {
	now func() time.Time
	// body is how long a request's body may take to arrive; after that the connection is cut.
	body time.Duration
	// ticks delivers a tick three times in the longest silence a client may see, until stop is called. A nil channel
	// means that no pings are wanted.
	ticks func() (ch <-chan time.Time, stop func())
	// window makes a timer that delivers once, a window's length after arm was last called. Nil: no window is wanted.
	window func() (ch <-chan time.Time, arm, stop func())
}

// newClock is the clock of the program. Zero means the default of each, less than zero none.
func newClock(pingEvery, joinWithin time.Duration) clock {
	c := clock{now: time.Now, body: bodyTimeout}
	if pingEvery == 0 {
		pingEvery = defaultPingEvery
	}
	if joinWithin == 0 {
		joinWithin = defaultJoinWithin
	}
	c.ticks = func() (<-chan time.Time, func()) {
		if pingEvery < 0 {
			return nil, func() {}
		}
		t := time.NewTicker(max(pingEvery/quietTicks, 1))
		return t.C, t.Stop
	}
	if joinWithin > 0 {
		c.window = func() (<-chan time.Time, func(), func()) {
			t := time.NewTimer(joinWithin)
			t.Stop()
			return t.C, func() { t.Reset(joinWithin) }, func() { t.Stop() }
		}
	}
	return c
}
