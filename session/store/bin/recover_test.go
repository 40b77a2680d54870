package bin

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"parley/session"
)

// killed is what step panics with.
type killed struct{}

// run calls do, of which the step of a number is the last, and reports whether it was cut off there.
func (w world) run(last int, do func()) (cut bool) {
	defer func() {
		w.b.step = func() {}
		if r := recover(); r != nil {
			if _, is := r.(killed); !is {
				panic(r)
			}
			cut = true
		}
	}()
	n := 0
	w.b.step = func() {
		if n++; n > last {
			panic(killed{})
		}
	}
	do()
	return false
}

// TestKills cuts deletions, restorations and the recovery from them off at every step: the session is whole at its place or in the bin.
func TestKills(t *testing.T) {
	for _, apart := range []bool{false, true} {
		for _, restore := range []bool{false, true} {
			points := 0
			for last, cut := 0, true; cut; last++ {
				for again := range 6 { // the recovery is cut off too
					if cut = killOnce(t, apart, restore, last, again); !cut {
						break
					}
					points++
				}
			}
			if points < 12 {
				t.Errorf("only %d points", points)
			}
		}
	}
}

// killOnce cuts one act off at a step, and the recovery at another, and reports whether the act had so many.
func killOnce(t *testing.T, apart, restore bool, last, again int) bool {
	w := newWorld(t)
	w.b.apart = apart
	e := w.make("a")
	before := w.state("a")
	do := func() {
		if err := w.b.Put(t.Context(), e, when); err != nil {
			t.Fatal(err)
		}
	}
	if restore {
		do()
		all, _ := w.b.List(t.Context())
		do = func() {
			if err := w.b.Restore(t.Context(), all[0]); err != nil {
				t.Fatal(err)
			}
		}
	}
	if !w.run(last, do) {
		return false
	}
	recovers := func() {
		if err := w.b.Recover(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	w.run(again, recovers)
	recovers()
	name := fmt.Sprintf("apart %v, restore %v, step %d, then %d", apart, restore, last, again)
	switch there := w.state("a"); {
	case there == before && w.binned() == "":
	case there == "" && w.binned() == "a ":
		all, _ := w.b.List(t.Context())
		if err := w.b.Restore(t.Context(), all[0]); err != nil || w.state("a") != before {
			t.Errorf("%s: back as %s, %v", name, w.state("a"), err)
		}
	default:
		t.Errorf("%s: in the bin %q, at its place\n%s", name, w.binned(), there)
	}
	if left, _ := os.ReadDir(w.b.path(moving)); len(left) > 0 {
		t.Errorf("%s: left %v", name, left)
	}
	return true
}

// TestClashInRecovery keeps what cannot go back in the bin where a kill cut a deletion off and its place was taken since.
func TestClashInRecovery(t *testing.T) {
	for apart, last := range map[bool]int{false: 2, true: 1} {
		w := newWorld(t)
		w.b.apart = apart
		e := w.make("a")
		if !w.run(last, func() { _ = w.b.Put(t.Context(), e, when) }) {
			t.Fatal("it was not cut off")
		}
		journal := e.Items[0].From
		if err := os.WriteFile(journal, []byte("mine"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := w.b.Recover(t.Context()); err != nil || w.binned() != "a " {
			t.Errorf("%v, in the bin %q", err, w.binned())
		}
		if data, err := os.ReadFile(journal); string(data) != "mine" || err != nil {
			t.Errorf("%q, %v", data, err)
		}
		all, _ := w.b.List(t.Context())
		if err := os.Remove(journal); err != nil {
			t.Fatal(err)
		}
		if err := w.b.Restore(t.Context(), all[0]); err != nil || !strings.Contains(w.state("a"), "wordsa") {
			t.Errorf("%v, %s", err, w.state("a"))
		}
	}
}

// TestRestoreAfterKill does not take what an interrupted deletion of a newer session with the same id left for a rest of its own.
func TestRestoreAfterKill(t *testing.T) {
	w := newWorld(t)
	if err := w.b.Put(t.Context(), w.make("a"), when); err != nil {
		t.Fatal(err)
	}
	all, _ := w.b.List(t.Context())
	e := w.make("a")
	if err := os.WriteFile(e.Items[0].From, []byte("newer"), 0o600); err != nil {
		t.Fatal(err)
	}
	w.b.apart = true
	if !w.run(1, func() { _ = w.b.Put(t.Context(), e, when) }) {
		t.Fatal("it was not cut off")
	}
	if err := w.b.Restore(t.Context(), all[0]); session.KindOf(err) != session.KindInvalid || w.binned() != "a " {
		t.Errorf("%v, in the bin %q", err, w.binned())
	}
	if data, err := os.ReadFile(e.Items[0].From); string(data) != "newer" || err != nil {
		t.Errorf("%q, %v", data, err)
	}
}
