package live_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"parley/session"
	"parley/session/sessiontest"
)

// edit plays a call that edits a file, as an agent with images of files does.
func edit(turn *sessiontest.Turn, before string) session.CallID {
	call := turn.StartTool("Edit", `{"file_path":"/project/f"}`)
	turn.Conversation().Options.Files.Before(turn.Context(), session.FileCall{Call: call, Turn: turn.ID, Tool: "Edit", Paths: []string{"/project/f"}})
	turn.Emit(session.ToolEnded{Call: call, Outcome: session.ToolOK, Edits: []session.FileEdit{{Path: "/project/f", Added: 1, Before: &before}}})
	return call
}

// TestFilesOfCalls runs a call that changes a file: the tracker gets what it contained, and no history does.
func TestFilesOfCalls(t *testing.T) {
	bubble(t, func(t *testing.T, w *sessiontest.World) {
		k := w.KeepFiles()
		m := w.Manager()
		s := draft(t, m)
		seen := watch(s)
		send(t, s, "go")
		turn := w.Agent.Turn(t)
		tracker := k.Tracker(s.ID())
		if tracker.Meta.Dir != project {
			t.Errorf("the tracker is of %+v", tracker.Meta)
		}
		call := edit(turn, "what stood there")
		turn.End(session.TurnCompleted)
		synctest.Wait()
		if ends := tracker.Ends(); len(ends) != 1 || ends[0].Call != call || ends[0].Edits[0].Before == nil {
			t.Fatalf("the tracker got the ends %+v", ends)
		}
		for _, e := range append(seen.all(), w.Journals.Stored(s.ID())...) {
			if e, ok := e.(session.ToolEnded); ok && (len(e.Edits) != 1 || e.Edits[0].Before != nil) {
				t.Errorf("a history has %+v", e.Edits)
			}
		}
		tracker.Changed(session.FilesChanged{Head: session.Head{Turn: turn.ID}, Call: call, Unaccepted: 1})
		tracker.Changed(session.FilesChanged{Head: session.Head{Turn: turn.ID}, Call: call, Gap: "gap", Unaccepted: 2})
		synctest.Wait()
		if got := seen.transcript(); got.Unaccepted != 2 || len(got.Turns) != 1 {
			t.Errorf("%d files are not accepted in %d turns", got.Unaccepted, len(got.Turns))
		}
		var stored []session.FilesChanged
		for _, e := range w.Journals.Stored(s.ID()) {
			if e, ok := e.(session.FilesChanged); ok {
				stored = append(stored, e)
			}
		}
		if len(stored) != 1 || stored[0].Gap != "gap" || stored[0].Turn != turn.ID || stored[0].Gen == 0 {
			t.Errorf("the journal has %+v", stored)
		}
		closeAll(t, m)
	})
}

// TestFilesOfAnAbandonedCall gives up a conversation that ignores interrupts. The late end of its call is not published, and
// the tracker gets it.
func TestFilesOfAnAbandonedCall(t *testing.T) {
	bubble(t, func(t *testing.T, w *sessiontest.World) {
		k := w.KeepFiles()
		w.Agent.Deaf(true)
		m := w.Manager()
		s := draft(t, m)
		seen := watch(s)
		send(t, s, "go")
		turn := w.Agent.Turn(t)
		call := turn.StartTool("Bash", `{"command":"x"}`)
		s.Abort()
		if err := s.Wait(t.Context()); err != nil {
			t.Fatal(err)
		}
		turn.Emit(session.ToolEnded{Call: call, Outcome: session.ToolCancelled})
		synctest.Wait()
		if n := seen.count("tool_ended"); n != 0 {
			t.Errorf("%d ends were published", n)
		}
		if ends := k.Tracker(s.ID()).Ends(); len(ends) != 1 || ends[0].Call != call {
			t.Errorf("the tracker got %+v", ends)
		}
		closeAll(t, m)
	})
}

// TestFilesAtClose closes a session whose tracker finds something at the end, which the journal still gets.
func TestFilesAtClose(t *testing.T) {
	bubble(t, func(t *testing.T, w *sessiontest.World) {
		k := w.KeepFiles()
		m := w.Manager()
		s := draft(t, m)
		send(t, s, "go")
		turn := w.Agent.Turn(t)
		call := edit(turn, "")
		turn.End(session.TurnCompleted)
		tracker := k.Tracker(s.ID())
		tracker.OnClose = func(context.Context) error {
			tracker.Changed(session.FilesChanged{Head: session.Head{Turn: turn.ID}, Call: call, Gap: "late"})
			return nil
		}
		closeAll(t, m)
		stored := w.Journals.Stored(s.ID())
		if last, ok := stored[len(stored)-1].(session.FilesChanged); !ok || last.Gap != "late" {
			t.Errorf("the journal ends with %+v", stored[len(stored)-1])
		}
		log := w.Log.Lines()
		at := func(line string) int { return slices.Index(log, line) }
		if !(at("conversation close") < at("files close") && at("files close") < at("journal close") && at("conversation close") >= 0) {
			t.Errorf("it was closed in the order %s", strings.Join(log, ", "))
		}
	})
}

