package session_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"parley/session"
	"parley/session/sessiontest"
)

// bubble runs f with virtual time and a world, and fails if anything still runs when the manager is closed.
func bubble(t *testing.T, f func(t *testing.T, w *sessiontest.World)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) { f(t, sessiontest.NewWorld()) })
}

// watcher is an attached sink.
type watcher struct {
	mu     sync.Mutex
	events []session.Event
}

func watch(s *session.Session) *watcher {
	w := &watcher{}
	history, _ := s.Attach(func(e session.Event) {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.events = append(w.events, e)
	})
	w.mu.Lock()
	defer w.mu.Unlock()
	w.events = append(slices.Clone(history), w.events...)
	return w
}

func (w *watcher) all() []session.Event {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.events)
}

func (w *watcher) transcript() *session.Transcript { return fold(w.all()) }

func (w *watcher) types() []string {
	var names []string
	for _, e := range w.all() {
		names = append(names, session.EventType(e))
	}
	return names
}

func (w *watcher) count(name string) int {
	n := 0
	for _, t := range w.types() {
		if t == name {
			n++
		}
	}
	return n
}

func fold(events []session.Event) *session.Transcript {
	t := &session.Transcript{}
	for _, e := range events {
		t.Apply(e)
	}
	return t
}

func draft(t *testing.T, m *session.Manager) *session.Session {
	t.Helper()
	s, err := m.Draft(session.DraftOptions{Dir: "/work", Settings: session.Settings{Model: "opus", Mode: session.ModeDefault}})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func send(t *testing.T, s *session.Session, text string) session.PromptID {
	t.Helper()
	id, err := s.Send(session.Prompt{Text: text})
	if err != nil {
		t.Fatal(err)
	}
	return id
}

func closeAll(t *testing.T, m *session.Manager) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
	defer cancel()
	if err := m.Close(ctx); err != nil {
		t.Errorf("close: %v", err)
	}
}

// order fails unless lines holds want as a subsequence.
func order(t *testing.T, lines []string, want ...string) {
	t.Helper()
	at := 0
	for _, l := range lines {
		if at < len(want) && l == want[at] {
			at++
		}
	}
	if at < len(want) {
		t.Errorf("no %q (after %q) in:\n%s", want[at], want[:at], strings.Join(lines, "\n"))
	}
}

func TestOneConversation(t *testing.T) {
	bubble(t, func(t *testing.T, w *sessiontest.World) {
		m := w.Manager()
		s := draft(t, m)
		seen := watch(s)
		id := send(t, s, "hello")
		turn := w.Agent.Turn(t)
		if string(turn.ID) != string(id) || turn.Origin != session.OriginUser {
			t.Errorf("turn %q by %q for prompt %q", turn.ID, turn.Origin, id)
		}
		turn.Reasoning(time.Second, "hm")
		turn.Text("hi ", "there")
		turn.Tool("Read", `{"file_path":"/work/a.go"}`, "package a")
		turn.End(session.TurnCompleted)
		if err := s.Wait(t.Context()); err != nil {
			t.Fatal(err)
		}
		tr := seen.transcript()
		if len(tr.Turns) != 1 || len(tr.Turns[0].Entries) != 3 || tr.Turns[0].Outcome != session.TurnCompleted {
			t.Fatalf("turns: %+v", tr.Turns)
		}
		if p := tr.Turns[0].Entries[1].(*session.Part); p.Text() != "hi there" {
			t.Errorf("text %q", p.Text())
		}
		if tr.Settings.Model != "opus" {
			t.Errorf("settings %+v", tr.Settings)
		}
		closeAll(t, m)
		stored := fold(w.Journals.Stored(s.ID()))
		if len(stored.Turns) != 1 || stored.Turns[0].Prompt.Text != "hello" || len(stored.Turns[0].Entries) != 3 {
			t.Errorf("stored: %+v", stored.Turns)
		}
		if w.Journals.Locked(s.ID()) || w.Endpoints.IsOpen(s.ID()) {
			t.Error("something is still open")
		}
		if _, err := s.Send(session.Prompt{Text: "late"}); session.KindOf(err) != session.KindInvalid {
			t.Errorf("send after close: %v", err)
		}
	})
}

var errBroken = &session.Error{Op: "test", Kind: session.KindNetwork, Err: errors.New("no route to host")}

