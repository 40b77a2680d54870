//go:build unix

package changes

import (
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"parley/internal/repeat"
)

// wanted is what a step must do to a file, by the model.
type wanted struct {
	to      string
	changes []ChangeID
	lost    bool
	redoes  *taken
	undone  map[ChangeID]bool // afterwards
}

// undo returns what an undo of a scope must do.
func (w *world) undo(s Scope, now tree) map[string]wanted {
	out := map[string]wanted{}
	for _, path := range w.names {
		var first *made
		want := wanted{undone: w.undone(path)}
		stood := ""
		for _, m := range w.of(path) {
			switch {
			case m.undone || first == nil && !m.in(s):
				continue
			case first == nil:
				first, want.to, stood = m, m.before.file(path), m.before.file(path)
			}
			want.lost = want.lost || !m.in(s) || m.before.file(path) != stood
			stood = m.after.file(path)
			want.changes = append(want.changes, m.id)
			want.undone[m.id] = true
		}
		if first == nil {
			continue
		}
		want.lost = (want.lost || now.file(path) != stood) && now.file(path) != want.to
		out[path] = want
	}
	return out
}

// redo returns what a redo of a scope must do.
func (w *world) redo(s Scope, now tree) map[string]wanted {
	out := map[string]wanted{}
	for _, path := range w.names {
		for _, step := range slices.Backward(w.steps[path]) {
			fits := slices.ContainsFunc(w.of(path), func(m *made) bool { return step.touched[m.id] && m.in(s) })
			if step.over || !fits {
				continue
			}
			want := wanted{to: step.before, redoes: step, undone: w.undone(path)}
			for _, m := range w.of(path) {
				was, known := step.was[m.id]
				if m.undone && known && !was {
					want.changes = append(want.changes, m.id)
				}
				want.undone[m.id] = !known || was
			}
			want.lost = now.file(path) != step.before && now.file(path) != step.after && w.lost(path, step, now.file(path))
			out[path] = want
			break
		}
	}
	return out
}

// lost reports whether anything but steps made the difference between what a step left and what stands there now.
func (w *world) lost(path string, s *taken, now string) bool {
	for _, m := range w.of(path) {
		was, known := s.was[m.id]
		is := s.is[m.id]
		if !m.undone && (!known || was && is) {
			return true
		}
	}
	stood := s.after
	for _, e := range w.events[path][s.event:] {
		if e.before != stood {
			return true
		}
		stood = e.after
	}
	return stood != now
}

// same reports whether the same changes are not undone.
func same(now, then map[ChangeID]bool) bool {
	for id, undone := range now {
		was, known := then[id]
		if undone != (was || !known) {
			return false
		}
	}
	return true
}

// step plans and applies, and compares everything with the model. It returns the paths that it wrote.
func (w *world) step(kind StepKind, s Scope, accept bool) []string {
	w.t.Helper()
	pre := treeOf(w.t, w.dir)
	want, plan := w.undo(s, pre), w.log.PlanUndo
	if kind == StepRedo {
		want, plan = w.redo(s, pre), w.log.PlanRedo
	}
	w.did("%s %+v, accept %v", kind, s, accept)
	p, err := plan(w.t.Context(), s)
	w.must(err)
	w.planned(p, want, pre)
	for _, f := range p.Files {
		w.did("   %s: %s to %s", f.Path, f.From.Kind, f.To.Kind)
	}
	out, err := w.log.Apply(w.t.Context(), p, func(string) bool { return accept })
	w.must(err)
	post := treeOf(w.t, w.dir)
	for path, n := range want {
		w.applied(path, n, pre, post, out, accept)
	}
	w.untouched(want, pre, post)
	w.statuses()
	for _, path := range out.Done {
		if pre.file(path) != post.file(path) && !w.reachable(path, pre.file(path)) {
			w.failf("nothing brings %s back to %.30q", path, pre[path])
		}
	}
	return out.Done
}

// planned compares a plan with the model.
func (w *world) planned(p Plan, want map[string]wanted, pre tree) {
	w.t.Helper()
	var paths []string
	for _, f := range p.Files {
		paths = append(paths, f.Path)
		n, ok := want[f.Path]
		if !ok {
			w.failf("the plan has %s", f.Path)
		}
		if linked(pre, f.Path) {
			continue
		}
		if f.Refused != "" {
			if pre[f.Path] != "dir" || n.to == "" {
				w.failf("the plan for %s refuses: %q", f.Path, f.Refused)
			}
			continue
		}
		if !slices.Equal(f.Changes, n.changes) {
			w.failf("the plan for %s has the changes %v, not %v", f.Path, f.Changes, n.changes)
		}
		if n.lost != (len(f.Lost) > 0) {
			w.failf("the plan for %s loses %v; it loses something: %v", f.Path, f.Lost, n.lost)
		}
	}
	if !slices.Equal(paths, sorted(want)) {
		w.failf("the plan has %v, not %v", paths, sorted(want))
	}
}

