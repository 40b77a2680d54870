package paint

import "time"

// How long a frame of streaming text waits for the one before it.
const (
	fastFrame    = 16 * time.Millisecond  // the terminal is near and takes frames at once
	calmFrame    = 33 * time.Millisecond  // enough for text to look fluid
	slowFrame    = 100 * time.Millisecond // the longest wait for a slow terminal
	blurredFrame = 250 * time.Millisecond // the window has lost the focus

	quickPaint = time.Millisecond // a frame that costs less may come more often
	costShare  = 4                // painting may take a quarter of the time
)

// pacer decides when a frame is painted. It has no clock and no timer.
type pacer struct {
	last    time.Time     // when the previous frame was written
	early   time.Duration // how long before its turn that was
	cost    time.Duration // how long painting it took, writing included
	remote  bool          // the terminal is reached over a network
	blurred bool          // the window has lost the focus
}

// interval returns the shortest time between two frames of streaming text.
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

// wait returns how long a frame waits: not at all if it is urgent or its turn has come. On a fast terminal one frame may
// come before its turn, which counts against the next: a word does not wait for the spinner, and a stream keeps its pace.
func (p *pacer) wait(now time.Time, when Urgency) time.Duration {
	if when == Now || p.last.IsZero() {
		return 0
	}
	turn := p.turn()
	if interval := p.interval(); interval <= calmFrame {
		turn = turn.Add(-interval)
	}
	return max(0, turn.Sub(now))
}

// turn returns when the next frame is due.
func (p *pacer) turn() time.Time { return p.last.Add(p.interval() + p.early) }

// painted records when a frame was begun and finished.
func (p *pacer) painted(begun, finished time.Time) {
	if p.last.IsZero() {
		p.early = 0
	} else {
		p.early = min(max(0, p.turn().Sub(begun)), p.interval())
	}
	p.last, p.cost = finished, finished.Sub(begun)
}