// Invariant 1: a part starts before its deltas; a tool goes started, ready, ended; usage comes before the turn ends; a turn
// ends once. The manager keeps the agent's order for everybody and lets no turn end twice.
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
		want := []string{"model_changed", "mode_changed", "turn_started", "part_started", "part_delta", "part_delta", "part_ended",
			"tool_started", "tool_ready", "tool_output", "tool_ended", "usage_reported", "turn_ended"}
		if got := seen.types(); !slices.Equal(got, want) {
			t.Errorf("seen %q\nwant %q", got, want)
		}
		closeAll(t, m)
		var stored []string
		for _, e := range w.Journals.Stored(s.ID()) {
			stored = append(stored, session.EventType(e))
		}
		if !slices.Equal(stored, want) {
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
	tr := fold([]session.Event{
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
	// After a kill, a child that ran is ended by whoever resumes.
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
			o.History != nil || o.Dir != "/work" || o.Endpoint.Bearer != "secret."+string(s.ID()) {
			t.Errorf("opened with %+v", o)
		}
		if metas, err := m.List(t.Context()); err != nil || len(metas) != 1 || metas[0].First != "go" {
			t.Errorf("listed: %+v %v", metas, err)
		}
		closeAll(t, m)
		order(t, w.Log.Lines(), "conversation close", "endpoint close", "journal close")
	})
}

// A first send that fails at any step is told as a failed turn, holds nothing, and can be tried again.
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
			stored := fold(w.Journals.Stored(s.ID()))
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

// Invariant 5: sends run first in, first out; interrupts and answers do not wait in that queue.
func TestInvariant05SendsAreInOrderAndAbortDoesNotWait(t *testing.T) {
	bubble(t, func(t *testing.T, w *sessiontest.World) {
		m := w.Manager()
		s := draft(t, m)
		seen := watch(s)
		for _, text := range []string{"1", "2", "3", "4"} {
			send(t, s, text)
		}
		taken := send(t, s, "5")
		if p, ok := s.Unqueue(taken); !ok || p.Text != "5" {
			t.Errorf("took back %+v %v", p, ok)
		}
		if _, ok := s.Unqueue(taken); ok {
			t.Error("took it back twice")
		}
		if q := seen.transcript().Queue; len(q) != 3 {
			synctest.Wait()
			if q = seen.transcript().Queue; len(q) != 3 {
				t.Errorf("%d wait", len(q))
			}
		}
		first := w.Agent.Turn(t)
		id, answer := first.AskPermission("Bash", "ls")
		if err := s.Answer(id, session.Answer{Decision: session.Allow}); err != nil {
			t.Errorf("answer while others wait: %v", err)
		}
		if a := <-answer; a.Decision != session.Allow {
			t.Errorf("answered %+v", a)
		}
		s.Abort()
		var got []string
		for range 3 {
			turn := w.Agent.Turn(t)
			got = append(got, turn.Prompt.Text+" "+string(turn.Origin))
			turn.End(session.TurnCompleted)
		}
		if want := []string{"2 queued", "3 queued", "4 queued"}; !slices.Equal(got, want) {
			t.Errorf("delivered %q", got)
		}
		if err := s.Wait(t.Context()); err != nil {
			t.Fatal(err)
		}
		tr := seen.transcript()
		if tr.Turns[0].Outcome != session.TurnCancelled || tr.Turns[1].Outcome != session.TurnCompleted || len(tr.Queue) != 0 {
			t.Errorf("turns %+v, queue %v", tr.Turns, tr.Queue)
		}
		closeAll(t, m)
	})
}

// Nothing waits on a dead stream: an interrupted turn is over after the grace, whatever the agent does, and the next
// prompt gets a new conversation.
func TestInvariant05DeadStreamIsGivenUp(t *testing.T) {
	bubble(t, func(t *testing.T, w *sessiontest.World) {
		w.Agent.Deaf(true)
		m := w.Manager()
		s := draft(t, m)
		seen := watch(s)
		send(t, s, "go")
		turn := w.Agent.Turn(t)
		turn.OpenPart(session.PartText, "half")
		ask, _ := turn.AskPermission("Bash", "ls")
		begun := time.Now()
		s.Abort()
		if since := time.Since(begun); since != 0 {
			t.Errorf("abort took %v", since)
		}
		if err := s.Wait(t.Context()); err != nil {
			t.Fatal(err)
		}
		if since := time.Since(begun); since != 10*time.Second {
			t.Errorf("given up after %v", since)
		}
		tr := seen.transcript()
		if tr.Turns[0].Outcome != session.TurnCancelled || len(tr.Asks) != 0 {
			t.Errorf("turn %+v, asks %v", tr.Turns[0], tr.Asks)
		}
		if err := s.Answer(ask, session.Answer{}); session.KindOf(err) != session.KindNotFound {
			t.Errorf("answer to the dead: %v", err)
		}
		w.Agent.Deaf(false)
		send(t, s, "again")
		w.Agent.Turn(t).End(session.TurnCompleted)
		if err := s.Wait(t.Context()); err != nil {
			t.Fatal(err)
		}
		order(t, w.Log.Lines(), "agent open", "conversation close", "agent open", "conversation send")
		h := w.Agent.Conversations()[1].Options.History
		if h == nil || len(h.Turns) != 1 || h.Turns[0].Entries[0].(*session.Part).Text() != "half" {
			t.Errorf("history %+v", h)
		}
		closeAll(t, m)
	})
}

