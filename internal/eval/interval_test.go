package eval

import (
	"fmt"
	"math"
	"testing"
)

// The bounds are those of Wilson's interval where each task ran once, and wider where runs repeat tasks.
func TestInterval(t *testing.T) {
	tasks := func(n, runs, passed int) map[string]share {
		all := map[string]share{}
		for i := range n {
			all[fmt.Sprint(i)] = share{runs, 0}
			if i < passed {
				all[fmt.Sprint(i)] = share{runs, runs}
			}
		}
		return all
	}
	for _, tc := range []struct {
		of          map[string]share
		least, most float64
	}{
		{nil, 0, 1},
		{tasks(20, 1, 15), 0.53, 0.89},
		{tasks(20, 5, 15), 0.53, 0.89}, // the same tasks again say nothing new
		{tasks(20, 1, 20), 0.84, 1},
		{tasks(20, 1, 0), 0, 0.16},
		{tasks(1, 9, 1), 0.21, 1},
		{map[string]share{"a": {10, 5}, "b": {10, 5}, "c": {10, 5}}, 0.33, 0.67},
		{map[string]share{"a": {10, 4}, "b": {10, 6}, "c": {10, 5}}, 0.33, 0.67},
	} {
		least, most := interval(tc.of)
		if math.Abs(least-tc.least) > 0.006 || math.Abs(most-tc.most) > 0.006 {
			t.Errorf("%v: %.3f to %.3f, and not %.2f to %.2f", tc.of, least, most, tc.least, tc.most)
		}
	}
}

func TestTokensPerPass(t *testing.T) {
	run := Run{Task: "a", Agent: "b", Used: "m", Passed: true}
	run.Usage.Input, run.Usage.CacheRead, run.Usage.CacheWrite, run.Usage.Output = 1, 2, 3, 4
	failed := run
	failed.Task, failed.Passed = "c", false
	if got := newReport([]*Run{&run, &failed}).Totals[0].PerPass; got != 20 {
		t.Error(got)
	}
	if got := newReport([]*Run{&failed}).Totals[0].PerPass; got != 0 {
		t.Error(got)
	}
}
