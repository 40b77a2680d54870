package live_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"parley/session"
	"parley/session/live"
	"parley/session/sessiontest"
)

// Invariant 1: a part starts before its deltas; a tool goes started, ready, ended; usage comes before the turn ends; a turn
// ends once. The manager keeps the agent's order for everybody and lets no turn end twice. Deltas that wait may be joined.
func TestInvariant01OrderIsKeptAndATurnEndsOnce(t *testing.T) {
	bubble(t, func(t *testing.T, w *sessiontest.World) {
		m := w.Manager()
		s := draft(t, m)
		seen := watch(s)
		send(t, s, "go")
		turn := w.Agent.Turn(t)
		turn.Text("a", "b")
		call := turn.StartTool("Bash", `{"command":"ls"}`)
		turn.Emit(session.ToolOutput{Call: call, Text: "x"}, session.ToolEnded{Call: call, Outcome: session.ToolOK})
		turn.Emit(session.UsageReported{Usage: session.Usage{Input: 3}})
		turn.Emit(session.TurnEnded{Outcome: session.TurnCompleted})
		turn.Emit(session.TurnEnded{Outcome: session.TurnFailed})
		turn.End(session.TurnFailed)
		if err := s.Wait(t.Context()); err != nil {
			t.Fatal(err)
		}
		want := []string{"model_changed", "mode_changed", "turn_started", "part_started", "part_delta", "part_ended",
			"tool_started", "tool_ready", "tool_output", "tool_ended", "usage_reported", "turn_ended"}
		if got := slices.Compact(seen.types()); !slices.Equal(got, want) {
			t.Errorf("seen %q\nwant %q", got, want)
		}
		closeAll(t, m)
		var stored []string
		for _, e := range w.Journals.Stored(s.ID()) {
			stored = append(stored, session.EventType(e))
		}
		if stored = slices.Compact(stored); !slices.Equal(stored, want) {
			t.Errorf("stored %q\nwant %q", stored, want)
		}
	})
}

// Invariant 2: a tool result goes to the turn that announced the tool, however late.
func TestInvariant02LateResultGoesToTheAnnouncingTurn(t *testing.T) {
	for _, how := range []session.TurnOutcome{session.TurnCompleted, session.TurnCancelled} {
		bubble(t, func(t *testing.T, w *sessiontest.World) {
			m := w.Manager()
			s := draft(t, m)
			seen := watch(s)
			send(t, s, "one")
			turn := w.Agent.Turn(t)
			call := turn.StartTool("Bash", `{}`)
			turn.End(how)
			send(t, s, "two")
			second := w.Agent.Turn(t)
			second.Emit(session.ToolEnded{Call: call, Outcome: session.ToolOK, Result: session.ToolResult{Text: "late"}})
			second.End(session.TurnCompleted)
			if err := s.Wait(t.Context()); err != nil {
				t.Fatal(err)
			}
			tr := seen.transcript()
			tool := tr.Turns[0].Entries[0].(*session.Tool)
			if tool.Outcome != session.ToolOK || tool.Result.Text != "late" || len(tr.Turns[1].Entries) != 0 {
				t.Errorf("%s: tool %+v, second turn %v", how, tool, tr.Turns[1].Entries)
			}
			closeAll(t, m)
		})
	}
}

