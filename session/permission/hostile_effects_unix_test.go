//go:build unix

package permission_test

import (
	"fmt"
	"math/rand/v2"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"parley/internal/repeat"
	"parley/session/permission"
)

// TestHostileLinesHaveNoEffect judges hostile lines in every mode, and runs those that are allowed in real shells.
func TestHostileLinesHaveNoEffect(t *testing.T) {
	w := newHostileWorld(t)
	lines := hostileCorpus(w.hostilePlace)
	if len(lines) < 5000 {
		t.Fatalf("only %d lines", len(lines))
	}
	lines = sampled(lines, repeat.Times(12, 250, len(lines)), func(l hostileLine) string { return l.family })
	var failures findings
	for _, shell := range hostileShells {
		if _, err := exec.LookPath(shell.argv[0]); err != nil {
			if shell.needed {
				t.Fatalf("%s is not installed", shell.argv[0])
			}
			t.Logf("%s is not installed: lines are not run there", shell.argv[0])
			continue
		}
		runs, counts := w.allowed(t, shell.dialect, lines)
		allowed := len(runs)
		runs = sampled(runs, repeat.Times(1, 4, len(runs)), func(r *hostileRun) string { return fmt.Sprint(r.family, len(r.mode.deny)) })
		bad := w.runAll(t, shell.dialect, shell.argv, runs)
		for _, r := range bad {
			failures.add(r.family+", "+string(r.mode.mode)+", "+shell.argv[0], fmt.Sprintf("%q (%s)", r.text, r.effect()))
		}
		t.Logf("%s: %d lines judged, allowed %s; %d distinct ones, %d run, %d with an effect", shell.argv[0], len(lines), counts,
			allowed, len(runs), len(bad))
	}
	failures.report(t.Errorf)
}

// TestTheHarnessSeesEffects runs the lines that once ran unasked as they are.
func TestTheHarnessSeesEffects(t *testing.T) {
	w := newHostileWorld(t)
	for _, family := range knownFamilies() {
		seen, texts := 0, rows(knownLines[family])
		texts = texts[:min(len(texts), repeat.Times(2, 20, 20))]
		for _, text := range texts {
			text = strings.ReplaceAll(text, "@OUT", w.outside)
			r := w.alone(t, hostileShells[0].argv, hostileRun{hostileLine: hostileLine{family, text}},
				func(string) string { return text })
			if r.effect() != "" {
				seen++
			}
		}
		if seen == 0 {
			t.Errorf("%s: none of %d lines has an effect", family, len(texts))
		}
		t.Logf("%s: %d of %d lines have an effect", family, seen, len(texts))
	}
}

// sampled returns at most most items of each group, chosen with a fixed seed, and all of those known.
func sampled[T any](items []T, most int, group func(T) string) []T {
	r := rand.New(rand.NewPCG(7, 11))
	taken := map[string]int{}
	var some []T
	for _, i := range r.Perm(len(items)) {
		if name := group(items[i]); taken[name] < most || strings.HasPrefix(name, "known: ") {
			taken[name]++
			some = append(some, items[i])
		}
	}
	return some
}

// allowed judges lines in all modes, and returns those that are allowed in one, each once for each text that would run, and
// how many that are in each mode.
func (w *hostileWorld) allowed(t *testing.T, dialect string, lines []hostileLine) (runs []*hostileRun, counts string) {
	t.Helper()
	dir := w.folder(t)
	seen := map[string]bool{}
	for _, m := range hostileModes {
		p, n := w.policy(t, m, dialect, dir), 0
		for _, l := range lines {
			d := judged(p, l.text)
			if d.Ruling != permission.Allow {
				continue
			}
			n++
			run := whatRuns(d, l.text)
			r := &hostileRun{hostileLine: l, mode: m}
			// What the default mode lets run is not run again for the modes that permit as much or more.
			if key := fmt.Sprint(len(m.deny), run); !seen[key] && r.mayFail() {
				seen[key] = true
				runs = append(runs, r)
			}
		}
		counts += fmt.Sprintf(" %s %d", m.mode, n)
	}
	w.leave(t, dir)
	return runs, counts
}

// runAll runs lines and returns those that have an effect, each of which has been run alone as well.
func (w *hostileWorld) runAll(t *testing.T, dialect string, shell []string, runs []*hostileRun) (bad []*hostileRun) {
	t.Helper()
	text := func(r *hostileRun) func(dir string) string {
		return func(dir string) string {
			return whatRuns(judged(w.policy(t, r.mode, dialect, dir), r.text), r.text)
		}
	}
	for batch := range slices.Chunk(runs, 64) {
		for _, r := range batch { // judged again, as a text that runs may name its folder
			r.dir = w.folder(t)
			r.run = text(r)(r.dir)
		}
		clear := w.run(t, shell, batch)
		for _, r := range batch {
			if clear && r.effect() == "" {
				continue
			}
			if again := w.alone(t, shell, *r, text(r)); again.effect() != "" {
				bad = append(bad, again)
			} else if r.effect() != "" {
				r.changed += " beside other lines only"
				bad = append(bad, r)
			}
		}
	}
	return bad
}
