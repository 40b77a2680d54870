package paint

import "time"

// How long a frame of streaming text waits for the one before it.
const (
	fastFrame    = 16 * time.Millisecond  // the terminal is near and takes frames at once
	calmFrame    = 33 * time.Millisecond  // enough for text to look fluid
	slowFrame    = 100 * time.Millisecond // the most a slow terminal is waited for
	blurredFrame = 250 * time.Millisecond // nobody looks

	quickPaint = time.Millisecond // a frame that costs less may come more often
	costShare  = 4                // painting may take a quarter of the time
)

// pacer decides when a frame may be painted. It keeps no clock and no timer, so that it can be tested by itself.
type pacer struct {
	last    time.Time     // when the previous frame was on its way
	cost    time.Duration // what painting it took, writing included
	remote  bool          // the terminal is at the far end of a network
	blurred bool          // the window has lost the focus
}

// interval is the shortest time between two frames of streaming text.
func (p *pacer) interval() time.Duration {
	if p.blurred {
		return blurredFrame
	}
	base := calmFrame
	if !p.remote && p.cost < quickPaint {
		base = fastFrame
	}
	return min(max(base, costShare*p.cost), slowFrame)
}

// wait is how long a frame has to wait at the time now: nothing if it is urgent or its turn has come.
func (p *pacer) wait(now time.Time, when Urgency) time.Duration {
	if when == Now || p.last.IsZero() {
		return 0
	}
	return max(0, p.last.Add(p.interval()).Sub(now))
}

// painted notes a frame that was begun and finished at these times.
func (p *pacer) painted(begun, finished time.Time) {
	p.last, p.cost = finished, finished.Sub(begun)
}
