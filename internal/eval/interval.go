package eval

import "math"

// share counts the runs of a task, and those that passed.
type share struct{ runs, passed int }

// judge works out what follows from the sums.
func (t *Total) judge() {
	t.Least, t.Most = interval(t.tasks)
	if t.Passed > 0 {
		u := t.Usage
		t.PerPass = (u.Input + u.CacheRead + u.CacheWrite + u.Output) / int64(t.Passed)
	}
}

// interval returns the bounds of the share that passes, with 95 % confidence (Wilson's). Runs of one task resemble each
// other, so that they count for less than runs of different tasks: for as many as would vary like the tasks do.
func interval(tasks map[string]share) (least, most float64) {
	var runs, passed float64
	for _, s := range tasks {
		runs, passed = runs+float64(s.runs), passed+float64(s.passed)
	}
	if runs == 0 {
		return 0, 1
	}
	p, n := passed/runs, runs
	var spread float64 // the variance of p, by tasks
	for _, s := range tasks {
		d := float64(s.passed) - p*float64(s.runs)
		spread += d * d
	}
	if spread /= runs * runs; spread > 0 {
		n = min(n, max(p*(1-p)/spread, 1))
	}
	if p == 0 || p == 1 { // nothing varies: all that is known is how many tasks there were
		n = float64(len(tasks))
	}
	const z = 1.959964
	middle, half := (p+z*z/(2*n))/(1+z*z/n), z/(1+z*z/n)*math.Sqrt(p*(1-p)/n+z*z/(4*n*n))
	return max(middle-half, 0), min(middle+half, 1)
}
