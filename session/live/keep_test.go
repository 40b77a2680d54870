package live_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"parley/session"
	"parley/session/sessiontest"
)

func putOld(w *sessiontest.World, more ...session.Event) {
	h := session.Head{Session: "s", Turn: "t", Gen: 1}
	w.Journals.Put(session.Meta{ID: "s", Agent: "builtin", Dir: "/repo"}, slices.Concat([]session.Event{
		session.ModelChanged{Head: session.Head{Session: "s"}, Model: "opus"},
		session.TurnStarted{Head: h, Prompt: session.Prompt{ID: "t", Text: "old"}},
		session.TurnEnded{Head: h, Outcome: session.TurnCompleted}}, more)...)
}

// Invariant 7: what the user chose in a session that is only looked at survives a kill as well.
func TestInvariant07ChoiceInAnIdleSessionSurvivesAKill(t *testing.T) {
	bubble(t, func(t *testing.T, w *sessiontest.World) {
		putOld(w)
		m := w.Manager()
		s := resume(t, m, "s")
		var want session.Settings
		for _, want = range []session.Settings{{Model: "haiku"}, {Model: "haiku", Effort: "low"},
			{Model: "gpt", Effort: "high", Mode: session.ModeAcceptEdits}} {
			if err := s.Configure(want); err != nil {
				t.Fatal(err)
			}
			synctest.Wait()
			after := w.AfterCrash() // killed now
			if got := resume(t, after.Manager(), "s").Settings(); got != want {
				t.Errorf("after a kill %+v, want %+v", got, want)
			}
		}
		if w.Log.Count("journal open") != 1 || w.Log.Count("endpoint open") != 0 || w.Log.Count("agent open") != 0 {
			t.Errorf("called %q", w.Log.Lines())
		}
		w.Agent.Script(func(*sessiontest.Turn) {})
		if end, err := s.Ask(t.Context(), session.Prompt{Text: "go"}); err != nil || end.Outcome != session.TurnCompleted {
			t.Errorf("%+v %v", end, err)
		}
		if got := w.Agent.Conversations()[0].Options.Settings; got != want {
			t.Errorf("opened with %+v", got)
		}
		closeAll(t, m)
		if w.Log.Count("journal open") != 1 || w.Journals.Locked("s") {
			t.Errorf("called %q", w.Log.Lines())
		}
	})
}

// A waiting prompt that is taken back in a session that is only looked at does not come back after a kill.
func TestInvariant07PromptTakenBackStaysAway(t *testing.T) {
	bubble(t, func(t *testing.T, w *sessiontest.World) {
		putOld(w, session.Queued{Prompt: session.Prompt{ID: "q", Text: "waits"}})
		m := w.Manager()
		s := resume(t, m, "s")
		if _, ok := s.Unqueue("q"); !ok {
			t.Error("nothing waits")
		}
		synctest.Wait()
		if q := session.Fold(w.AfterCrash().Journals.Stored("s")).Queue; len(q) != 0 {
			t.Errorf("queue %+v", q)
		}
		closeAll(t, m)
	})
}