// An agent that hangs while opening is given up like one that hangs while streaming.
func TestInvariant05HangingOpenIsGivenUp(t *testing.T) {
	bubble(t, func(t *testing.T, w *sessiontest.World) {
		m := w.Manager()
		s := draft(t, m)
		hang := make(chan struct{})
		w.Agent.OnOpen(func(context.Context, session.OpenOptions) error { <-hang; return nil })
		send(t, s, "go")
		synctest.Wait()
		s.Abort()
		if err := s.Wait(t.Context()); err != nil {
			t.Fatal(err)
		}
		// As long as it hangs, nothing else may take the session's name.
		end, err := s.Ask(t.Context(), session.Prompt{Text: "again"})
		if session.KindOf(err) != session.KindRuntime || end.Outcome != session.TurnFailed {
			t.Errorf("%+v %v", end, err)
		}
		close(hang)
		w.Agent.OnOpen(nil)
		w.Agent.Script(func(*sessiontest.Turn) {})
		if end, err = s.Ask(t.Context(), session.Prompt{Text: "third"}); err != nil || end.Outcome != session.TurnCompleted {
			t.Errorf("%+v %v", end, err)
		}
		closeAll(t, m)
	})
}

// Invariant 6, as far as it lies here: an old conversation is closed before a new one opens under the same id, and every
// conversation is closed before its endpoint; a session that another process has is refused.
func TestInvariant06OldConversationIsGoneBeforeItsSuccessor(t *testing.T) {
	bubble(t, func(t *testing.T, w *sessiontest.World) {
		m := w.Manager()
		s := draft(t, m)
		send(t, s, "go")
		w.Agent.Turn(t).Fail(&session.Error{Op: "read", Kind: session.KindRuntime, Err: errors.New("the runtime died")})
		send(t, s, "again")
		w.Agent.Turn(t).End(session.TurnCompleted)
		closeAll(t, m)
		order(t, w.Log.Lines(), "agent open", "conversation send", "conversation close", "agent open", "conversation send",
			"conversation close", "endpoint close", "journal close")
		if g := w.Agent.Conversations()[1].Options.Gen; g <= w.Agent.Conversations()[0].Options.Gen {
			t.Errorf("generation %d is no newer", g)
		}
	})
	bubble(t, func(t *testing.T, w *sessiontest.World) {
		m, other := w.Manager(), w.Manager()
		s := draft(t, m)
		send(t, s, "go")
		w.Agent.Turn(t).End(session.TurnCompleted)
		if err := s.Wait(t.Context()); err != nil {
			t.Fatal(err)
		}
		copied, err := other.Resume(t.Context(), s.ID())
		if err != nil {
			t.Fatal(err)
		}
		end, err := copied.Ask(t.Context(), session.Prompt{Text: "mine"})
		if session.KindOf(err) != session.KindLocked || end.Problem == nil || !strings.Contains(end.Problem.What, "4711") {
			t.Errorf("second owner: %+v %v", end, err)
		}
		closeAll(t, m)
		// Now it is free, and what the first owner did meanwhile is there.
		w.Agent.Script(func(*sessiontest.Turn) {})
		if _, err := copied.Ask(t.Context(), session.Prompt{Text: "mine"}); err != nil {
			t.Error(err)
		}
		closeAll(t, other)
	})
}

// Invariant 7: what the user chose survives a crash and a rebuild.
func TestInvariant07SettingsSurvive(t *testing.T) {
	bubble(t, func(t *testing.T, w *sessiontest.World) {
		m := w.Manager()
		s := draft(t, m)
		send(t, s, "go")
		turn := w.Agent.Turn(t)
		want := session.Settings{Model: "gpt", Effort: "high", Mode: session.ModeAcceptEdits}
		if err := s.Configure(want); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if got := turn.Conversation().Settings(); got != want {
			t.Errorf("the running conversation has %+v", got)
		}
		turn.Fail(&session.Error{Op: "read", Kind: session.KindRuntime, Err: errors.New("it died")})
		send(t, s, "again")
		turn = w.Agent.Turn(t)
		if got := turn.Conversation().Options.Settings; got != want {
			t.Errorf("the rebuilt conversation has %+v", got)
		}
		after := w.AfterCrash()
		closeAll(t, m)
		m = after.Manager()
		s, err := m.Resume(t.Context(), s.ID())
		if err != nil {
			t.Fatal(err)
		}
		if got := s.Settings(); got != want {
			t.Errorf("after a crash: %+v", got)
		}
		send(t, s, "on")
		turn = after.Agent.Turn(t)
		if got := turn.Conversation().Options.Settings; got != want || turn.Conversation().Options.Dir != "/work" {
			t.Errorf("the resumed conversation has %+v", turn.Conversation().Options)
		}
		turn.End(session.TurnCompleted)
		closeAll(t, m)
	})
}

