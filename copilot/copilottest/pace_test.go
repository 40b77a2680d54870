package copilottest

import (
	"context"
	"strings"
	"testing"
	"time"
)

func TestSplit(t *testing.T) {
	tests := []struct {
		chars int
		text  string
		want  string // joined with |
	}{
		{0, "abcdefghij", "abcd|efgh|ij"},
		{1, "añ北", "a|ñ|北"},
		{3, "北の灯火", "北の灯|火"},
		{100, "short", "short"},
		{4, "", ""},
	}
	for _, tt := range tests {
		if got := strings.Join(Pace{Chars: tt.chars}.split(tt.text), "|"); got != tt.want {
			t.Errorf("%d of %q: got %q, want %q", tt.chars, tt.text, got, tt.want)
		}
	}
}

func TestDue(t *testing.T) {
	tests := []struct {
		rate    float64
		elapsed time.Duration
		total   int
		want    int
	}{
		{0, 0, 50, 50},
		{10, 0, 50, 1}, // the first leaves at once
		{10, 99 * time.Millisecond, 50, 1},
		{10, 100 * time.Millisecond, 50, 2},
		{10, time.Hour, 50, 50},
		{0.5, 2 * time.Second, 50, 2},
		{1000, time.Second, 5000, 1001},
	}
	for _, tt := range tests {
		if got := (Pace{Rate: tt.rate}).due(tt.elapsed, tt.total); got != tt.want {
			t.Errorf("rate %v after %v: got %d, want %d", tt.rate, tt.elapsed, got, tt.want)
		}
	}
}

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
		if off := took - tt.want; off < 0 || off > minTick {
			t.Errorf("%s at %s: took %v, want %v", tt.tokens, tt.rate, took, tt.want)
		}
		if !strings.HasSuffix(r.text(), "\nENDMARKX\n") {
			t.Errorf("%s at %s: no end mark", tt.tokens, tt.rate)
		}
		for _, d := range clock.slept {
			if d < minTick {
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
	s := start(t, Options{Clock: clock, Script: script(t, `
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

func TestFillerIsAsLongAsAsked(t *testing.T) {
	for tokens := 0; tokens < 9000; tokens += 13 {
		text := filler(tokens, "A1")
		if want := max(tokens*4, len("\n\nENDMARKA1\n")); len(text) != want {
			t.Fatalf("%d tokens: %d bytes, want %d", tokens, len(text), want)
		}
		if strings.Count(text, "```")%2 != 0 {
			t.Fatalf("%d tokens: a code block is left open", tokens)
		}
		if !strings.HasSuffix(text, "\n\nENDMARKA1\n") {
			t.Fatalf("%d tokens: no end mark", tokens)
		}
	}
	if text := filler(10, ""); len(text) != 40 || strings.Contains(text, "ENDMARK") {
		t.Errorf("without a mark: %q", text)
	}
}
