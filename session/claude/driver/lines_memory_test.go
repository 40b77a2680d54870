package driver

import (
	"io"
	"runtime"
	"strings"
	"testing"
)

// allocated returns how many bytes a function allocates, freed ones included.
func allocated(f func()) int64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return int64(after.TotalAlloc - before.TotalAlloc)
}

// A line costs little more memory than its length, and one without an end no more than the longest.
func TestLinesCostLittleMemory(t *testing.T) {
	for name, test := range map[string]struct{ size, most int64 }{
		"short":       {100, 128 << 10},
		"an image":    {12 << 20, 24 << 20},
		"several":     {40 << 20, 90 << 20},
		"without end": {300 << 20, 90 << 20},
	} {
		lines, skipped := 0, 0
		in := io.MultiReader(strings.NewReader(`{"type":"`), io.LimitReader(endless{}, test.size), strings.NewReader("\"}\n{}\n"))
		got := allocated(func() {
			if err := readLines(in, maxLine, func([]byte) { lines++ }, func(int) { skipped++ }); err != nil {
				t.Error(err)
			}
		})
		if got > test.most {
			t.Errorf("%s: %d bytes were allocated for a line of %d", name, got, test.size)
		}
		if lines+skipped != 2 || (skipped > 0) != (test.size > maxLine) {
			t.Errorf("%s: %d lines, %d skipped", name, lines, skipped)
		}
	}
}
