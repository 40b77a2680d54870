package session_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"parley/session"
	"parley/session/sessiontest"
)

func TestDraftRefusesNonsense(t *testing.T) {
	m := sessiontest.NewWorld().Manager()
	for _, c := range []struct {
		o    session.DraftOptions
		kind session.Kind
	}{
		{session.DraftOptions{Dir: "rel"}, session.KindInvalid},
		{session.DraftOptions{Dir: "/work", Agent: "nobody"}, session.KindUnsupported},
		{session.DraftOptions{Dir: "/work", Settings: session.Settings{Mode: "auto"}}, session.KindInvalid},
	} {
		if _, err := m.Draft(c.o); session.KindOf(err) != c.kind {
			t.Errorf("%+v: %v", c.o, err)
		}
	}
	if _, err := m.Resume(t.Context(), "none"); session.KindOf(err) != session.KindNotFound {
		t.Errorf("resume: %v", err)
	}
}

// planless is an agent without plan mode.
type planless struct{ *sessiontest.Agent }

func (planless) Unsupported(m session.Mode) string {
	if m == session.ModePlan {
		return "plan mode comes later"
	}
	return ""
}

func TestUnsupportedModeIsRefusedWithItsReason(t *testing.T) {
	w := sessiontest.NewWorld()
	w.Deps.Agents = []session.Agent{planless{w.Agent}}
	m := w.Manager()
	_, err := m.Draft(session.DraftOptions{Dir: "/work", Settings: session.Settings{Mode: session.ModePlan}})
	if session.KindOf(err) != session.KindUnsupported || !strings.Contains(err.Error(), "comes later") {
		t.Errorf("draft: %v", err)
	}
	s := draft(t, m)
	if err := s.Configure(session.Settings{Mode: session.ModePlan}); session.KindOf(err) != session.KindUnsupported {
		t.Errorf("configure: %v", err)
	}
	if s.Settings().Mode != session.ModeDefault {
		t.Errorf("settings %+v", s.Settings())
	}
	closeAll(t, m)
}

// A second answer is refused, whoever gave the first, and an answer that the agent did not take leaves the ask open.
func TestAnswerOnce(t *testing.T) {
	bubble(t, func(t *testing.T, w *sessiontest.World) {
		m := w.Manager()
		s := draft(t, m)
		seen := watch(s)
		send(t, s, "go")
		turn := w.Agent.Turn(t)
		id, answer := turn.AskPermission("Bash", "ls")
		errs := make([]error, 10)
		var wg sync.WaitGroup
		for i := range errs {
			wg.Go(func() { errs[i] = s.Answer(id, session.Answer{Decision: session.Deny, Message: fmt.Sprint(i)}) })
		}
		wg.Wait()
		taken := 0
		for _, err := range errs {
			if err == nil {
				taken++
			} else if session.KindOf(err) != session.KindNotFound {
				t.Error(err)
			}
		}
		if <-answer; taken != 1 || w.Log.Count("conversation answer") != 1 {
			t.Errorf("%d answers taken", taken)
		}
		turn.End(session.TurnCompleted)
		closeAll(t, m)
		if n := seen.count("settled"); n != 1 {
			t.Errorf("settled %d times", n)
		}
	})
}

// Interrupting settles every parked ask, once.
func TestAbortSettlesAllAsks(t *testing.T) {
	bubble(t, func(t *testing.T, w *sessiontest.World) {
		m := w.Manager()
		s := draft(t, m)
		seen := watch(s)
		send(t, s, "go")
		turn := w.Agent.Turn(t)
		for range 3 {
			turn.AskPermission("Bash", "ls")
		}
		s.Abort()
		s.Abort()
		if err := s.Wait(t.Context()); err != nil {
			t.Fatal(err)
		}
		if tr := seen.transcript(); len(tr.Asks) != 0 || seen.count("settled") != 3 || seen.count("turn_ended") != 1 {
			t.Errorf("events %q", seen.types())
		}
		closeAll(t, m)
	})
}