// Where another process has the session, the choice holds here, a notice says so once, and it is stored as soon as that
// is possible.
func TestChoiceInASessionThatIsOpenElsewhere(t *testing.T) {
	bubble(t, func(t *testing.T, w *sessiontest.World) {
		putOld(w)
		other := otherProcess(t, w, "s")
		m := w.Manager()
		s := resume(t, m, "s")
		seen := watch(s)
		for _, model := range []string{"haiku", "gpt", "sonnet"} {
			if err := s.Configure(session.Settings{Model: model}); err != nil {
				t.Fatal(err)
			}
			synctest.Wait()
			if got := s.Settings().Model; got != model {
				t.Errorf("the model is %q, not %q", got, model)
			}
		}
		if got := notices(seen.all(), "not stored yet"); len(got) != 1 || w.Log.Count("journal open") != 4 {
			t.Errorf("told %q after %q", got, w.Log.Lines())
		}
		// The other one speaks in a newer generation and chooses something too; the choice made here is the newer one.
		head := session.Head{Session: "s", Gen: 9}
		appendTo(t, other, session.ModelChanged{Head: head, Model: "theirs"}, session.ModeChanged{Head: head, Mode: session.ModePlan})
		if err := other.Close(); err != nil {
			t.Fatal(err)
		}
		if err := s.Configure(session.Settings{Model: "sonnet", Effort: "high"}); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		want := session.Settings{Model: "sonnet", Effort: "high", Mode: session.ModePlan}
		stored := w.AfterCrash().Journals.Stored("s")
		if got := session.Fold(stored).Settings; got != want || s.Settings() != want || seen.transcript().Settings != want {
			t.Errorf("stored %+v, has %+v, shows %+v", got, s.Settings(), seen.transcript().Settings)
		}
		if got := notices(stored, ""); len(got) != 0 {
			t.Errorf("the journal keeps %q", got)
		}
		closeAll(t, m)
	})
}

// A disk that cannot be written is reported once, and tried again.
func TestChoiceThatCannotBeStored(t *testing.T) {
	bubble(t, func(t *testing.T, w *sessiontest.World) {
		putOld(w)
		w.Journals.Fail("open", &session.Error{Op: "open journal", Kind: session.KindDisk, Err: errors.New("input/output error")})
		m := w.Manager()
		s := resume(t, m, "s")
		seen := watch(s)
		for _, model := range []string{"haiku", "gpt"} {
			if err := s.Configure(session.Settings{Model: model}); err != nil {
				t.Fatal(err)
			}
			synctest.Wait()
		}
		if got := notices(seen.all(), "input/output error"); len(got) != 1 {
			t.Errorf("told %q", got)
		}
		w.Journals.Fail("open", nil)
		closeAll(t, m)
		if got := session.Fold(w.Journals.Stored("s")).Settings.Model; got != "gpt" {
			t.Errorf("stored %q", got)
		}
	})
}

// slowJournals open a journal only when they are let.
type slowJournals struct {
	*sessiontest.MemoryJournals
	opening chan struct{}
	goOn    chan struct{}
}

func (j *slowJournals) Open(ctx context.Context, id session.ID) (session.Journal, session.Meta, []session.Event, error) {
	j.opening <- struct{}{}
	<-j.goOn // a hanging disk ignores everything
	return j.MemoryJournals.Open(ctx, id)
}

// While a choice is being stored nothing waits for that but what needs the journal, which is not opened twice.
func TestStoringAChoiceHoldsUpNobody(t *testing.T) {
	bubble(t, func(t *testing.T, w *sessiontest.World) {
		putOld(w)
		slow := &slowJournals{w.Journals, make(chan struct{}), make(chan struct{})}
		w.Deps.Journals = slow
		m := w.Manager()
		s := resume(t, m, "s")
		if err := s.Configure(session.Settings{Model: "haiku"}); err != nil {
			t.Fatal(err)
		}
		<-slow.opening
		if err := s.Configure(session.Settings{Model: "gpt"}); err != nil {
			t.Fatal(err)
		}
		if s.Settings().Model != "gpt" || s.Meta().Model != "gpt" {
			t.Errorf("settings %+v", s.Settings())
		}
		send(t, s, "go")
		synctest.Wait()
		if n := w.Agent.Pending(); n != 0 {
			t.Errorf("%d prompts were delivered before they were stored", n)
		}
		close(slow.goOn)
		turn := w.Agent.Turn(t)
		if got := session.Fold(w.Journals.Stored("s")); got.Settings.Model != "gpt" || len(named(got)) != 2 {
			t.Errorf("stored %+v", got)
		}
		turn.End(session.TurnCompleted)
		closeAll(t, m)
		if w.Log.Count("journal open") != 1 || w.Journals.Locked("s") {
			t.Errorf("called %q", w.Log.Lines())
		}
	})
	// Closing meanwhile is bounded, and gives back what comes too late.
	bubble(t, func(t *testing.T, w *sessiontest.World) {
		putOld(w)
		slow := &slowJournals{w.Journals, make(chan struct{}), make(chan struct{})}
		w.Deps.Journals = slow
		m := w.Manager()
		s := resume(t, m, "s")
		if err := s.Configure(session.Settings{Model: "haiku"}); err != nil {
			t.Fatal(err)
		}
		<-slow.opening
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		begun := time.Now()
		if err := m.Close(ctx); err == nil || time.Since(begun) > time.Second {
			t.Errorf("closed in %v: %v", time.Since(begun), err)
		}
		close(slow.goOn)
		synctest.Wait()
		if w.Journals.Locked("s") {
			t.Error("the journal is still held")
		}
	})
}

