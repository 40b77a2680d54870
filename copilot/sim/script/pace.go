package script

import (
	"math"
	"time"
)

// Pace says how fast text leaves.
type Pace struct {
	// Chars is the length of one delta in characters (runes); 0 means 4, about one token.
	Chars int
	// Rate is in deltas per second; 0 means as fast as the socket takes them.
	Rate float64
}

// defaultChars is about the length of one token.
const defaultChars = 4

// MinTick bounds how often a paced stream wakes up: above five hundred deltas per second several leave together, which is
// invisible and costs a fraction.
const MinTick = 2 * time.Millisecond

// over returns p with what q leaves out taken from p.
func (p Pace) over(q *Pace) Pace {
	if q == nil {
		return p
	}
	if q.Chars == 0 {
		return Pace{Chars: p.Chars, Rate: q.Rate}
	}
	return *q
}

// Split cuts text into deltas.
func (p Pace) Split(text string) []string {
	n := p.Chars
	if n <= 0 {
		n = defaultChars
	}
	var out []string
	count, from := 0, 0
	for i := range text {
		if count == n {
			out = append(out, text[from:i])
			count, from = 0, i
		}
		count++
	}
	if from < len(text) {
		out = append(out, text[from:])
	}
	return out
}

// Due returns how many of total deltas should have left after elapsed. Counting from the start, rather than waiting between
// deltas, keeps the aggregate exact however late the timers fire.
func (p Pace) Due(elapsed time.Duration, total int) int {
	if p.Rate <= 0 {
		return total
	}
	n := 1 + math.Floor(elapsed.Seconds()*p.Rate+1e-9)
	if n >= float64(total) {
		return total
	}
	return int(n)
}

// Wait returns how long to sleep until the delta after the first sent ones is due.
func (p Pace) Wait(elapsed time.Duration, sent int) time.Duration {
	at := time.Duration(math.Ceil(float64(sent) / p.Rate * float64(time.Second)))
	return max(at-elapsed, MinTick)
}