// TestFilesOfAResumedSession announces what is not accepted without writing it, and journals what is found before a journal
// is open.
func TestFilesOfAResumedSession(t *testing.T) {
	bubble(t, func(t *testing.T, w *sessiontest.World) {
		k := w.KeepFiles()
		w.Journals.Put(session.Meta{ID: "s", Agent: "builtin", Dir: project}, append(told("t1", "one", "first"),
			session.ToolStarted{Head: session.Head{Session: "s", Turn: "t1", Gen: 1}, Call: "c", Name: "Bash"})...)
		k.Track(session.Meta{ID: "s"}, nil).(*sessiontest.FileTracker).SetUnaccepted(3)
		before := len(w.Journals.Stored("s"))
		m := w.Manager()
		s, err := m.Resume(t.Context(), "s")
		if err != nil {
			t.Fatal(err)
		}
		seen := watch(s)
		synctest.Wait()
		if got := seen.transcript().Unaccepted; got != 3 {
			t.Errorf("%d files are not accepted", got)
		}
		k.Tracker("s").Changed(session.FilesChanged{Head: session.Head{Turn: "t1"}, Call: "c", Gap: "late"})
		closeAll(t, m)
		stored := w.Journals.Stored("s")
		if last, ok := stored[len(stored)-1].(session.FilesChanged); len(stored) != before+1 || !ok || last.Gap != "late" {
			t.Errorf("the journal has %d events, had %d, and ends with %+v", len(stored), before, stored[len(stored)-1])
		}
	})
}

// TestFilesOfForks copies a session at its first turn: the changes of later calls stay behind.
func TestFilesOfForks(t *testing.T) {
	for _, byAgent := range []bool{false, true} {
		bubble(t, func(t *testing.T, w *sessiontest.World) {
			k := w.KeepFiles()
			m := w.Manager()
			s := draft(t, m)
			var calls []session.CallID
			for range 2 {
				send(t, s, "go")
				turn := w.Agent.Turn(t)
				call := edit(turn, "")
				calls = append(calls, call)
				turn.End(session.TurnCompleted)
				synctest.Wait()
				k.Tracker(s.ID()).Changed(session.FilesChanged{Head: session.Head{Turn: turn.ID}, Call: call, More: 7, Unaccepted: 1})
			}
			synctest.Wait()
			events := w.Journals.Stored(s.ID())
			first := session.Fold(events).Turns[0].ID
			if byAgent {
				closeAll(t, m)
				told := slices.DeleteFunc(events, func(e session.Event) bool { _, is := e.(session.FilesChanged); return is })
				agent := &keeping{Agent: w.Agent, events: told, metas: []session.Meta{{ID: s.ID(), Agent: "builtin", Dir: project}}}
				w.Deps.Agents = []session.Agent{agent}
				m = w.Manager()
			}
			copied, err := m.Fork(t.Context(), s.ID(), first)
			if err != nil {
				t.Fatal(err)
			}
			if got := k.Copied(); !slices.Equal(got, calls[:1]) {
				t.Errorf("the changes of %v were copied, want %v", got, calls[:1])
			}
			n := 0
			for _, e := range w.Journals.Stored(copied.ID()) {
				if e, ok := e.(session.FilesChanged); ok {
					n++
					if e.Call != calls[0] || e.Session != copied.ID() || e.More != 7 {
						t.Errorf("the copy has %+v", e)
					}
				}
			}
			if n != 1 {
				t.Errorf("by agent %v: the copy has %d changes", byAgent, n)
			}
			closeAll(t, m)
		})
	}
}

// TestFilesThatCannotBeCopied still gives the copy, with a warning.
func TestFilesThatCannotBeCopied(t *testing.T) {
	bubble(t, func(t *testing.T, w *sessiontest.World) {
		k := w.KeepFiles()
		m := w.Manager()
		s := draft(t, m)
		send(t, s, "go")
		turn := w.Agent.Turn(t)
		edit(turn, "")
		turn.End(session.TurnCompleted)
		synctest.Wait()
		k.Fail(errors.New("the disk is full"))
		copied, err := m.Fork(t.Context(), s.ID(), "")
		if err != nil {
			t.Fatal(err)
		}
		warned := slices.ContainsFunc(watch(copied).all(), func(e session.Event) bool {
			n, ok := e.(session.Notice)
			return ok && strings.HasPrefix(n.Text, "The changes to files were not copied")
		})
		if !warned {
			t.Error("the copy has no warning")
		}
		closeAll(t, m)
	})
}

// TestFilesOfRemovedSessions forgets the changes with the session, and not those of a session that stays.
func TestFilesOfRemovedSessions(t *testing.T) {
	bubble(t, func(t *testing.T, w *sessiontest.World) {
		w.KeepFiles()
		w.Journals.Put(session.Meta{ID: "s", Agent: "builtin", Dir: project}, told("t1", "one", "first")...)
		m := w.Manager()
		if err := m.Remove(t.Context(), "other", false); err == nil || w.Log.Count("files remove") != 0 {
			t.Errorf("a session that is not there was removed: %v", err)
		}
		if err := m.Remove(t.Context(), "s", false); err != nil || w.Log.Count("files remove") != 1 {
			t.Errorf("%v; the files were removed %d times", err, w.Log.Count("files remove"))
		}
		closeAll(t, m)
	})
}