// applied compares what became of a file with the model, and lets the model know.
func (w *world) applied(path string, n wanted, pre, post tree, out Outcome, accept bool) {
	w.t.Helper()
	if !slices.Contains(out.Done, path) {
		blocked := pre[path] == "dir" && n.to != "" || n.lost && !accept || inTheWay(pre, path) || inTheWay(post, path) || linked(pre, path)
		if reason := out.Left[path]; reason == "" || !blocked {
			w.failf("%s was left: %q", path, reason)
		}
		if pre.file(path) != post.file(path) {
			w.failf("%s was left, and is %q, not %q", path, post[path], pre[path])
		}
		return
	}
	if post.file(path) != n.to {
		w.failf("%s is %.30q, not %.30q", path, post[path], n.to)
	}
	s := &taken{before: pre.file(path), after: n.to, was: w.undone(path), is: n.undone, under: n.redoes, touched: map[ChangeID]bool{}}
	for _, m := range w.of(path) {
		s.touched[m.id] = s.was[m.id] != n.undone[m.id]
		m.undone = n.undone[m.id]
	}
	if r := n.redoes; r != nil {
		r.over = true
		if r.under != nil {
			r.under.over = false
		}
		s.over = pre.file(path) == r.after && same(s.was, r.is) // nothing was lost
	}
	w.events[path] = append(w.events[path], happening{s.before, s.after})
	s.event = len(w.events[path])
	w.steps[path] = append(w.steps[path], s)
}

// inTheWay reports whether something above a path is not a directory.
func inTheWay(in tree, path string) bool {
	for dir := filepath.Dir(path); len(dir) > 1; dir = filepath.Dir(dir) {
		if kind, ok := in[dir]; ok && kind != "dir" {
			return true
		}
	}
	return false
}

// untouched wants everything else to be as it was, but for directories above the files of a step.
func (w *world) untouched(want map[string]wanted, pre, post tree) {
	w.t.Helper()
	for _, path := range sorted(merged(pre, post)) {
		_, planned := want[path]
		near := slices.ContainsFunc(sorted(want), func(p string) bool {
			return strings.HasPrefix(p, path+"/") || strings.HasPrefix(path, p+"/")
		})
		if pre[path] != post[path] && !planned && !(near && pre.file(path) == post.file(path)) {
			w.failf("%s is %.30q, and was %.30q", path, post[path], pre[path])
		}
	}
}

func merged(a, b tree) tree {
	out := maps.Clone(a)
	maps.Copy(out, b)
	return out
}

// reachable reports whether a plan brings back what stood at a path.
func (w *world) reachable(path, stood string) bool {
	w.t.Helper()
	now := treeOf(w.t, w.dir)
	for _, m := range w.of(path) {
		s := Scope{Changes: []ChangeID{m.id}}
		if n, ok := w.redo(s, now)[path]; ok && n.to == stood {
			return true
		}
		if n, ok := w.undo(s, now)[path]; ok && n.to == stood {
			return true
		}
	}
	return false
}

// undoAndRedo wants an undo and its redo to leave everything as it was.
func (w *world) undoAndRedo(s Scope) {
	w.t.Helper()
	pre := treeOf(w.t, w.dir)
	before := map[ChangeID]bool{}
	for _, m := range w.made {
		before[m.id] = m.undone
	}
	done := w.step(StepUndo, s, true)
	if len(done) == 0 {
		return
	}
	var ids []ChangeID
	for _, path := range done {
		last := w.steps[path][len(w.steps[path])-1]
		for id, touched := range last.touched {
			if touched {
				ids = append(ids, id)
			}
		}
	}
	slices.Sort(ids)
	w.step(StepRedo, Scope{Changes: ids}, false)
	post := treeOf(w.t, w.dir)
	for _, path := range sorted(merged(pre, post)) {
		within := slices.ContainsFunc(done, func(p string) bool { return strings.HasPrefix(path, p+"/") })
		if pre[path] != post[path] && !(within && pre.file(path) == post.file(path)) {
			w.failf("after undo and redo, %s is %.30q, and was %.30q", path, post[path], pre[path])
		}
	}
	for _, m := range w.made {
		if m.undone != before[m.id] {
			w.failf("after undo and redo, change %d is undone: %v", m.id, m.undone)
		}
	}
}

func (w *world) run() {
	w.t.Helper()
	for len(w.c.data) > 0 {
		switch w.c.next(11) {
		case 0, 1, 2:
			w.call(1)
		case 3:
			w.call(1 + w.c.next(5))
		case 4, 5:
			w.mutate("the user")
		case 6:
			s := w.scope()
			w.did("accept %+v", s)
			_, err := w.log.Accept(w.t.Context(), s)
			w.must(err)
			for _, m := range w.made {
				m.accepted = m.accepted || !m.undone && m.in(s)
			}
			w.statuses()
		case 7:
			w.step(StepUndo, w.scope(), w.c.next(3) > 0)
		case 8:
			w.step(StepRedo, w.scope(), w.c.next(3) > 0)
		case 9:
			w.undoAndRedo(w.scope())
		case 10:
			w.did("another process")
			w.lib = again(w.lib)
			w.log = w.lib.Log(sessionID)
			if f, err := os.OpenFile(w.log.path(), os.O_APPEND|os.O_WRONLY, 0o600); err == nil {
				_, _ = f.WriteString([]string{"", `{"change":{"id":9`, "\x00\xff", "{\"later\":1}\n"}[w.c.next(4)])
				_ = f.Close()
			}
		}
	}
	w.step(StepUndo, Scope{}, true)
}

// For random sequences of edits, undo restores exactly what was before the chosen scope, or refuses and says why; redo is its
// reverse; nothing else changes; and what was overwritten can be had back.
func TestUndoRestoresWhatWas(t *testing.T) {
	t.Parallel()
	for seed := range repeat.Times(4, 8, 40) {
		r := rand.New(rand.NewPCG(uint64(seed), 13))
		data := make([]byte, 40+r.IntN(250))
		for i := range data {
			data[i] = byte(r.Uint32())
		}
		newWorld(t, data).run()
	}
}

func FuzzUndo(f *testing.F) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 3 {
		data := make([]byte, 150)
		for i := range data {
			data[i] = byte(r.Uint32())
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		newWorld(t, data[:min(len(data), 400)]).run()
	})
}