// Each resume shows the notice about waiting prompts once, and the journal never has it.
func TestNoticeOfWaitingPromptsDoesNotPileUp(t *testing.T) {
	for want, prompts := range map[string][]session.PromptID{"A prompt was waiting": {"q"}, "2 prompts were waiting": {"q", "r"}} {
		bubble(t, func(t *testing.T, w *sessiontest.World) {
			var queued []session.Event
			for _, id := range prompts {
				queued = append(queued, session.Queued{Prompt: session.Prompt{ID: id, Text: "waits"}})
			}
			putOld(w, queued...)
			for _, model := range []string{"a", "b", "c"} {
				m := w.Manager()
				s := resume(t, m, "s")
				seen := watch(s)
				if err := s.Configure(session.Settings{Model: model}); err != nil { // so that the journal is written
					t.Fatal(err)
				}
				closeAll(t, m)
				if got := notices(seen.all(), want); len(got) != 1 {
					t.Errorf("shown %q", got)
				}
				if got := notices(w.Journals.Stored("s"), ""); len(got) != 0 {
					t.Errorf("stored %q", got)
				}
				if tr := session.Fold(w.Journals.Stored("s")); tr.Settings.Model != model || len(tr.Queue) != len(prompts) {
					t.Errorf("stored %+v", tr)
				}
			}
		})
	}
}

// Closing settles every ask once, also those of children that go on in the background, and whether the agent reacts or not.
func TestCloseSettlesEveryAskOnce(t *testing.T) {
	for _, deaf := range []bool{false, true} {
		bubble(t, func(t *testing.T, w *sessiontest.World) {
			w.Agent.Deaf(deaf)
			m := w.Manager()
			s := draft(t, m)
			seen := watch(s)
			send(t, s, "go")
			first := w.Agent.Turn(t)
			first.Emit(session.ChildStarted{ID: "k", Background: true})
			first.Emit(session.Asked{Head: session.Head{Child: "k"}, Ask: "child", Kind: session.AskQuestion, Question: &session.QuestionAsk{}})
			first.End(session.TurnCompleted)
			send(t, s, "on")
			second := w.Agent.Turn(t)
			second.AskPermission("Bash", "ls")
			answered, _ := second.AskPermission("Bash", "pwd")
			if err := s.Answer(answered, session.Answer{Decision: session.Allow}); err != nil {
				t.Error(err)
			}
			synctest.Wait()
			closeAll(t, m)
			for name, events := range map[string][]session.Event{"seen": seen.all(), "stored": w.Journals.Stored(s.ID())} {
				asked, settled := map[session.AskID]int{}, map[session.AskID]int{}
				for _, e := range events {
					switch e := e.(type) {
					case session.Asked:
						asked[e.Ask]++
					case session.Settled:
						settled[e.Ask]++
					}
				}
				for id := range asked {
					if settled[id] != 1 {
						t.Errorf("%s, deaf %v: %s settled %d times", name, deaf, id, settled[id])
					}
				}
				if len(asked) != 3 || len(settled) != 3 {
					t.Errorf("%s, deaf %v: asked %v, settled %v", name, deaf, asked, settled)
				}
			}
		})
	}
}
