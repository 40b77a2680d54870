package changes

import (
	"fmt"
	"slices"
	"testing"

	"parley/session"
	"parley/session/changes/snapshot"
	"parley/session/changes/worktree"
)

// now keeps what stands at a path.
func (r *rig) now(name string) snapshot.State {
	r.t.Helper()
	s, err := r.lib.o.Store.Take(r.t.Context(), r.path(name))
	if err != nil {
		r.t.Fatal(err)
	}
	return s
}

// writes writes a file and returns how a comparison with what stood there before finds it.
func (r *rig) writes(name, content string) worktree.Changed {
	r.t.Helper()
	before := r.now(name)
	r.write(name, content)
	return worktree.Changed{Path: r.path(name), Before: before, After: r.now(name)}
}

func TestTrackCommands(t *testing.T) {
	r := newRig(t)
	r.write("a", "one\n")
	call := r.command()
	r.found(r.writes("a", "two\n"), r.writes("b", "new\n"))
	r.tree.result.Gap = "there are more than 5 files"
	r.endAs(session.ToolEnded{Call: call, Outcome: session.ToolFailed})
	r.expect("c1 a: one\n > two\n", "c1 b: - > new\n")
	e := r.reported()
	if len(e.Edits) != 2 || e.Edits[0].Path != r.path("a") || e.Edits[0].Added != 1 || !e.Edits[1].Created || e.More != 0 ||
		e.Gap != "There are more than 5 files." || e.Unaccepted != 2 || e.Turn != "t1" {
		t.Errorf("it reported %+v", e)
	}
	all, _ := r.lib.Log("s1").Changes(t.Context())
	if c := all[0]; c.Command != "make" || c.Tool != "Bash" || c.Model != "m" {
		t.Errorf("%+v", c)
	}
	// Nothing, with and without a gap.
	r.found()
	n := len(r.reports)
	r.end(r.command())
	if len(r.reports) != n {
		t.Errorf("nothing was reported as %+v", r.reported())
	}
	r.tree.result.Gap = "gap"
	r.end(r.command())
	if e := r.reported(); e.Call != "c3" || e.Gap != "Gap." {
		t.Errorf("it reported %+v", e)
	}
}

func TestTrackManyFiles(t *testing.T) {
	r := newRig(t)
	call := r.command()
	var found []worktree.Changed
	for i := range maxShown + 3 {
		found = append(found, r.writes(fmt.Sprintf("%02d", i), "x"))
	}
	r.found(found...)
	r.end(call)
	if e := r.reported(); len(e.Edits) != maxShown || e.More != 3 || e.Unaccepted != maxShown+3 {
		t.Errorf("%d and %d of %d", len(e.Edits), e.More, e.Unaccepted)
	}
}

// TestTrackAnEditDuringACommand runs an edit of another child during a command.
func TestTrackAnEditDuringACommand(t *testing.T) {
	r := newRig(t)
	r.write("a", "0")
	r.write("b", "0")
	command := r.command()
	edit := r.before("a")
	a := r.writes("a", "by the edit")
	r.end(edit)
	b := r.writes("b", "by the command")
	r.found(a, b)
	r.end(command)
	r.expect("c2 a: 0 > by the edit", "c1 b: 0 > by the command")

	// The command goes on with what the edit wrote.
	command = r.command()
	edit = r.before("a")
	first := r.writes("a", "1")
	r.end(edit)
	first.After = r.writes("a", "2").After
	r.found(first)
	r.end(command)
	r.expect("c2 a: 0 > by the edit", "c1 b: 0 > by the command", "c4 a: by the edit > 1", "c3 a: 1 > 2")
}

// TestTrackAnEditAfterACommandWrote begins an edit during a command that has changed the file, and ends it later.
func TestTrackAnEditAfterACommandWrote(t *testing.T) {
	r := newRig(t)
	r.write("a", "0")
	command := r.command()
	a := r.writes("a", "by the command")
	edit := r.before("a")
	a.After = r.writes("a", "by the edit").After
	r.found(a)
	r.end(command)
	r.end(edit)
	r.expect("c1 a: 0 > by the command", "c2 a: by the command > by the edit")

	// The edit has begun, and only it changes the file.
	command, edit = r.command(), ""
	edit = r.before("a")
	r.found(r.writes("a", "again"))
	r.end(command)
	r.end(edit)
	r.expect("c1 a: 0 > by the command", "c2 a: by the command > by the edit", "c4 a: by the edit > again")
}

