//go:build unix

package changes

import (
	"context"
	"os"
	"strings"
	"testing"
	"time"

	"parley/internal/safefs"
	"parley/session"
)

// A step that a kill cut off is completed by what stands at its paths.
func TestKilledStepsAreCompleted(t *testing.T) {
	for _, c := range []struct {
		name, now    string
		want         string // the status of the change
		redo, reundo string // what redo, or undo, would make of the file; "" for nothing
	}{
		{"before the file was written", "agent\n", "open", "", "user\n"},
		{"after it was written", "user\n", "undone", "agent\n", ""},
		{"the user wrote since", "later\n", "open", "agent\n", "user\n"},
		{"the user removed it since", "-", "open", "agent\n", "user\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newBench(t)
			b.write("f", "user\n")
			b.edit("t1", "f", "agent\n")
			b.do(os.Remove(b.at("f")))
			if c.now != "-" {
				b.write("f", c.now)
			}
			b.write(safefs.Temporary(), "half of it")
			all, err := b.log.Changes(b.Context())
			b.do(err)
			s := step{ID: 1, Kind: StepUndo, Files: []stepFile{{Path: b.at("f"), From: all[0].After, To: all[0].Before, Back: []ChangeID{1}}}}
			b.do(b.log.record(b.Context(), "write a step", line{Step: &s}))
			for _, l := range []*Log{b.log, again(b.lib).Log(sessionID)} {
				b.wants(strings.TrimPrefix(summary(t, l), b.at("f")[1:]+" "), c.want)
			}
			list, err := os.ReadDir(b.dir)
			b.do(err)
			for _, e := range list {
				if e.Name() != "f" {
					b.Errorf("%s was left", e.Name())
				}
			}
			if _, err := os.Stat(strings.TrimSuffix(b.log.path(), suffix) + stepsSuffix); err == nil {
				b.Error("the lock of steps was left")
			}
			for kind, want := range map[StepKind]string{StepUndo: c.reundo, StepRedo: c.redo} {
				got := ""
				for _, f := range b.plan(kind, Scope{}).Files {
					content, err := b.lib.o.Store.Read(b.Context(), f.To)
					b.do(err)
					got = string(content)
				}
				if got != want {
					b.Errorf("%s would make it %q, not %q", kind, got, want)
				}
			}
		})
	}
}

// A step of a living process is left to it, and the other one waits.
func TestRunningStepsAreLeftAlone(t *testing.T) {
	b := newBench(t)
	b.edit("t1", "f", "agent\n")
	p := b.plan(StepUndo, Scope{})
	other := again(b.lib).Log(sessionID)
	unlock, err := other.lockSteps(b.Context(), "undo", time.Second)
	b.do(err)
	s := step{ID: 1, Kind: StepUndo, Files: []stepFile{{Path: b.at("f"), From: p.Files[0].From, To: p.Files[0].To, Back: []ChangeID{1}}}}
	b.do(other.record(b.Context(), "write a step", line{Step: &s}))
	for _, l := range []*Log{b.log, other} {
		b.wants(strings.TrimPrefix(summary(t, l), b.at("f")[1:]+" "), "open")
		if len(l.ledger.steps) != 1 {
			b.Errorf("%d steps are running", len(l.ledger.steps))
		}
	}
	ctx, cancel := context.WithTimeout(b.Context(), 20*time.Millisecond)
	defer cancel()
	if _, err := b.log.Apply(ctx, p, nil); session.KindOf(err) != session.KindCancelled {
		b.Errorf("a second step at the same time: %v", err)
	}
	unlock()
	b.wants(b.apply(p), "f done")
	b.has("f", "-")
}

// Calls that run keep steps away from the files that they name.
func TestStepsLeaveBusyFilesAlone(t *testing.T) {
	b := newBench(t)
	b.edit("t1", "f", "agent\n")
	b.edit("t1", "g", "agent\n")
	before := b.plan(StepUndo, Scope{})
	tracker := b.lib.Track(session.Meta{ID: sessionID, Dir: b.dir}, func(session.FilesChanged) {})
	tracker.Before(b.Context(), session.FileCall{Call: "c9", Turn: "t2", Tool: "Edit", Paths: []string{b.at("f")}})
	const want = "f: A running call is changing it. Try again when the call has ended."
	b.wants(b.apply(Plan{Kind: before.Kind, Files: before.Files[:1]}), want)
	b.wants(b.apply(b.plan(StepUndo, Scope{})), want+"; g done")
	tracker.Drop("c9")
	b.wants(b.apply(b.plan(StepUndo, Scope{})), "f done")
	b.do(tracker.Close(b.Context()))
}