// Invariant 3: a child agent is announced before anything it does, and ended once.
func TestInvariant03ChildIsAnnouncedFirstAndEndedOnce(t *testing.T) {
	inChild := session.Head{Turn: "t", Child: "k"}
	tr := session.Fold([]session.Event{
		session.TurnStarted{Head: session.Head{Turn: "t"}},
		session.PartDelta{Head: inChild, Part: "p", Text: "early"},
		session.ChildStarted{Head: session.Head{Turn: "t"}, ID: "k", Name: "explore"},
		session.ToolStarted{Head: inChild, Call: "c", Name: "Read"},
		session.ChildEnded{Head: session.Head{Turn: "t"}, ID: "k", Outcome: session.TurnCompleted, Summary: "done"},
		session.ChildEnded{Head: session.Head{Turn: "t"}, ID: "k", Outcome: session.TurnFailed, Summary: "twice"},
		session.ChildStarted{Head: session.Head{Turn: "t"}, ID: "k", Name: "again"},
	})
	if n := len(tr.Turns[0].Entries); n != 1 {
		t.Fatalf("%d entries at the top", n)
	}
	c := tr.Turns[0].Entries[0].(*session.Child)
	if c.Name != "explore" || c.Summary != "done" || c.Outcome != session.TurnCompleted || len(c.Entries) != 2 {
		t.Errorf("child %+v", c)
	}
	// After a kill, resuming ends a running child.
	bubble(t, func(t *testing.T, w *sessiontest.World) {
		m := w.Manager()
		s := draft(t, m)
		send(t, s, "go")
		turn := w.Agent.Turn(t)
		turn.Emit(session.ChildStarted{ID: "k"}, session.ChildStarted{Head: session.Head{Child: "k"}, ID: "inner"},
			session.PartStarted{Head: session.Head{Child: "inner"}, Part: "p", Kind: session.PartText})
		synctest.Wait()
		after := w.AfterCrash()
		closeAll(t, m)
		m = after.Manager()
		s, err := m.Resume(t.Context(), s.ID())
		if err != nil {
			t.Fatal(err)
		}
		seen := watch(s)
		if n := seen.count("child_ended"); n != 2 {
			t.Errorf("%d ends of 2 children", n)
		}
		closeAll(t, m)
	})
}

// Invariant 4: a draft owns nothing and is listed nowhere; the first send makes it real in a fixed order.
func TestInvariant04DraftOwnsNothingUntilTheFirstSend(t *testing.T) {
	bubble(t, func(t *testing.T, w *sessiontest.World) {
		m := w.Manager()
		s := draft(t, m)
		if err := s.Configure(session.Settings{Model: "haiku", Effort: "low", Mode: session.ModeAcceptEdits}); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if lines := w.Log.Lines(); len(lines) != 0 || !s.Draft() {
			t.Errorf("a draft called %q", lines)
		}
		if metas, err := m.List(t.Context()); err != nil || len(metas) != 0 {
			t.Errorf("listed: %v %v", metas, err)
		}
		send(t, s, "go")
		send(t, s, "on")
		w.Agent.Turn(t).End(session.TurnCompleted)
		w.Agent.Turn(t).End(session.TurnCompleted)
		if err := s.Wait(t.Context()); err != nil {
			t.Fatal(err)
		}
		order(t, w.Log.Lines(), "journal create", "endpoint open", "agent open", "conversation send", "conversation send")
		for _, once := range []string{"journal create", "endpoint open", "agent open"} {
			if n := w.Log.Count(once); n != 1 {
				t.Errorf("%s %d times", once, n)
			}
		}
		o := w.Agent.Conversations()[0].Options
		if want := (session.Settings{Model: "haiku", Effort: "low", Mode: session.ModeAcceptEdits}); o.Settings != want || o.Gen != 1 ||
			o.History != nil || o.Dir != project || o.Endpoint.Bearer != "secret."+string(s.ID()) {
			t.Errorf("opened with %+v", o)
		}
		if metas, err := m.List(t.Context()); err != nil || len(metas) != 1 || metas[0].First != "go" {
			t.Errorf("listed: %+v %v", metas, err)
		}
		closeAll(t, m)
		order(t, w.Log.Lines(), "conversation close", "endpoint close", "journal close")
	})
}

