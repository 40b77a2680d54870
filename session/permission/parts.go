package permission

import (
	"cmp"
	"slices"

	"parley/session"
)

// partsOf returns the parts of a line in order. Where a step lies in another one, as a substitution in the call that it is
// for, the inner one has its bytes and the outer one those around it.
func partsOf(steps []step) []session.CommandPart {
	steps = slices.Clone(steps)
	slices.SortStableFunc(steps, func(a, b step) int {
		return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(b.end, a.end))
	})
	var parts []session.CommandPart
	var open []step
	at := 0
	upTo := func(end int) {
		if n := len(open); n > 0 && end > at {
			v := open[n-1].verdict
			parts = append(parts, session.CommandPart{Start: at, End: end, Allowed: v.allowed, Why: v.why})
		}
		at = max(at, end)
	}
	closeTo := func(start int) {
		for len(open) > 0 && open[len(open)-1].end <= start {
			upTo(open[len(open)-1].end)
			open = open[:len(open)-1]
		}
	}
	for _, s := range steps {
		closeTo(s.start)
		upTo(s.start)
		at = max(at, s.start)
		open = append(open, s)
	}
	closeTo(1 << 30)
	return parts
}