// TestTrackTwoCommands attributes each change to one of two commands that run at once.
func TestTrackTwoCommands(t *testing.T) {
	r := newRig(t)
	first, second := r.command(), r.command()
	a := r.writes("a", "1")
	r.found(a)
	r.end(first)
	b := r.writes("b", "2")
	r.found(a, b)
	r.end(second)
	r.expect("c1 a: - > 1", "c2 b: - > 2")
}

// TestTrackAnUndoDuringACommand takes a change back while a command runs.
func TestTrackAnUndoDuringACommand(t *testing.T) {
	r := newRig(t)
	r.write("a", "0")
	edit := r.before("a")
	r.write("a", "1")
	r.end(edit)
	command := r.command()
	before := r.now("a")
	l := r.lib.Log("s1")
	plan, err := l.PlanUndo(t.Context(), Scope{})
	if err != nil {
		t.Fatal(err)
	}
	if out, err := l.Apply(t.Context(), plan, nil); err != nil || len(out.Done) != 1 {
		t.Fatalf("%+v, %v", out, err)
	}
	r.found(worktree.Changed{Path: r.path("a"), Before: before, After: r.now("a")})
	r.end(command)
	r.expect("c1 a: 0 > 1")
}

// TestTrackACommandInTheBackground compares when a command goes to the background and at its end.
func TestTrackACommandInTheBackground(t *testing.T) {
	r := newRig(t)
	call := r.command()
	a := r.writes("a", "1")
	r.found(a)
	r.endAs(session.ToolEnded{Call: call, Outcome: session.ToolOK, Result: session.ToolResult{Background: true}})
	r.expect("c1 a: - > 1")
	edit := r.before("b")
	b := r.writes("b", "by the edit")
	r.end(edit)
	a.After = r.writes("a", "2").After
	r.found(a, b, r.writes("c", "3"))
	r.endAs(session.ToolEnded{Call: call, Outcome: session.ToolCancelled})
	r.endAs(session.ToolEnded{Call: call, Outcome: session.ToolCancelled})
	r.expect("c1 a: - > 1", "c2 b: - > by the edit", "c1 a: 1 > 2", "c1 c: - > 3")
	if e := r.reported(); len(e.Edits) != 2 || !e.Edits[0].Created {
		t.Errorf("it reported %+v", e)
	}
}

// TestTrackACommandThatEndsSoonInTheBackground records both ends, also if the second comes while the first is recorded.
func TestTrackACommandThatEndsSoonInTheBackground(t *testing.T) {
	r := newRig(t)
	call := r.command()
	r.found(r.writes("a", "1"))
	r.tracker.mu.Lock() // nothing is recorded yet
	r.enqueue(session.ToolEnded{Call: call, Outcome: session.ToolOK, Result: session.ToolResult{Background: true}})
	r.enqueue(session.ToolEnded{Call: call, Outcome: session.ToolOK})
	r.enqueue(session.ToolEnded{Call: call, Outcome: session.ToolOK})
	r.tracker.mu.Unlock()
	r.wait()
	r.expect("c1 a: - > 1")
	r.tracker.mu.Lock()
	defer r.tracker.mu.Unlock()
	if len(r.calls) > 0 {
		t.Error("it waits for another end")
	}
}

// TestTrackBusy leaves the paths of running calls alone.
func TestTrackBusy(t *testing.T) {
	r := newRig(t)
	r.write("a", "0")
	edit := r.before("a")
	r.write("a", "1")
	r.end(edit)
	edit = r.before("a")
	plan, err := r.lib.Log("s1").PlanUndo(t.Context(), Scope{})
	if err != nil || len(plan.Files) != 1 || plan.Files[0].Refused == "" {
		t.Errorf("%+v, %v", plan, err)
	}
	r.Drop(edit)
	if busy := r.lib.Busy("s1"); !slices.Equal(busy, nil) {
		t.Errorf("%q are busy", busy)
	}
}