// A first send that fails at any step is a failed turn, holds nothing, and can be tried again.
func TestInvariant04FailedFirstSendHoldsNothingAndCanBeRepeated(t *testing.T) {
	steps := map[string]func(w *sessiontest.World, err error){
		"create":   func(w *sessiontest.World, err error) { w.Journals.Fail("create", err) },
		"append":   func(w *sessiontest.World, err error) { w.Journals.Fail("append", err) },
		"endpoint": func(w *sessiontest.World, err error) { w.Endpoints.Fail(err) },
		"agent": func(w *sessiontest.World, err error) {
			w.Agent.OnOpen(func(context.Context, session.OpenOptions) error { return err })
		},
	}
	for name, set := range steps {
		bubble(t, func(t *testing.T, w *sessiontest.World) {
			set(w, errBroken)
			m := w.Manager()
			s := draft(t, m)
			seen := watch(s)
			end, err := s.Ask(t.Context(), session.Prompt{Text: "go"})
			if session.KindOf(err) != session.KindNetwork || end.Outcome != session.TurnFailed || end.Problem == nil ||
				!strings.Contains(end.Problem.What, "no route to host") || end.Problem.Next == "" {
				t.Fatalf("%s: ended %+v, error %v", name, end, err)
			}
			if name == "append" {
				// The agent was opened by then; closing gives everything back, and stores what could not be stored.
				set(w, nil)
				closeAll(t, m)
			}
			if w.Journals.Locked(s.ID()) || w.Endpoints.IsOpen(s.ID()) {
				t.Errorf("%s: something is still held: %q", name, w.Log.Lines())
			}
			if w.Log.Count("conversation send") != 0 {
				t.Errorf("%s: delivered all the same", name)
			}
			if tr := seen.transcript(); len(tr.Turns) == 0 || tr.Turns[0].Prompt.Text != "go" {
				t.Errorf("%s: the prompt is lost", name)
			}
			if name == "append" {
				return
			}
			set(w, nil)
			w.Agent.Script(func(turn *sessiontest.Turn) { turn.Text("ok") })
			end, err = s.Ask(t.Context(), session.Prompt{Text: "again"})
			if err != nil || end.Outcome != session.TurnCompleted {
				t.Errorf("%s: again: %+v %v", name, end, err)
			}
			closeAll(t, m)
			stored := session.Fold(w.Journals.Stored(s.ID()))
			if len(stored.Turns) < 2 || stored.Turns[0].Prompt.Text != "go" || stored.Turns[0].Outcome != session.TurnFailed {
				t.Errorf("%s: stored %+v", name, stored.Turns)
			}
		})
	}
}

// Interrupting while a session is made real leaves nothing behind and delivers nothing.
func TestInvariant04InterruptWhileOpening(t *testing.T) {
	bubble(t, func(t *testing.T, w *sessiontest.World) {
		m := w.Manager()
		s := draft(t, m)
		opening := make(chan struct{})
		w.Agent.OnOpen(func(ctx context.Context, _ session.OpenOptions) error {
			close(opening)
			<-ctx.Done()
			return nil // opened all the same
		})
		seen := watch(s)
		send(t, s, "go")
		<-opening
		s.Abort()
		if err := s.Wait(t.Context()); err != nil {
			t.Fatal(err)
		}
		if tr := seen.transcript(); tr.Turns[0].Outcome != session.TurnCancelled || w.Log.Count("conversation send") != 0 {
			t.Errorf("turn %+v, log %q", tr.Turns[0], w.Log.Lines())
		}
		if w.Journals.Locked(s.ID()) || w.Endpoints.IsOpen(s.ID()) {
			t.Error("something is still held")
		}
		closeAll(t, m)
	})
}

// An interrupt while the journal is created opens neither endpoint nor agent.
func TestInvariant04InterruptWhileStoring(t *testing.T) {
	bubble(t, func(t *testing.T, w *sessiontest.World) {
		var s *live.Session
		w.Deps.Journals = &poking{MemoryJournals: w.Journals, poke: func() { s.Abort() }}
		m := w.Manager()
		s = draft(t, m)
		end, err := s.Ask(t.Context(), session.Prompt{Text: "go"})
		if err != nil || end.Outcome != session.TurnCancelled {
			t.Errorf("%+v %v", end, err)
		}
		if w.Log.Count("journal create") != 1 || w.Log.Count("endpoint open") != 0 || w.Log.Count("agent open") != 0 {
			t.Errorf("called %q", w.Log.Lines())
		}
		closeAll(t, m)
	})
}
