package paint

import (
	"testing"
	"time"
)

func TestPacer(t *testing.T) {
	t0 := time.Unix(1000, 0)
	ms := time.Millisecond
	for _, c := range []struct {
		name  string
		pacer pacer
		after time.Duration // since the last frame
		when  Urgency
		want  time.Duration
	}{
		{"the first frame", pacer{}, 0, Soon, 0},
		{"a key at once", pacer{last: t0, cost: 10 * ms}, 0, Now, 0},
		{"a key at once, blurred", pacer{last: t0, blurred: true}, 0, Now, 0},
		{"a quick terminal", pacer{last: t0, cost: ms / 2}, 0, Soon, 0},
		{"a quick terminal, before its turn", pacer{last: t0, cost: ms / 2, early: 16 * ms}, 0, Soon, 16 * ms},
		{"somewhat before its turn", pacer{last: t0, cost: ms / 2, early: 4 * ms}, 0, Soon, 4 * ms},
		{"some of it has passed", pacer{last: t0, cost: ms / 2, early: 16 * ms}, 10 * ms, Soon, 6 * ms},
		{"all of it has passed", pacer{last: t0, cost: ms / 2, early: 16 * ms}, 20 * ms, Soon, 0},
		{"a terminal that takes a while", pacer{last: t0, cost: 2 * ms}, 0, Soon, 0},
		{"a terminal that takes a while, before its turn", pacer{last: t0, cost: 2 * ms, early: 33 * ms}, 0, Soon, 33 * ms},
		{"a quick but distant terminal", pacer{last: t0, cost: ms / 2, remote: true}, 0, Soon, 0},
		{"a quick but distant terminal, before its turn", pacer{last: t0, cost: ms / 2, remote: true, early: 33 * ms}, 0, Soon, 33 * ms},
		{"a slow terminal", pacer{last: t0, cost: 15 * ms}, 0, Soon, 60 * ms},
		{"a very slow terminal", pacer{last: t0, cost: time.Second}, 0, Soon, 100 * ms},
		{"nobody looks", pacer{last: t0, cost: ms / 2, blurred: true}, 0, Soon, 250 * ms},
		{"the clock went back", pacer{last: t0, cost: ms / 2, early: 16 * ms}, -ms, Soon, 17 * ms},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := c.pacer.wait(t0.Add(c.after), c.when); got != c.want {
				t.Errorf("waits %v, want %v", got, c.want)
			}
		})
	}
}

func TestPacerMeasuresFromTheEndOfAFrame(t *testing.T) {
	t0 := time.Unix(1000, 0)
	var p pacer
	p.painted(t0, t0.Add(20*time.Millisecond))
	if got := p.wait(t0.Add(20*time.Millisecond), Soon); got != 80*time.Millisecond {
		t.Errorf("waits %v, want four times the 20 ms that the frame took", got)
	}
}

// A single frame is painted at once, even shortly after another; a stream keeps its pace.
func TestPacerLetsOneFrameComeEarly(t *testing.T) {
	now := time.Unix(1000, 0)
	var p pacer
	paint := func() { p.painted(now, now) }
	paint()
	for range 10 {
		now = now.Add(time.Second)
		paint() // the spinner
		now = now.Add(time.Millisecond)
		if wait := p.wait(now, Soon); wait != 0 {
			t.Fatalf("a word waits %v because the spinner has turned", wait)
		}
		paint()
	}
	begun, frames := now, 0
	for ; now.Sub(begun) < time.Second; now = now.Add(time.Millisecond) {
		if p.wait(now, Soon) == 0 {
			paint()
			frames++
		}
	}
	if frames > 63 {
		t.Errorf("%d frames in a second of streaming", frames)
	}
}
