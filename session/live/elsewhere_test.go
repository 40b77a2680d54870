package live_test

import (
	"strings"
	"testing"
	"testing/synctest"

	"parley/session"
	"parley/session/live"
	"parley/session/sessiontest"
)

// named returns the turns that have an id: all but the places where what happens between turns is filed.
func named(t *session.Transcript) []*session.Turn {
	var out []*session.Turn
	for _, turn := range t.Turns {
		if turn.ID != "" {
			out = append(out, turn)
		}
	}
	return out
}

// notices returns the texts of the notices that contain a word.
func notices(events []session.Event, word string) []string {
	var out []string
	for _, e := range events {
		if n, ok := e.(session.Notice); ok && strings.Contains(n.Text, word) {
			out = append(out, n.Text)
		}
	}
	return out
}

// otherProcess takes the journal of a stored session as another process would. Closing it stands for the end of that
// process: a kill leaves no more behind than what was appended.
func otherProcess(t *testing.T, w *sessiontest.World, id session.ID) session.Journal {
	t.Helper()
	j, _, _, err := w.Journals.Open(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return j
}

func appendTo(t *testing.T, j session.Journal, events ...session.Event) {
	t.Helper()
	for _, e := range events {
		if err := j.Append(e); err != nil {
			t.Fatal(err)
		}
	}
}

func resume(t *testing.T, m *live.Manager, id session.ID) *live.Session {
	t.Helper()
	s, err := m.Resume(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// A session that another living process has is shown without anything being claimed of its turn, and without what only
// that process can answer. Looking at it writes nothing.
func TestResumeOfASessionThatIsOpenElsewhere(t *testing.T) {
	bubble(t, func(t *testing.T, w *sessiontest.World) {
		first, second := w.Manager(), w.Manager()
		s := draft(t, first)
		send(t, s, "go")
		turn := w.Agent.Turn(t)
		turn.Text("half of it")
		ask, _ := turn.AskPermission("Bash", "ls")
		send(t, s, "later")
		synctest.Wait()
		before := len(w.Journals.Stored(s.ID()))

		copied := resume(t, second, s.ID())
		seen := watch(copied)
		tr := seen.transcript()
		if got := tr.Turns[0]; got.Outcome != session.TurnElsewhere || got.Running() || !strings.Contains(got.Problem.What, "pid 4711") {
			t.Errorf("turn %+v", got)
		}
		if text := tr.Turns[0].Entries[0].(*session.Part).Text(); text != "half of it" {
			t.Errorf("text %q", text)
		}
		if len(tr.Asks) != 0 || len(tr.Queue) != 0 || copied.Release() != 0 {
			t.Errorf("asks %v, queue %v", tr.Asks, tr.Queue)
		}
		if pid, elsewhere := copied.Elsewhere(); pid != 4711 || !elsewhere || seen.count("notice") != 0 {
			t.Errorf("open elsewhere %v, in %d, notices in %q", elsewhere, pid, seen.types())
		}
		if elsewhere, err := copied.Rejoin(t.Context()); err != nil || !elsewhere {
			t.Errorf("rejoined: %v, %v", elsewhere, err)
		}
		end, err := copied.Ask(t.Context(), session.Prompt{Text: "mine"})
		if session.KindOf(err) != session.KindLocked || end.Outcome != session.TurnFailed {
			t.Errorf("sent all the same: %+v %v", end, err)
		}
		if n := len(w.Journals.Stored(s.ID())); n != before {
			t.Errorf("%d events were written into another's journal", n-before)
		}

		// The other one goes on to the end, and what it did is shown here once it lets go.
		if err := s.Answer(ask, session.Answer{Decision: session.Allow}); err != nil {
			t.Fatal(err)
		}
		turn.Text("and the rest")
		turn.End(session.TurnCompleted)
		w.Agent.Turn(t).End(session.TurnCompleted)
		closeAll(t, first)
		w.Agent.Script(func(*sessiontest.Turn) {})
		if end, err := copied.Ask(t.Context(), session.Prompt{Text: "now mine"}); err != nil || end.Outcome != session.TurnCompleted {
			t.Errorf("%+v %v", end, err)
		}
		if got := notices(seen.all(), "It goes on here."); len(got) != 1 {
			t.Errorf("nothing says that the other one has let go: %q", seen.types())
		}
		closeAll(t, second)
		for name, events := range map[string][]session.Event{"seen": seen.all(), "stored": w.Journals.Stored(s.ID())} {
			tr := session.Fold(events)
			outcomes := map[string]session.TurnOutcome{}
			for _, turn := range named(tr) {
				outcomes[turn.Prompt.Text] = turn.Outcome
			}
			if len(outcomes) != 4 || outcomes["go"] != session.TurnCompleted || outcomes["later"] != session.TurnCompleted ||
				outcomes["mine"] != session.TurnFailed || outcomes["now mine"] != session.TurnCompleted {
				t.Errorf("%s: %v", name, outcomes)
			}
			if len(tr.Asks) != 0 || len(tr.Queue) != 0 {
				t.Errorf("%s: asks %v, queue %v", name, tr.Asks, tr.Queue)
			}
		}
	})
}

// What another process leaves open when it is killed is closed by the one that had looked at it meanwhile, as soon as
// that has the session.
func TestSessionOpenElsewhereIsTakenOverAfterAKill(t *testing.T) {
	bubble(t, func(t *testing.T, w *sessiontest.World) {
		in := func(turn session.TurnID) session.Head { return session.Head{Session: "s", Turn: turn, Gen: 3} }
		w.Journals.Put(session.Meta{ID: "s", Agent: "builtin", Dir: "/repo"},
			session.TurnStarted{Head: in("a"), Prompt: session.Prompt{ID: "a", Text: "first"}},
			session.Asked{Head: in("a"), Ask: "q1", Kind: session.AskPermission, Permission: &session.PermissionAsk{Tool: "Bash"}},
			session.Queued{Head: in(""), Prompt: session.Prompt{ID: "w1", Text: "delivered there"}},
			session.Queued{Head: in(""), Prompt: session.Prompt{ID: "w2", Text: "still waits"}})
		other := otherProcess(t, w, "s")
		m := w.Manager()
		s := resume(t, m, "s")
		seen := watch(s)
		later := session.Head{Session: "s", Turn: "w1", Gen: 7}
		appendTo(t, other, session.TurnEnded{Head: in("a"), Outcome: session.TurnCompleted},
			session.TurnStarted{Head: later, Prompt: session.Prompt{ID: "w1", Text: "delivered there"}, Origin: session.OriginQueued},
			session.ChildStarted{Head: later, ID: "k"},
			session.Asked{Head: later, Ask: "q2", Kind: session.AskQuestion, Question: &session.QuestionAsk{}})
		if err := other.Close(); err != nil {
			t.Fatal(err)
		}
		w.Agent.Script(func(*sessiontest.Turn) {})
		if end, err := s.Ask(t.Context(), session.Prompt{Text: "mine"}); err != nil || end.Outcome != session.TurnCompleted {
			t.Errorf("%+v %v", end, err)
		}
		synctest.Wait()
		for name, events := range map[string][]session.Event{"seen": seen.all(), "stored": w.Journals.Stored("s")} {
			tr := session.Fold(events)
			got := map[string]session.TurnOutcome{}
			for _, turn := range named(tr) {
				got[turn.Prompt.Text] = turn.Outcome
			}
			if len(got) != 3 || got["first"] != session.TurnCompleted || got["delivered there"] != session.TurnCancelled ||
				got["mine"] != session.TurnCompleted {
				t.Errorf("%s: turns %v", name, got)
			}
			if len(tr.Asks) != 0 || len(tr.Queue) != 1 || tr.Queue[0].ID != "w2" {
				t.Errorf("%s: asks %v, queue %+v", name, tr.Asks, tr.Queue)
			}
		}
		if n := s.Release(); n != 1 {
			t.Errorf("released %d", n)
		}
		if err := s.Wait(t.Context()); err != nil {
			t.Fatal(err)
		}
		closeAll(t, m)
		if q := seen.transcript().Queue; len(q) != 0 {
			t.Errorf("queue %+v", q)
		}
	})
}

// The store reports damage at every reading, after everything else. That neither hides what another process added nor is
// reported again.
func TestCatchingUpBehindANotice(t *testing.T) {
	bubble(t, func(t *testing.T, w *sessiontest.World) {
		done := func(id session.TurnID, text string) []session.Event {
			h := session.Head{Session: "s", Turn: id, Gen: 1}
			return []session.Event{session.TurnStarted{Head: h, Prompt: session.Prompt{ID: session.PromptID(id), Text: text}},
				session.TurnEnded{Head: h, Outcome: session.TurnCompleted}}
		}
		damage := session.Notice{Text: "1 line could not be read"}
		w.Journals.Put(session.Meta{ID: "s", Agent: "builtin", Dir: "/repo"}, append(done("a", "1"), damage)...)
		m := w.Manager()
		s := resume(t, m, "s")
		seen := watch(s)
		w.Journals.Put(session.Meta{ID: "s", Agent: "builtin", Dir: "/repo"}, append(append(done("a", "1"), done("b", "2")...), damage)...)
		w.Agent.Script(func(*sessiontest.Turn) {})
		if _, err := s.Ask(t.Context(), session.Prompt{Text: "3"}); err != nil {
			t.Fatal(err)
		}
		closeAll(t, m)
		if n := len(named(seen.transcript())); n != 3 || seen.count("notice") != 1 || seen.count("turn_started") != 3 {
			t.Errorf("%d turns of %q", n, seen.types())
		}
	})
}

// TestCopyOfASessionThatIsOpenElsewhere says nothing of the other process, which has not the copy.
func TestCopyOfASessionThatIsOpenElsewhere(t *testing.T) {
	bubble(t, func(t *testing.T, w *sessiontest.World) {
		w.Journals.Put(session.Meta{ID: "s", Agent: "builtin", Dir: project}, told("t1", "one", "first")...)
		other := otherProcess(t, w, "s")
		m := w.Manager()
		s := resume(t, m, "s")
		if _, elsewhere := s.Elsewhere(); !elsewhere {
			t.Fatal("the session is not open elsewhere")
		}
		c, err := m.Fork(t.Context(), "s", "")
		if err != nil {
			t.Fatal(err)
		}
		if _, elsewhere := c.Elsewhere(); elsewhere || len(watch(c).transcript().Turns) == 0 {
			t.Errorf("the copy is open elsewhere: %v", elsewhere)
		}
		if err := other.Close(); err != nil {
			t.Fatal(err)
		}
		closeAll(t, m)
	})
}

// TestRejoinGoesOnOnceTheOtherIsGone looks again after the other process was killed in the middle of a call: the call has ended, the
// prompt that waited is held, and nothing says any more that the session is open elsewhere.
func TestRejoinGoesOnOnceTheOtherIsGone(t *testing.T) {
	bubble(t, func(t *testing.T, w *sessiontest.World) {
		w.Journals.Put(session.Meta{ID: "s", Agent: "builtin", Dir: "/repo"}, told("a", "1", "first")...)
		other := otherProcess(t, w, "s")
		h := session.Head{Session: "s", Turn: "b", Gen: 2}
		appendTo(t, other, session.TurnStarted{Head: h, Prompt: session.Prompt{ID: "b", Text: "b"}},
			session.ToolStarted{Head: h, Call: "c", Name: "Bash"}, session.ToolReady{Head: h, Call: "c", Input: []byte(`{"command":"go vet ./x"}`)},
			session.Queued{Head: session.Head{Session: "s", Gen: 2}, Prompt: session.Prompt{ID: "q", Text: "later"}})
		m := w.Manager()
		s := resume(t, m, "s")
		seen := watch(s)
		if err := other.Close(); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if elsewhere, err := s.Rejoin(t.Context()); err != nil || elsewhere {
				t.Errorf("rejoined: %v, %v", elsewhere, err)
			}
		}
		synctest.Wait()
		tr := seen.transcript()
		turn := tr.Turns[1]
		if tool := turn.Entries[0].(*session.Tool); turn.Outcome != session.TurnCancelled || !tool.Ended {
			t.Errorf("turn %q, call %+v", turn.Outcome, tool)
		}
		if _, elsewhere := s.Elsewhere(); elsewhere || waiting(tr) != "later" || !s.Held()["q"] {
			t.Errorf("elsewhere %v, %q waits, %v are held", elsewhere, waiting(tr), s.Held())
		}
		if got := notices(seen.all(), "It goes on here."); len(got) != 1 {
			t.Errorf("notices %q", got)
		}
		closeAll(t, m)
	})
}
