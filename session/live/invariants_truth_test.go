package live_test

import (
	"context"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"parley/session"
	"parley/session/live"
	"parley/session/sessiontest"
)

// replayer is an agent that keeps its own transcripts.
type replayer struct {
	*sessiontest.Agent
	events []session.Event
	metas  []session.Meta
	err    error
}

func (r *replayer) Replay(context.Context, session.ID) ([]session.Event, error) {
	return r.events, r.err
}

func (r *replayer) Sessions(context.Context) ([]session.Meta, error) { return r.metas, r.err }

// Invariant 9: the agent's own transcript decides what exists; the journal adds what is not there.
func TestInvariant09AgentsTranscriptDecides(t *testing.T) {
	bubble(t, func(t *testing.T, w *sessiontest.World) {
		head := func(turn session.TurnID) session.Head { return session.Head{Turn: turn} }
		r := &replayer{Agent: w.Agent, metas: []session.Meta{{ID: "own", Agent: "builtin"}}, events: []session.Event{
			session.TurnStarted{Head: head("t1"), Prompt: session.Prompt{ID: "t1", Text: "true"}},
			session.PartReplaced{Head: head("t1"), Part: "p", Text: "the truth"},
			session.TurnEnded{Head: head("t1"), Outcome: session.TurnCompleted},
		}}
		w.Deps.Agents = []session.Agent{r}
		w.Journals.Put(session.Meta{ID: "both", Agent: "builtin", Dir: project},
			session.ModeChanged{Mode: session.ModeAcceptEdits},
			session.TurnStarted{Head: head("t1"), Prompt: session.Prompt{ID: "t1", Text: "true"}},
			session.PartReplaced{Head: head("t1"), Part: "q", Text: "not what happened"},
			session.TurnEnded{Head: head("t1"), Outcome: session.TurnCompleted},
			session.Queued{Prompt: session.Prompt{ID: "t3", Text: "waits"}},
			session.TurnStarted{Head: head("t2"), Prompt: session.Prompt{ID: "t2", Text: "never arrived"}})
		m := w.Manager()
		s, err := m.Resume(t.Context(), "both")
		if err != nil {
			t.Fatal(err)
		}
		tr := watch(s).transcript()
		if len(tr.Turns) < 2 || len(tr.Turns[0].Entries) != 1 || tr.Turns[0].Entries[0].(*session.Part).Text() != "the truth" ||
			tr.Turns[1].Prompt.Text != "never arrived" || len(tr.Queue) != 1 || s.Settings().Mode != session.ModeAcceptEdits {
			t.Errorf("resumed as %+v", tr)
		}
		if s, err = m.Resume(t.Context(), "own"); err != nil || s.Draft() || watch(s).transcript().Turns[0].Prompt.Text != "true" {
			t.Errorf("a session of the agent's own: %v", err)
		}
		if metas, err := m.List(t.Context()); err != nil || len(metas) != 2 {
			t.Errorf("listed %v %v", metas, err)
		}
		closeAll(t, m)
	})
}

// Invariant 10: a failure to replay is reported and hides no session; one agent's failure hides no other's sessions.
func TestInvariant10FailedReplayHidesNothing(t *testing.T) {
	bubble(t, func(t *testing.T, w *sessiontest.World) {
		w.Deps.Agents = []session.Agent{&replayer{Agent: w.Agent, err: errBroken}}
		w.Journals.Put(session.Meta{ID: "s", Agent: "builtin", Dir: project},
			session.TurnStarted{Head: session.Head{Turn: "t"}, Prompt: session.Prompt{ID: "t", Text: "kept"}},
			session.TurnEnded{Head: session.Head{Turn: "t"}, Outcome: session.TurnCompleted})
		m := w.Manager()
		if metas, err := m.List(t.Context()); err != nil || len(metas) != 1 {
			t.Errorf("listed %v %v", metas, err)
		}
		s, err := m.Resume(t.Context(), "s")
		if err != nil {
			t.Fatal(err)
		}
		seen := watch(s)
		if tr := seen.transcript(); tr.Turns[0].Prompt.Text != "kept" || seen.count("notice") != 1 {
			t.Errorf("resumed as %+v", tr.Turns)
		}
		closeAll(t, m)
	})
	// A malformed event ends no turn.
	bubble(t, func(t *testing.T, w *sessiontest.World) {
		m := w.Manager()
		s := draft(t, m)
		w.Agent.Script(func(turn *sessiontest.Turn) {
			turn.Conversation().Options.Emit(nil)
			turn.Emit(session.PartEnded{Part: "unknown"}, session.ToolReady{Call: "c", Input: []byte("{broken")}, session.Settled{Ask: "none"})
			turn.Text("fine")
		})
		if end, err := s.Ask(t.Context(), session.Prompt{Text: "go"}); err != nil || end.Outcome != session.TurnCompleted {
			t.Errorf("%+v %v", end, err)
		}
		closeAll(t, m)
	})
}

