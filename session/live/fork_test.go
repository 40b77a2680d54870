package live_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"parley/session"
	"parley/session/sessiontest"
)

// keeping is an agent that keeps its own transcripts and can copy them.
type keeping struct {
	*sessiontest.Agent
	events  []session.Event
	metas   []session.Meta
	listErr error
	forked  []session.TurnID
	err     error
}

func (k *keeping) Replay(_ context.Context, id session.ID) ([]session.Event, error) {
	return k.events, nil
}
func (k *keeping) Sessions(context.Context) ([]session.Meta, error) { return k.metas, k.listErr }
func (k *keeping) Fork(_ context.Context, id session.ID, upTo session.TurnID) (session.ID, error) {
	k.forked = append(k.forked, upTo)
	return id + "-copy", k.err
}

func told(turn session.TurnID, prompt, answer string) []session.Event {
	h := session.Head{Session: "s", Turn: turn, Gen: 1}
	return []session.Event{
		session.TurnStarted{Head: h, Prompt: session.Prompt{ID: session.PromptID(turn), Text: prompt}, Origin: session.OriginUser},
		session.PartReplaced{Head: h, Part: session.PartID("p-" + turn), Kind: session.PartText, Text: answer, Opaque: []byte(`{"signature":"a<b>&c"}`)},
		session.TurnEnded{Head: h, Outcome: session.TurnCompleted},
	}
}

// turnsOf counts the turns, without what happened between them.
func turnsOf(t *session.Transcript) int {
	n := 0
	for _, turn := range t.Turns {
		if turn.ID != "" {
			n++
		}
	}
	return n
}

// What was allowed for a session is asked again in a copy of it, and the original keeps it.
func TestForkTakesNoGrantsAlong(t *testing.T) {
	bubble(t, func(t *testing.T, w *sessiontest.World) {
		events := told("t1", "one", "first")
		h := events[0].Header()
		rule := session.Rule{Tool: "Bash", Pattern: "go test", Label: "go test"}
		ask := func(id session.AskID, a session.Answer) []session.Event {
			return []session.Event{session.Asked{Head: h, Ask: id, Kind: session.AskPermission, Permission: &session.PermissionAsk{Tool: "Bash", Rules: []session.Rule{rule}}},
				session.Settled{Head: h, Ask: id, How: session.SettledAnswered, Answer: a}}
		}
		asks := slices.Concat(ask("a", session.Answer{Decision: session.Allow, Scope: session.ScopeSession}),
			ask("b", session.Answer{Decision: session.Allow, Scope: session.ScopeSession, Rule: &rule}), ask("c", session.Answer{Decision: session.Deny, Message: "no"}))
		w.Journals.Put(session.Meta{ID: "s", Agent: "builtin", Dir: project}, slices.Insert(events, 1, asks...)...)
		m := w.Manager()
		for _, upTo := range []session.TurnID{"", "t1"} {
			s, err := m.Fork(t.Context(), "s", upTo)
			if err != nil {
				t.Fatal(err)
			}
			var decisions []session.Decision
			for _, turn := range watch(s).transcript().Turns {
				for _, e := range turn.Entries {
					if a, ok := e.(*session.Ask); ok {
						decisions = append(decisions, a.Settlement.Answer.Decision)
						if a.Settlement.Answer.Scope == session.ScopeSession || a.Settlement.Answer.Rule != nil {
							t.Errorf("fork at %q: %+v", upTo, a.Settlement.Answer)
						}
					}
				}
			}
			if !slices.Equal(decisions, []session.Decision{session.Allow, session.Allow, session.Deny}) {
				t.Errorf("fork at %q: %q", upTo, decisions)
			}
		}
		s, err := m.Resume(t.Context(), "s")
		if err != nil {
			t.Fatal(err)
		}
		kept := 0
		for _, e := range watch(s).transcript().Turns[0].Entries {
			if a, ok := e.(*session.Ask); ok && a.Settlement.Answer.Scope == session.ScopeSession {
				kept++
			}
		}
		if kept != 2 {
			t.Errorf("the original keeps %d of 2", kept)
		}
	})
}

