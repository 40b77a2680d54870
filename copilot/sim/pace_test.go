package sim

import (
	"context"
	"strings"
	"testing"
	"time"

	"parley/copilot/sim/script"
)

// The time that a stream takes follows from the number of its deltas alone, however they were batched.
func TestPaceIsExactInAggregate(t *testing.T) {
	for _, tt := range []struct {
		tokens string
		rate   string
		want   time.Duration
	}{
		{"100", "10", 9900 * time.Millisecond},
		{"251", "250", time.Second},
		{"2001", "1000", 2 * time.Second},
		{"5001", "5000", time.Second},
		{"500", "0", 0},
	} {
		clock := newFakeClock()
		s := start(t, Options{Clock: clock})
		r := post(t, s, ask("bench:"+tt.tokens+"@"+tt.rate+"#X"))
		took := s.Requests()[0].Took
		if off := took - tt.want; off < 0 || off > script.MinTick {
			t.Errorf("%s at %s: took %v, want %v", tt.tokens, tt.rate, took, tt.want)
		}
		if !strings.HasSuffix(r.text(), "\nENDMARKX\n") {
			t.Errorf("%s at %s: no end mark", tt.tokens, tt.rate)
		}
		for _, d := range clock.slept {
			if d < script.MinTick {
				t.Fatalf("slept %v, which wakes up too often", d)
			}
		}
	}
}

// A timer that fires late must not slow the stream down.
func TestPaceCatchesUp(t *testing.T) {
	clock := &lateClock{fakeClock: newFakeClock(), late: 30 * time.Millisecond}
	s := start(t, Options{Clock: clock})
	post(t, s, ask("bench:201@100#X"))
	if took := s.Requests()[0].Took; took < 2*time.Second || took > 2*time.Second+50*time.Millisecond {
		t.Errorf("took %v, want 2 s", took)
	}
}

type lateClock struct {
	*fakeClock
	late time.Duration
}

func (c *lateClock) Sleep(ctx context.Context, d time.Duration) error {
	return c.fakeClock.Sleep(ctx, d+c.late)
}

func TestSlowPaces(t *testing.T) {
	clock := newFakeClock()
	s := start(t, Options{Clock: clock, Script: parseScript(t, `
pace: {chars: 1, rate: 1}
rules:
  - reply:
      - text: abc
      - text: defg
        pace: {chars: 2, rate: 0.5}
      - pause: 10s
`)})
	r := post(t, s, ask("hi"))
	if r.text() != "abcdefg" {
		t.Errorf("text %q", r.text())
	}
	// Two waits of one second, one of two, and the pause.
	if took := s.Requests()[0].Took; took != 14*time.Second {
		t.Errorf("took %v, want 14 s", took)
	}
}