// Invariant 11, the part of this package: one caller's cancellation reaches neither another caller's prompt nor the
// conversation that both share.
func TestInvariant11CancelStaysWithItsCaller(t *testing.T) {
	bubble(t, func(t *testing.T, w *sessiontest.World) {
		m := w.Manager()
		s := draft(t, m)
		ctx, cancel := context.WithCancel(t.Context())
		type result struct {
			end session.TurnEnded
			err error
		}
		results := make(chan result, 2)
		go func() {
			end, err := s.Ask(ctx, session.Prompt{Text: "mine"})
			results <- result{end, err}
		}()
		first := w.Agent.Turn(t)
		go func() {
			end, err := s.Ask(t.Context(), session.Prompt{Text: "yours"})
			results <- result{end, err}
		}()
		synctest.Wait()
		cancel()
		if r := <-results; r.err != nil || r.end.Outcome != session.TurnCancelled {
			t.Errorf("mine: %+v", r)
		}
		second := w.Agent.Turn(t)
		if second.Conversation() != first.Conversation() || second.Context().Err() != nil {
			t.Error("the other caller's turn was hit")
		}
		second.End(session.TurnCompleted)
		if r := <-results; r.err != nil || r.end.Outcome != session.TurnCompleted {
			t.Errorf("yours: %+v", r)
		}
		closeAll(t, m)
	})
}

// Invariant 12: no lock is held while calling out. Every callee calls back into the session, and a slow sink blocks
// none.
func TestInvariant12NoLockIsHeldWhileCallingOut(t *testing.T) {
	bubble(t, func(t *testing.T, w *sessiontest.World) {
		var s *live.Session
		poke := func() {
			s.ID()
			s.Meta()
			s.Settings()
			s.Draft()
			s.Unqueue("none")
			_ = s.Answer("none", session.Answer{})
			_, detach := s.Attach(func(session.Event) {})
			detach()
		}
		w.Agent.OnOpen(func(context.Context, session.OpenOptions) error { poke(); return nil })
		journals, endpoints := &poking{MemoryJournals: w.Journals, poke: poke}, &pokingEndpoints{w.Endpoints, poke}
		w.Deps.Journals, w.Deps.Endpoints = journals, endpoints
		w.Agent.Script(func(turn *sessiontest.Turn) {
			poke()
			turn.Text("x")
			poke()
		})
		m := w.Manager()
		s = draft(t, m)
		blocked, release := make(chan struct{}), make(chan struct{})
		var once sync.Once
		_, detach := s.Attach(func(session.Event) {
			once.Do(func() { close(blocked); <-release })
		})
		send(t, s, "go")
		<-blocked
		// The sink hangs; the turn goes on all the same.
		synctest.Wait()
		if history, off := s.Attach(func(session.Event) {}); session.Fold(history).Turns[0].Outcome != session.TurnCompleted {
			t.Error("a slow sink held the turn up")
		} else {
			off()
		}
		poke()
		close(release)
		detach()
		closeAll(t, m)
		if journals.n == 0 {
			t.Error("no journal was written")
		}
	})
}

type poking struct {
	*sessiontest.MemoryJournals
	poke func()
	n    int
}

func (p *poking) Create(ctx context.Context, m session.Meta) (session.Journal, error) {
	p.poke()
	j, err := p.MemoryJournals.Create(ctx, m)
	return &pokingJournal{j, p}, err
}

type pokingJournal struct {
	session.Journal
	p *poking
}

func (j *pokingJournal) Append(e session.Event) error {
	j.p.poke()
	j.p.n++
	return j.Journal.Append(e)
}

func (j *pokingJournal) Flush() error { j.p.poke(); return j.Journal.Flush() }

func (j *pokingJournal) Close() error { j.p.poke(); return j.Journal.Close() }

type pokingEndpoints struct {
	*sessiontest.MemoryEndpoints
	poke func()
}

func (p *pokingEndpoints) Open(ctx context.Context, id session.ID) (session.Endpoint, error) {
	p.poke()
	return p.MemoryEndpoints.Open(ctx, id)
}

func (p *pokingEndpoints) Close(id session.ID) { p.poke(); p.MemoryEndpoints.Close(id) }