func TestAbortStormLeavesNothingBehind(t *testing.T) {
	bubble(t, func(t *testing.T, w *sessiontest.World) {
		m := w.Manager()
		s := draft(t, m)
		seen := watch(s)
		for i := range 1000 {
			send(t, s, "go")
			if i%3 > 0 {
				w.Agent.Turn(t)
			}
			s.Abort()
			s.Abort()
			if err := s.Wait(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		if a, b := seen.count("turn_started"), seen.count("turn_ended"); a != 1000 || b != 1000 {
			t.Errorf("%d turns began, %d ended", a, b)
		}
		w.Agent.Script(func(turn *sessiontest.Turn) { turn.Text("fine") })
		if end, err := s.Ask(t.Context(), session.Prompt{Text: "still there?"}); err != nil || end.Outcome != session.TurnCompleted {
			t.Errorf("%+v %v", end, err)
		}
		closeAll(t, m)
	})
}

// An agent that says nothing of the end of a turn ends it all the same, as its error says.
func TestErrorOfSendEndsTheTurn(t *testing.T) {
	for kind, want := range map[session.Kind]session.TurnOutcome{
		session.KindNetwork: session.TurnFailed, session.KindRefused: session.TurnRefused, session.KindCancelled: session.TurnCancelled,
	} {
		bubble(t, func(t *testing.T, w *sessiontest.World) {
			m := w.Manager()
			s := draft(t, m)
			seen := watch(s)
			send(t, s, "go")
			w.Agent.Turn(t).Fail(&session.Error{Op: "send", Kind: kind, Err: errors.New("because")})
			if err := s.Wait(t.Context()); err != nil {
				t.Error(err)
			}
			closeAll(t, m)
			turn := seen.transcript().Turns[0]
			if turn.Outcome != want || (turn.Problem == nil) != (want == session.TurnCancelled) || seen.count("turn_ended") != 1 {
				t.Errorf("%s: %+v", kind, turn)
			}
		})
	}
	bubble(t, func(t *testing.T, w *sessiontest.World) {
		m := w.Manager()
		s := draft(t, m)
		seen := watch(s)
		send(t, s, "go")
		w.Agent.Turn(t).Fail(nil)
		if err := s.Wait(t.Context()); err != nil {
			t.Error(err)
		}
		closeAll(t, m)
		if turn := seen.transcript().Turns[0]; turn.Outcome != session.TurnFailed || turn.Problem.Kind != session.KindInternal {
			t.Errorf("silent end: %+v", turn)
		}
	})
}

func TestTurnOfTheAgentsOwn(t *testing.T) {
	bubble(t, func(t *testing.T, w *sessiontest.World) {
		m := w.Manager()
		s := draft(t, m)
		seen := watch(s)
		send(t, s, "go")
		turn := w.Agent.Turn(t)
		turn.End(session.TurnCompleted)
		synctest.Wait()
		head := session.Head{Turn: "own"}
		turn.Conversation().Emit(session.TurnStarted{Head: head, Origin: session.OriginAutonomous}, session.PartDelta{Head: head, Part: "p", Text: "by the way"})
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := s.Wait(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("nothing runs? %v", err)
		}
		s.Abort()
		synctest.Wait()
		if w.Log.Count("conversation abort") != 1 {
			t.Error("the agent's own turn was not interrupted")
		}
		turn.Conversation().Emit(session.TurnEnded{Head: head, Outcome: session.TurnCancelled})
		if err := s.Wait(t.Context()); err != nil {
			t.Error(err)
		}
		if tr := seen.transcript(); len(tr.Turns) != 2 || tr.Turns[1].Origin != session.OriginAutonomous {
			t.Errorf("turns %+v", tr.Turns)
		}
		closeAll(t, m)
	})
}

// A mode that the agent reports, such as after a plan was approved, is what holds from then on; the echo of a mode that
// the user has set meanwhile is not.
func TestModeReportedByTheAgentHolds(t *testing.T) {
	bubble(t, func(t *testing.T, w *sessiontest.World) {
		m := w.Manager()
		s := draft(t, m)
		seen := watch(s)
		send(t, s, "go")
		turn := w.Agent.Turn(t)
		turn.Emit(session.ModeChanged{Mode: session.ModeAcceptEdits}, session.ModeChanged{Mode: session.ModeAcceptEdits})
		synctest.Wait()
		if got := s.Settings(); got.Mode != session.ModeAcceptEdits || got.Model != "opus" {
			t.Errorf("settings %+v", got)
		}
		if n := seen.count("mode_changed"); n != 2 {
			t.Errorf("%d changes of mode told", n)
		}
		turn.End(session.TurnCompleted)
		closeAll(t, m)
		if got := fold(w.Journals.Stored(s.ID())).Settings; got.Mode != session.ModeAcceptEdits {
			t.Errorf("stored %+v", got)
		}
	})
}

func TestSettingsChangedWhileOpeningArrive(t *testing.T) {
	bubble(t, func(t *testing.T, w *sessiontest.World) {
		m := w.Manager()
		s := draft(t, m)
		opening, goOn := make(chan struct{}), make(chan struct{})
		w.Agent.OnOpen(func(context.Context, session.OpenOptions) error { close(opening); <-goOn; return nil })
		send(t, s, "go")
		<-opening
		want := session.Settings{Model: "haiku"}
		if err := s.Configure(want); err != nil {
			t.Fatal(err)
		}
		close(goOn)
		turn := w.Agent.Turn(t)
		synctest.Wait()
		if got := turn.Conversation().Settings(); got != want {
			t.Errorf("the conversation has %+v", got)
		}
		turn.End(session.TurnCompleted)
		closeAll(t, m)
	})
}

// steering is an agent whose conversations take prompts into a running turn.
type steering struct {
	*sessiontest.Agent
	take bool
}

func (a *steering) Open(ctx context.Context, o session.OpenOptions) (session.Conversation, error) {
	c, err := a.Agent.Open(ctx, o)
	if err != nil {
		return nil, err
	}
	return &steered{c.(*sessiontest.Conversation), a}, nil
}

type steered struct {
	*sessiontest.Conversation
	a *steering
}

func (c *steered) Steer(_ context.Context, p session.Prompt) (bool, error) {
	if c.a.take {
		c.Emit(session.Steered{Head: session.Head{Turn: "id-2"}, Prompt: p.ID})
	}
	return c.a.take, nil
}

func TestSteer(t *testing.T) {
	for _, take := range []bool{true, false} {
		bubble(t, func(t *testing.T, w *sessiontest.World) {
			w.Deps.Agents = []session.Agent{&steering{w.Agent, take}}
			m := w.Manager()
			s := draft(t, m)
			seen := watch(s)
			send(t, s, "go")
			turn := w.Agent.Turn(t)
			id, err := s.Steer(session.Prompt{Text: "rather this"})
			if err != nil {
				t.Fatal(err)
			}
			synctest.Wait()
			stored := fold(w.Journals.Stored(s.ID()))
			if take {
				mark, ok := seen.transcript().Turns[0].Entries[0].(*session.Mark)
				if !ok || mark.Prompt == nil || mark.Prompt.Text != "rather this" {
					t.Errorf("entries %+v", seen.transcript().Turns[0].Entries)
				}
				turn.End(session.TurnCompleted)
			} else {
				if len(stored.Queue) != 1 || stored.Queue[0].ID != id {
					t.Errorf("stored queue %+v", stored.Queue)
				}
				turn.End(session.TurnCompleted)
				next := w.Agent.Turn(t)
				if next.Prompt.ID != id {
					t.Errorf("delivered %+v", next.Prompt)
				}
				next.End(session.TurnCompleted)
			}
			closeAll(t, m)
			if q := seen.transcript().Queue; len(q) != 0 {
				t.Errorf("queue %+v", q)
			}
		})
	}
}

// The history does not grow with every delta.
func TestHistoryJoinsDeltas(t *testing.T) {
	bubble(t, func(t *testing.T, w *sessiontest.World) {
		m := w.Manager()
		s := draft(t, m)
		send(t, s, "go")
		turn := w.Agent.Turn(t)
		part := turn.OpenPart(session.PartText)
		call := turn.StartTool("Bash", "{}")
		for range 500 {
			turn.Emit(session.PartDelta{Part: part, Text: "ab"})
		}
		for range 500 {
			turn.Emit(session.ToolOutput{Call: call, Text: "cd"})
		}
		half, detach := s.Attach(func(session.Event) {})
		turn.Emit(session.ToolOutput{Call: call, Text: "ef"})
		detach()
		whole, detach := s.Attach(func(session.Event) {})
		detach()
		if len(whole) > 10 || len(half) != len(whole) {
			t.Errorf("history of %d events", len(whole))
		}
		for i, h := range [][]session.Event{half, whole} {
			entries := fold(h).Turns[0].Entries
			p, tool := entries[0].(*session.Part), entries[1].(*session.Tool)
			if p.Len() != 1000 || len(tool.Output()) != 1000+2*i {
				t.Errorf("%d bytes of text, %d of output", p.Len(), len(tool.Output()))
			}
		}
		turn.End(session.TurnCompleted)
		closeAll(t, m)
	})
}

// Whoever attaches at any moment sees every event exactly once.
func TestAttachMissesAndRepeatsNothing(t *testing.T) {
	w := sessiontest.NewWorld()
	m := w.Manager()
	s := draft(t, m)
	const n = 2000
	w.Agent.Script(func(turn *sessiontest.Turn) {
		part := turn.OpenPart(session.PartText)
		for i := range n {
			turn.Emit(session.PartDelta{Part: part, Text: fmt.Sprintf("%d,", i)})
		}
	})
	var all []*watcher
	done := make(chan struct{})
	go func() {
		defer close(done)
		for range 200 {
			all = append(all, watch(s))
			_, detach := s.Attach(func(session.Event) {})
			detach()
		}
	}()
	if _, err := s.Ask(t.Context(), session.Prompt{Text: "go"}); err != nil {
		t.Fatal(err)
	}
	<-done
	if err := s.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	var want strings.Builder
	for i := range n {
		fmt.Fprintf(&want, "%d,", i)
	}
	for i, seen := range all {
		tr := seen.transcript()
		if len(tr.Turns) != 1 || tr.Turns[0].Entries[0].(*session.Part).Text() != want.String() || tr.Turns[0].Running() {
			t.Fatalf("watcher %d missed or repeated something", i)
		}
	}
	closeAll(t, m)
}

// A journal that cannot be written is told once, and nothing is lost when it can be again.
func TestJournalTroubleIsToldOnce(t *testing.T) {
	bubble(t, func(t *testing.T, w *sessiontest.World) {
		m := w.Manager()
		s := draft(t, m)
		seen := watch(s)
		send(t, s, "go")
		turn := w.Agent.Turn(t)
		w.Journals.Fail("append", &session.Error{Op: "write journal", Kind: session.KindDisk, Err: errors.New("no space left")})
		turn.Text("a")
		synctest.Wait()
		turn.Text("b")
		time.Sleep(time.Second)
		synctest.Wait()
		if n := seen.count("notice"); n != 1 {
			t.Errorf("told %d times: %q", n, seen.types())
		}
		w.Journals.Fail("append", nil)
		turn.End(session.TurnCompleted)
		closeAll(t, m)
		if tr := fold(w.Journals.Stored(s.ID())); tr.Turns[0].Outcome != session.TurnCompleted || len(tr.Turns[0].Entries) != 3 {
			t.Errorf("stored %+v", tr.Turns[0])
		}
	})
}

func TestResumeOfASessionWhoseAgentIsGone(t *testing.T) {
	bubble(t, func(t *testing.T, w *sessiontest.World) {
		w.Journals.Put(session.Meta{ID: "s", Agent: "claude", Dir: "/work"},
			session.TurnStarted{Head: session.Head{Turn: "t"}, Prompt: session.Prompt{ID: "t", Text: "old"}},
			session.TurnEnded{Head: session.Head{Turn: "t"}, Outcome: session.TurnCompleted})
		m := w.Manager()
		s, err := m.Resume(t.Context(), "s")
		if err != nil {
			t.Fatal(err)
		}
		if again, err := m.Resume(t.Context(), "s"); err != nil || again != s {
			t.Errorf("resumed twice: %v", err)
		}
		end, err := s.Ask(t.Context(), session.Prompt{Text: "go"})
		if session.KindOf(err) != session.KindUnsupported || !strings.Contains(end.Problem.What, "claude") {
			t.Errorf("%+v %v", end, err)
		}
		closeAll(t, m)
	})
}

// What another process added between reading the journal and locking it is shown, once.
func TestResumeCatchesUpWithAnotherProcess(t *testing.T) {
	bubble(t, func(t *testing.T, w *sessiontest.World) {
		w.Agent.Script(func(turn *sessiontest.Turn) { turn.Text("answer to " + turn.Prompt.Text) })
		first, second := w.Manager(), w.Manager()
		s := draft(t, first)
		ask := func(s *session.Session, text string) {
			if end, err := s.Ask(t.Context(), session.Prompt{Text: text}); err != nil || end.Outcome != session.TurnCompleted {
				t.Fatalf("%s: %+v %v", text, end, err)
			}
		}
		ask(s, "1")
		copied, err := second.Resume(t.Context(), s.ID())
		if err != nil {
			t.Fatal(err)
		}
		ask(s, "2")
		closeAll(t, first)
		seen := watch(copied)
		ask(copied, "3")
		closeAll(t, second)
		for name, events := range map[string][]session.Event{"seen": seen.all(), "stored": w.Journals.Stored(s.ID())} {
			prompts := map[string]int{}
			for _, e := range events {
				if e, ok := e.(session.TurnStarted); ok {
					prompts[e.Prompt.Text]++
				}
			}
			if len(prompts) != 3 || prompts["1"] != 1 || prompts["2"] != 1 || prompts["3"] != 1 {
				t.Errorf("%s: %v", name, prompts)
			}
		}
		conversations := w.Agent.Conversations()
		if h := conversations[len(conversations)-1].Options.History; h == nil || len(h.Turns) != 2 {
			t.Errorf("history %+v", h)
		}
	})
}

// Closing does not wait longer than it may, whatever hangs.
func TestCloseIsBounded(t *testing.T) {
	bubble(t, func(t *testing.T, w *sessiontest.World) {
		m := w.Manager()
		s := draft(t, m)
		hang := make(chan struct{})
		w.Agent.OnOpen(func(context.Context, session.OpenOptions) error { <-hang; return nil })
		send(t, s, "go")
		synctest.Wait()
		begun := time.Now()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := m.Close(ctx); err == nil || time.Since(begun) > time.Second {
			t.Errorf("closed in %v: %v", time.Since(begun), err)
		}
		close(hang)
		time.Sleep(time.Minute)
		synctest.Wait()
		if w.Journals.Locked(s.ID()) || w.Endpoints.IsOpen(s.ID()) {
			t.Error("something is still held")
		}
		if err := m.Close(t.Context()); err != nil {
			t.Errorf("again: %v", err)
		}
		if _, err := m.Draft(session.DraftOptions{Dir: "/work"}); session.KindOf(err) != session.KindInvalid {
			t.Errorf("draft after close: %v", err)
		}
	})
}

// Closing in the middle of a turn keeps what waits for the next time.
func TestCloseKeepsTheQueue(t *testing.T) {
	bubble(t, func(t *testing.T, w *sessiontest.World) {
		m := w.Manager()
		s := draft(t, m)
		send(t, s, "go")
		w.Agent.Turn(t).OpenPart(session.PartText, "half")
		send(t, s, "later")
		closeAll(t, m)
		m = w.AfterCrash().Manager()
		s, err := m.Resume(t.Context(), s.ID())
		if err != nil {
			t.Fatal(err)
		}
		tr := watch(s).transcript()
		if len(tr.Queue) != 1 || tr.Queue[0].Text != "later" || tr.Turns[0].Outcome != session.TurnCancelled {
			t.Errorf("resumed as %+v", tr)
		}
		if p, ok := s.Unqueue(tr.Queue[0].ID); !ok || p.Text != "later" {
			t.Errorf("took back %+v %v", p, ok)
		}
		closeAll(t, m)
	})
}

// TestAnythingMayHappenInAnyOrder drives a session with random actions of user and agent, kills it at a random moment,
// resumes, and examines what must hold whatever happened.
func TestAnythingMayHappenInAnyOrder(t *testing.T) {
	for seed := range uint64(150) {
		bubble(t, func(t *testing.T, w *sessiontest.World) {
			r := rand.New(rand.NewPCG(seed, 7))
			w.Agent.Deaf(seed%5 == 0)
			m := w.Manager()
			s := draft(t, m)
			seen := watch(s)
			sent := map[session.PromptID]bool{}
			play(t, r, w, s, sent)
			synctest.Wait()
			after := w.AfterCrash()
			closeAll(t, m)
			consistent(t, seed, seen.all(), true)
			if !s.Draft() {
				consistent(t, seed, w.Journals.Stored(s.ID()), true)
				if a, b := sketch(seen.all()), sketch(w.Journals.Stored(s.ID())); a != b {
					t.Errorf("seed %d: seen and stored differ\n%s\n%s", seed, a, b)
				}
			}
			if after.Journals.Count() == 0 {
				return
			}
			m = after.Manager()
			s, err := m.Resume(t.Context(), s.ID())
			if err != nil {
				t.Fatal(err)
			}
			history, _ := s.Attach(func(session.Event) {})
			consistent(t, seed, history, true)
			tr := fold(history)
			for _, turn := range tr.Turns {
				delete(sent, turn.Prompt.ID)
			}
			for _, p := range tr.Queue {
				delete(sent, p.ID)
			}
			for id, wanted := range sent {
				if wanted {
					t.Errorf("seed %d: prompt %q is lost", seed, id)
				}
			}
			closeAll(t, m)
		})
	}
}

// play does random things. sent gets the prompts that were sent and not taken back.
func play(t *testing.T, r *rand.Rand, w *sessiontest.World, s *session.Session, sent map[session.PromptID]bool) {
	var turns []*sessiontest.Turn
	asked := []session.AskID{"none"}
	broken := &session.Error{Op: "x", Kind: []session.Kind{session.KindNetwork, session.KindRuntime}[r.IntN(2)], Err: errors.New("x")}
	for range 40 {
		switch action := r.IntN(14); action {
		case 0, 1:
			sent[send(t, s, "p")] = true
		case 2:
			s.Abort()
		case 3:
			for id := range sent {
				if _, ok := s.Unqueue(id); ok {
					sent[id] = false
				}
				break
			}
		case 4:
			_ = s.Answer(asked[r.IntN(len(asked))], session.Answer{Decision: session.Allow})
		case 5:
			if err := s.Configure(session.Settings{Model: fmt.Sprint(r.IntN(3))}); err != nil {
				t.Error(err)
			}
		case 6:
			time.Sleep(time.Duration(r.IntN(20)) * time.Second)
		case 7:
			synctest.Wait()
		default:
			if n := w.Agent.Pending(); n > 0 {
				turns = append(turns, w.Agent.Turn(t))
			}
			if len(turns) == 0 {
				continue
			}
			turn := turns[len(turns)-1-r.IntN(min(2, len(turns)))]
			switch action {
			case 8, 9:
				turn.Text("a", "b")
			case 10:
				id, _ := turn.AskPermission("Bash", "ls")
				asked = append(asked, id)
			case 11:
				turn.Tool("Read", "{}", "x")
			case 12:
				turn.End(session.TurnCompleted)
			case 13:
				turn.Fail(broken)
			}
		}
	}
}

// consistent fails unless every turn began before it ended, both once, every ask was settled once, and nothing is open.
func consistent(t *testing.T, seed uint64, events []session.Event, closed bool) {
	t.Helper()
	began, ended := map[session.TurnID]int{}, map[session.TurnID]int{}
	asked, settled := map[session.AskID]int{}, map[session.AskID]int{}
	for _, e := range events {
		switch e := e.(type) {
		case session.TurnStarted:
			began[e.Turn]++
		case session.TurnEnded:
			ended[e.Turn]++
			if began[e.Turn] != 1 {
				t.Errorf("seed %d: turn %q ended unbegun", seed, e.Turn)
			}
		case session.Asked:
			asked[e.Ask]++
		case session.Settled:
			settled[e.Ask]++
			if asked[e.Ask] != 1 {
				t.Errorf("seed %d: ask %q settled unasked", seed, e.Ask)
			}
		}
	}
	for turn, n := range began {
		if n != 1 || closed && ended[turn] != 1 {
			t.Errorf("seed %d: turn %q began %d times, ended %d times", seed, turn, n, ended[turn])
		}
	}
	for ask, n := range asked {
		if n != 1 || closed && settled[ask] != 1 {
			t.Errorf("seed %d: ask %q asked %d times, settled %d times", seed, ask, n, settled[ask])
		}
	}
}

// sketch says what events come to, in a few words.
func sketch(events []session.Event) string {
	tr := fold(events)
	var b strings.Builder
	fmt.Fprintf(&b, "%v %v %d;", tr.Settings, tr.Queue, len(tr.Asks))
	for _, turn := range tr.Turns {
		fmt.Fprintf(&b, " %s %s:", turn.ID, turn.Outcome)
		for _, e := range turn.Entries {
			fmt.Fprintf(&b, " %T", e)
			if p, ok := e.(*session.Part); ok {
				fmt.Fprintf(&b, " %q", p.Text())
			}
		}
	}
	return b.String()
}

func TestListIsNewestFirst(t *testing.T) {
	w := sessiontest.NewWorld()
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	w.Deps.Agents = []session.Agent{&replayer{Agent: w.Agent, metas: []session.Meta{
		{ID: "own", Updated: at.Add(2 * time.Hour)}, {ID: "old", Title: "not this"}}}}
	w.Journals.Put(session.Meta{ID: "old", Agent: "builtin", Title: "this", Updated: at})
	w.Journals.Put(session.Meta{ID: "new", Agent: "builtin", Updated: at.Add(3 * time.Hour)})
	metas, err := w.Manager().List(t.Context())
	var ids []session.ID
	for _, m := range metas {
		ids = append(ids, m.ID)
	}
	if err != nil || !slices.Equal(ids, []session.ID{"new", "own", "old"}) || metas[2].Title != "this" {
		t.Errorf("%v %+v", err, metas)
	}
}

// What was changed in a session that was only looked at is kept as well.
func TestChoicesWithoutAPromptAreKept(t *testing.T) {
	bubble(t, func(t *testing.T, w *sessiontest.World) {
		w.Journals.Put(session.Meta{ID: "s", Agent: "builtin", Dir: "/work"},
			session.TurnStarted{Head: session.Head{Turn: "t"}, Prompt: session.Prompt{ID: "t", Text: "old"}},
			session.Queued{Prompt: session.Prompt{ID: "q", Text: "waits"}})
		m := w.Manager()
		s, err := m.Resume(t.Context(), "s")
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Configure(session.Settings{Model: "haiku"}); err != nil {
			t.Fatal(err)
		}
		if _, ok := s.Unqueue("q"); !ok {
			t.Error("nothing waits")
		}
		closeAll(t, m)
		tr := fold(w.Journals.Stored("s"))
		if tr.Settings.Model != "haiku" || len(tr.Queue) != 0 || tr.Turns[0].Outcome != session.TurnCancelled || w.Journals.Locked("s") {
			t.Errorf("stored %+v", tr)
		}
		// Looking alone writes nothing.
		m = w.Manager()
		before := len(w.Journals.Stored("s"))
		if _, err := m.Resume(t.Context(), "s"); err != nil {
			t.Fatal(err)
		}
		closeAll(t, m)
		if n := len(w.Journals.Stored("s")); n != before {
			t.Errorf("looking wrote %d events", n-before)
		}
	})
}