// Invariant 8: late output of an old generation is recognised and dropped.
func TestInvariant08OldGenerationIsDropped(t *testing.T) {
	bubble(t, func(t *testing.T, w *sessiontest.World) {
		m := w.Manager()
		s := draft(t, m)
		seen := watch(s)
		send(t, s, "go")
		old := w.Agent.Turn(t)
		old.Text("first")
		old.Fail(&session.Error{Op: "read", Kind: session.KindRuntime, Err: errors.New("it died")})
		send(t, s, "again")
		turn := w.Agent.Turn(t)
		old.Text("late")
		old.Emit(session.Notice{Text: "late"}, session.TurnEnded{Head: session.Head{Turn: turn.ID}, Outcome: session.TurnFailed})
		// Not even one that does not say its generation, or a newer one.
		old.Conversation().Options.Emit(session.Notice{Text: "late"})
		old.Emit(session.Notice{Head: session.Head{Gen: 99}, Text: "late"})
		turn.Text("second")
		turn.Emit(session.PartDelta{Head: session.Head{Gen: 1}, Part: "x", Text: "late"})
		turn.End(session.TurnCompleted)
		closeAll(t, m)
		for _, events := range [][]session.Event{seen.all(), w.Journals.Stored(s.ID())} {
			for _, e := range events {
				if line, _ := session.EncodeEvent(e); strings.Contains(string(line), "late") {
					t.Errorf("late output came through: %s", line)
				}
			}
			if tr := fold(events); tr.Turns[1].Outcome != session.TurnCompleted {
				t.Errorf("second turn %+v", tr.Turns[1])
			}
		}
	})
}

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
		w.Journals.Put(session.Meta{ID: "both", Agent: "builtin", Dir: "/work"},
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

// Invariant 10: a failure to replay is told and hides no session; one agent's failure hides no other's sessions.
func TestInvariant10FailedReplayHidesNothing(t *testing.T) {
	bubble(t, func(t *testing.T, w *sessiontest.World) {
		w.Deps.Agents = []session.Agent{&replayer{Agent: w.Agent, err: errBroken}}
		w.Journals.Put(session.Meta{ID: "s", Agent: "builtin", Dir: "/work"},
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

// Invariant 11, as far as it lies here: one caller's cancellation reaches neither another caller's prompt nor the
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

// Invariant 12: no lock is held while calling out. Every callee calls back into the session, and a slow sink holds up
// nobody.
func TestInvariant12NoLockIsHeldWhileCallingOut(t *testing.T) {
	bubble(t, func(t *testing.T, w *sessiontest.World) {
		var s *session.Session
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
		if history, off := s.Attach(func(session.Event) {}); fold(history).Turns[0].Outcome != session.TurnCompleted {
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

// An interrupt while the journal is created opens neither endpoint nor agent.
func TestInvariant04InterruptWhileStoring(t *testing.T) {
	bubble(t, func(t *testing.T, w *sessiontest.World) {
		var s *session.Session
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

// Whoever attaches while another sink is behind gets nothing twice.
func TestAttachWhileAnotherIsBehind(t *testing.T) {
	bubble(t, func(t *testing.T, w *sessiontest.World) {
		m := w.Manager()
		s := draft(t, m)
		blocked, release := make(chan struct{}), make(chan struct{})
		var once sync.Once
		s.Attach(func(session.Event) { once.Do(func() { close(blocked); <-release }) })
		send(t, s, "go")
		<-blocked
		w.Agent.Turn(t).Text("a", "b")
		late := watch(s)
		close(release)
		closeAll(t, m)
		if n := late.count("part_started"); n != 1 || late.transcript().Turns[0].Entries[0].(*session.Part).Text() != "ab" || late.count("turn_started") != 1 {
			t.Errorf("saw %q", late.types())
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

// Invariant 15: with nobody there to answer, every ask is refused with a reason the model can read.
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
		if stored := fold(w.Journals.Stored(s.ID())); len(stored.Turns) != 1 || stored.Turns[0].Prompt.Text != "go" {
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
			if tr := fold(w.Journals.Stored(s.ID())); len(tr.Turns[0].Entries) > 0 {
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
		again := fold(after.Journals.Stored(s.ID()))
		if again.Turns[0].Outcome != session.TurnCancelled || len(again.Asks) != 0 || len(again.Queue) != 0 {
			t.Errorf("stored %+v", again)
		}
	})
}