// Invariant 15: without a user, every ask is refused with a reason the model can read.
func TestInvariant15UnattendedAsksAreRefused(t *testing.T) {
	bubble(t, func(t *testing.T, w *sessiontest.World) {
		w.Deps.Unattended = true
		m := w.Manager()
		s := draft(t, m)
		seen := watch(s)
		w.Agent.Script(func(turn *sessiontest.Turn) {
			for _, q := range []session.Asked{{Permission: &session.PermissionAsk{Tool: "Bash"}}, {Question: &session.QuestionAsk{}},
				{Plan: &session.PlanAsk{}}, {Elicitation: &session.ElicitationAsk{}}} {
				_, answer := turn.Ask(q)
				if a := <-answer; a.Decision != session.Deny || a.Message != session.UnattendedReason {
					t.Errorf("%+v answered %+v", q, a)
				}
			}
		})
		if end, err := s.Ask(t.Context(), session.Prompt{Text: "go"}); err != nil || end.Outcome != session.TurnCompleted {
			t.Errorf("%+v %v", end, err)
		}
		settled := 0
		for _, e := range seen.all() {
			if e, ok := e.(session.Settled); ok {
				settled++
				if e.How != session.SettledUnattended || e.Answer.Message != session.UnattendedReason {
					t.Errorf("settled %+v", e)
				}
			}
		}
		if settled != 4 {
			t.Errorf("%d of 4 settled", settled)
		}
		closeAll(t, m)
	})
}

// Invariant 17: a kill at any moment loses at most the last 250 ms of a stream, and never a prompt.
func TestInvariant17KillLosesAtMostTheLastMoment(t *testing.T) {
	bubble(t, func(t *testing.T, w *sessiontest.World) {
		m := w.Manager()
		s := draft(t, m)
		send(t, s, "go")
		turn := w.Agent.Turn(t)
		// The prompt was on disk before it was delivered.
		if stored := session.Fold(w.Journals.Stored(s.ID())); len(stored.Turns) != 1 || stored.Turns[0].Prompt.Text != "go" {
			t.Fatal("the prompt was not stored before it was delivered")
		}
		order(t, w.Log.Lines(), "journal append turn_started", "conversation send")
		part := turn.OpenPart(session.PartText)
		var sent strings.Builder
		for range 40 {
			turn.Emit(session.PartDelta{Part: part, Text: "0123456789"})
			sent.WriteString("0123456789")
			time.Sleep(30 * time.Millisecond)
			synctest.Wait()
			kept := 0
			if tr := session.Fold(w.Journals.Stored(s.ID())); len(tr.Turns[0].Entries) > 0 {
				kept = tr.Turns[0].Entries[0].(*session.Part).Len()
			}
			if lost := sent.Len() - kept; lost > 9*10 {
				t.Fatalf("%d of %d bytes would be lost", lost, sent.Len())
			}
		}
		if n := w.Log.Count("journal flush"); n > 10 {
			t.Errorf("flushed %d times in 1.2 s", n)
		}
		queued := send(t, s, "next")
		id, _ := turn.AskPermission("Bash", "ls")
		synctest.Wait()
		after := w.AfterCrash()
		closeAll(t, m)

		m = after.Manager()
		s, err := m.Resume(t.Context(), s.ID())
		if err != nil {
			t.Fatal(err)
		}
		seen := watch(s)
		tr := seen.transcript()
		if tr.Turns[0].Outcome != session.TurnCancelled || len(tr.Asks) != 0 || seen.count("notice") != 2 {
			t.Errorf("resumed with turn %+v, asks %v, events %q", tr.Turns[0], tr.Asks, seen.types())
		}
		if len(tr.Queue) != 1 || tr.Queue[0].ID != queued || tr.Queue[0].Text != "next" {
			t.Errorf("queue %+v", tr.Queue)
		}
		if err := s.Answer(id, session.Answer{}); session.KindOf(err) != session.KindNotFound {
			t.Errorf("answer to an old ask: %v", err)
		}
		synctest.Wait()
		if len(after.Agent.Conversations()) != 0 || len(after.Log.Lines()) != 0 {
			t.Errorf("resuming called %q", after.Log.Lines())
		}
		// A new prompt does not drag the old one along; the user's word does.
		send(t, s, "new")
		turn = after.Agent.Turn(t)
		if turn.Prompt.Text != "new" {
			t.Errorf("delivered %q", turn.Prompt.Text)
		}
		turn.End(session.TurnCompleted)
		if err := s.Wait(t.Context()); err != nil {
			t.Fatal(err)
		}
		if n := s.Release(); n != 1 {
			t.Errorf("released %d", n)
		}
		turn = after.Agent.Turn(t)
		if turn.Prompt.ID != queued || turn.Origin != session.OriginQueued {
			t.Errorf("delivered %+v", turn.Prompt)
		}
		turn.End(session.TurnCompleted)
		closeAll(t, m)
		// What was closed on resume is in the journal, once.
		again := session.Fold(after.Journals.Stored(s.ID()))
		if again.Turns[0].Outcome != session.TurnCancelled || len(again.Asks) != 0 || len(again.Queue) != 0 {
			t.Errorf("stored %+v", again)
		}
	})
}