func TestForkCopiesTheJournal(t *testing.T) {
	bubble(t, func(t *testing.T, w *sessiontest.World) {
		events := append(told("t1", "one", "first"), session.ModeChanged{Mode: session.ModePlan})
		events = append(events, told("t2", "two", "second")...)
		events = append(events, session.TurnStarted{Head: session.Head{Turn: "t3"}, Prompt: session.Prompt{ID: "t3", Text: "three"}})
		w.Journals.Put(session.Meta{ID: "s", Agent: "builtin", Dir: project, Dirs: []string{"/more"}, Title: "Work"}, events...)
		m := w.Manager()
		for _, c := range []struct {
			upTo  session.TurnID
			turns int
			kind  session.Kind
		}{{"t1", 1, ""}, {"t2", 2, ""}, {"t3", 0, session.KindInvalid}, {"nowhere", 0, session.KindNotFound}} {
			s, err := m.Fork(t.Context(), "s", c.upTo)
			if c.kind != "" {
				if session.KindOf(err) != c.kind {
					t.Errorf("at %s: %v", c.upTo, err)
				}
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			tr := watch(s).transcript()
			meta := s.Meta()
			if turnsOf(tr) != c.turns || tr.Session == "s" || s.ID() == "s" || meta.Parent != "s" || meta.Dir != project || len(meta.Dirs) != 1 ||
				tr.Title != "Work (fork)" || s.Settings().Mode != session.ModePlan || s.Draft() {
				t.Errorf("at %s: %d turns of %q in %+v, %+v", c.upTo, len(tr.Turns), tr.Session, meta, s.Settings())
			}
			if opaque := string(tr.Turns[0].Entries[0].(*session.Part).Opaque); opaque != `{"signature":"a<b>&c"}` {
				t.Errorf("signature became %s", opaque)
			}
		}
		if s, err := m.Resume(t.Context(), "s"); err != nil || turnsOf(watch(s).transcript()) != 3 {
			t.Errorf("the original changed: %v", err)
		}
		closeAll(t, m)
	})
}

func TestForkByTheAgent(t *testing.T) {
	bubble(t, func(t *testing.T, w *sessiontest.World) {
		k := &keeping{Agent: w.Agent, events: told("t1", "one", "first"), metas: []session.Meta{{ID: "own", Agent: "builtin", Dir: project, First: "one"}}}
		w.Deps.Agents = []session.Agent{k}
		m := w.Manager()
		s, err := m.Fork(t.Context(), "own", "t1")
		if err != nil {
			t.Fatal(err)
		}
		if tr := watch(s).transcript(); s.ID() != "own-copy" || len(tr.Turns) != 1 || s.Meta().Title != "one (fork)" || s.Meta().Parent != "own" || s.Meta().Dir != project {
			t.Errorf("%s: %+v", s.ID(), s.Meta())
		}
		k.err = &session.Error{Op: "fork session", Kind: session.KindInvalid, Err: errors.New("no answer")}
		if _, err := m.Fork(t.Context(), "own", "t9"); session.KindOf(err) != session.KindInvalid {
			t.Errorf("%v", err)
		}
		if _, err := m.Fork(t.Context(), "unknown", ""); session.KindOf(err) != session.KindNotFound {
			t.Errorf("%v", err)
		}
		closeAll(t, m)
	})
}

func TestForkOfADraft(t *testing.T) {
	bubble(t, func(t *testing.T, w *sessiontest.World) {
		m := w.Manager()
		d := draft(t, m)
		s, err := m.Fork(t.Context(), d.ID(), "")
		if err != nil || !s.Draft() || s.ID() == d.ID() || watch(s).count("notice") != 1 {
			t.Errorf("%v", err)
		}
		closeAll(t, m)
	})
}

// A copy whose journal cannot be written leaves nothing in the list.
func TestForkOnAFullDisk(t *testing.T) {
	for _, op := range []string{"append", "close"} {
		bubble(t, func(t *testing.T, w *sessiontest.World) {
			w.Journals.Put(session.Meta{ID: "a", Agent: "builtin", Dir: "/a"}, told("t1", "one", "first")...)
			m := w.Manager()
			w.Journals.Fail(op, errBroken)
			if _, err := m.Fork(t.Context(), "a", ""); !errors.Is(err, errBroken) {
				t.Errorf("%s: %v", op, err)
			}
			w.Journals.Fail(op, nil)
			if all, err := m.List(t.Context()); err != nil || len(all) != 1 {
				t.Errorf("%s: %+v, %v", op, all, err)
			}
			closeAll(t, m)
		})
	}
}

// One damaged journal of three hides no session of an agent, and listing errors are reported.
func TestListingReportsWhatIsMissing(t *testing.T) {
	bubble(t, func(t *testing.T, w *sessiontest.World) {
		at := func(n int) time.Time { return time.Date(2026, 1, 1, n, 0, 0, 0, time.UTC) }
		k := &keeping{Agent: w.Agent, listErr: errBroken, metas: []session.Meta{
			{ID: "a", Agent: "builtin", Dir: "/a", First: "first a", Updated: at(3)},
			{ID: "b", Agent: "builtin", Dir: "/b", First: "first b", Title: "theirs", Updated: at(2)},
			{ID: "c", Agent: "builtin", Dir: "/c", First: "first c", Updated: at(1)},
		}, events: told("t1", "one", "first")}
		w.Deps.Agents = []session.Agent{k}
		w.Journals.Put(session.Meta{ID: "a"}) // of the header nothing can be read
		w.Journals.Put(session.Meta{ID: "b", Agent: "builtin", Dir: "/b", Title: "ours", Updated: at(9)})
		m := w.Manager()
		l := m.Listing(t.Context())
		if len(l.Sessions) != 3 || len(l.Problems) != 1 {
			t.Fatalf("%+v", l)
		}
		b, a, c := l.Sessions[0], l.Sessions[1], l.Sessions[2]
		if b.Title != "ours" || b.First != "first b" || a.Agent != "builtin" || a.Dir != "/a" || !a.Updated.Equal(at(3)) || c.ID != "c" {
			t.Errorf("%+v", l.Sessions)
		}
		if s, err := m.Resume(t.Context(), "a"); err != nil || s.Meta().Agent != "builtin" || len(watch(s).transcript().Turns) != 1 {
			t.Errorf("%v", err)
		}
		closeAll(t, m)
	})
}

// A copy made by the agent has the choices of the original from the beginning, and shows no changes.
func TestForkShowsNoChangeOfMode(t *testing.T) {
	bubble(t, func(t *testing.T, w *sessiontest.World) {
		at := time.Now().Add(-time.Hour)
		head := session.Head{Turn: "t1", At: at}
		events := append([]session.Event{
			session.TurnStarted{Head: head, Prompt: session.Prompt{ID: "t1", Text: "one"}},
			session.ModeChanged{Head: head, Mode: session.ModeDefault},
		}, told("t1", "one", "first")[1:]...)
		k := &keeping{Agent: w.Agent, events: events}
		w.Deps.Agents = []session.Agent{k}
		w.Journals.Put(session.Meta{ID: "s", Agent: "builtin", Dir: project},
			session.ModelChanged{Head: session.Head{At: at}, Model: "opus", Effort: "high"},
			session.ModeChanged{Head: session.Head{At: at.Add(time.Minute)}, Mode: session.ModeAcceptEdits})
		m := w.Manager()
		s, err := m.Fork(t.Context(), "s", "t1")
		if err != nil {
			t.Fatal(err)
		}
		tr := watch(s).transcript()
		if want := (session.Settings{Model: "opus", Effort: "high", Mode: session.ModeAcceptEdits}); tr.Settings != want || s.Settings() != want {
			t.Errorf("%+v, %+v", tr.Settings, s.Settings())
		}
		for _, turn := range tr.Turns {
			for _, e := range turn.Entries {
				if mark, ok := e.(*session.Mark); ok {
					t.Errorf("it shows %s %+v", session.EventType(mark.Event), mark.Event)
				}
			}
		}
		closeAll(t, m)
	})
}

// What the original knows of the context window, which no transcript has, the copy knows too; how much of it
// is used, the agent's transcript says.
func TestForkKnowsTheWindow(t *testing.T) {
	bubble(t, func(t *testing.T, w *sessiontest.World) {
		k := &keeping{Agent: w.Agent, events: append(told("t1", "one", "first"), session.ContextReported{Used: 700})}
		w.Deps.Agents = []session.Agent{k}
		journal := append(told("t1", "one", "first"), session.ContextReported{Used: 900, Window: 5000}, session.ContextReported{Used: 800})
		w.Journals.Put(session.Meta{ID: "s", Agent: "builtin", Dir: project}, journal...)
		m := w.Manager()
		s, err := m.Fork(t.Context(), "s", "t1")
		if err != nil {
			t.Fatal(err)
		}
		if c := watch(s).transcript().Context; c.Used != 700 || c.Window != 5000 {
			t.Errorf("%+v", c)
		}
		closeAll(t, m)
	})
}

// TestForkKnowsWhatWasStopped copies a session whose agent has not kept that a command in the background was stopped.
func TestForkKnowsWhatWasStopped(t *testing.T) {
	bubble(t, func(t *testing.T, w *sessiontest.World) {
		h := session.Head{Turn: "t1"}
		behind := []session.Event{
			session.ToolStarted{Head: h, Call: "c1", Name: "bash"},
			session.ToolEnded{Head: h, Call: "c1", Outcome: session.ToolOK, Result: session.ToolResult{Background: true}},
		}
		told := told("t1", "one", "first")
		told = append(told[:len(told)-1:len(told)-1], append(behind, told[len(told)-1])...)
		guess := session.ToolEnded{Head: h, Call: "c1", Outcome: session.ToolCancelled, Result: session.ToolResult{Summary: session.WhyWithAgent}}
		w.Deps.Agents = []session.Agent{&keeping{Agent: w.Agent, events: append(slices.Clone(told), guess)}}
		w.Journals.Put(session.Meta{ID: "s", Agent: "builtin", Dir: project},
			append(told, session.ToolEnded{Head: h, Call: "c1", Outcome: session.ToolCancelled, Result: session.ToolResult{Text: "half"}})...)
		m := w.Manager()
		s, err := m.Fork(t.Context(), "s", "")
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range watch(s).transcript().Turns[0].Entries {
			if c, ok := e.(*session.Tool); ok && (c.Result.Summary != "" || c.Result.Text != "half" || c.Outcome != session.ToolCancelled) {
				t.Errorf("%s, %+v", c.Outcome, c.Result)
			}
		}
		closeAll(t, m)
	})
}
