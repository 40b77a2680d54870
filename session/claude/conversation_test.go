package claude

import (
	"context"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"parley/session"
	"parley/session/claude/driver"
	"parley/session/proc"
)

func TestTwoTurnsOneProcess(t *testing.T) {
	talk(t, func(t *testing.T, ch *chat) {
		ch.turn(1, "hello")
		ch.turn(2, "more")
		if n := ch.runtimes(); n != 1 {
			t.Errorf("%d runtimes", n)
		}
		if got := ch.ends(); !slices.Equal(got, []string{"1:completed", "2:completed"}) {
			t.Error(got)
		}
		for i, m := range ch.rt().sent {
			if m.UUID != string(turnID(i+1)) {
				t.Errorf("prompt %d was written as %s", i, m.UUID)
			}
		}
	})
}

func TestOnlyTheStartIsReportedBeforeTheHandshake(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ch, open := fakeWorld(t)
		ctx, cancel := context.WithCancel(t.Context())
		release := make(chan struct{})
		ch.onStart = func(context.Context, *fake) error {
			<-release // a runtime that does not heed the cancel
			return nil
		}
		done := make(chan error, 1)
		go func() {
			_, err := ch.a.Open(ctx, open)
			done <- err
		}()
		synctest.Wait()
		cancel()
		synctest.Wait()
		close(release)
		if err := <-done; session.KindOf(err) != session.KindCancelled {
			t.Errorf("Open: %v", err)
		}
		synctest.Wait()
		<-ch.rt().done
		told := ch.list()
		if starting, ok := told[0].(session.RuntimeChanged); len(told) != 1 || !ok || starting.State != session.RuntimeStarting || starting.Gen != 1 {
			t.Errorf("told: %s", outlineOf(told))
		}
	})
}

func TestIDOfATurnThatIsNoUUID(t *testing.T) {
	talk(t, func(t *testing.T, ch *chat) {
		done := ch.begin(context.Background(), "turn-1", "hello")
		uuid := ch.rt().sent[0].UUID
		if len(uuid) != 36 {
			t.Errorf("written as %q", uuid)
		}
		ch.rt().answer(uuid, "hi")
		ch.finished(done)
		if got := ch.ends(); !slices.Equal(got, []string{"turn-1:completed"}) {
			t.Error(got)
		}
	})
}

// A result that belongs to work the runtime began itself does not end the turn of a prompt that it has not taken up.
func TestResultOfSomethingElse(t *testing.T) {
	talk(t, func(t *testing.T, ch *chat) {
		done := ch.begin(context.Background(), turnID(1), "hello")
		rt := ch.rt()
		rt.start()
		rt.text("m-task", "The task is done.")
		rt.result()
		ch.running(done)
		rt.answer(string(turnID(1)), "hi")
		ch.finished(done)
		if got := ch.ends(); !slices.Equal(got, []string{"1:completed"}) {
			t.Error(got)
		}
	})
}

// A runtime that does not echo prompts ends a turn by saying that it is idle.
func TestIdleEndsATurnWithoutEcho(t *testing.T) {
	talk(t, func(t *testing.T, ch *chat) {
		done := ch.begin(context.Background(), turnID(1), "/context")
		rt := ch.rt()
		rt.start()
		rt.text("m1", "Tokens: 12")
		rt.result()
		ch.running(done)
		rt.idle()
		ch.finished(done)
		if got := ch.ends(); !slices.Equal(got, []string{"1:completed"}) {
			t.Error(got)
		}
	})
}

func TestAutonomousTurn(t *testing.T) {
	talk(t, func(t *testing.T, ch *chat) {
		ch.turn(1, "hello")
		rt := ch.rt()
		rt.start()
		rt.text("m-own", "The build has ended.")
		synctest.Wait()
		done := ch.begin(context.Background(), turnID(2), "next")
		if n := len(rt.sent); n != 1 {
			t.Errorf("%d prompts written while the runtime is busy with its own", n)
		}
		rt.result()
		synctest.Wait()
		rt.answer(string(turnID(2)), "yes")
		ch.finished(done)
		if got := ch.ends(); len(got) != 3 || got[0] != "1:completed" || got[2] != "2:completed" {
			t.Error(got)
		}
		var own []session.Origin
		for _, e := range eventsOf[session.TurnStarted](ch) {
			own = append(own, e.Origin)
		}
		if !slices.Equal(own, []session.Origin{session.OriginUser, session.OriginAutonomous, session.OriginUser}) {
			t.Error(own)
		}
	})
}

func TestAbortOfAnAutonomousTurn(t *testing.T) {
	talk(t, func(t *testing.T, ch *chat) {
		ch.turn(1, "hello")
		ch.rt().start()
		ch.rt().text("m-own", "The build has ended.")
		synctest.Wait()
		ch.c.Abort()
		synctest.Wait()
		if got := ch.ends(); len(got) != 2 || !strings.HasSuffix(got[1], ":cancelled") {
			t.Error(got)
		}
		ch.turn(2, "go on")
	})
}

func TestAbort(t *testing.T) {
	talk(t, func(t *testing.T, ch *chat) {
		ctx, cancel := context.WithCancel(t.Context())
		done := ch.begin(ctx, turnID(1), "long")
		rt := ch.rt()
		rt.start()
		rt.taken(string(turnID(1)))
		synctest.Wait()
		cancel()
		for range 1000 {
			ch.c.Abort()
		}
		ch.finished(done)
		n := 0
		for _, call := range rt.called() {
			if call == "interrupt" {
				n++
			}
		}
		if n != 1 {
			t.Errorf("%d interrupts", n)
		}
		if got := ch.ends(); !slices.Equal(got, []string{"1:cancelled"}) {
			t.Error(got)
		}
		ch.turn(2, "again")
		if ch.runtimes() != 1 {
			t.Error("an interrupt cost the process")
		}
	})
}

// A prompt that the runtime has not begun yet is taken back.
func TestAbortBeforeThePromptIsTakenUp(t *testing.T) {
	talk(t, func(t *testing.T, ch *chat) {
		rt := ch.rt()
		rt.queued = func(uuid string) bool { return uuid == string(turnID(1)) }
		ctx, cancel := context.WithCancel(t.Context())
		done := ch.begin(ctx, turnID(1), "long")
		cancel()
		ch.finished(done)
		if slices.Contains(rt.called(), "interrupt") {
			t.Error("interrupted what never began")
		}
		if got := ch.ends(); !slices.Equal(got, []string{"1:cancelled"}) {
			t.Error(got)
		}
	})
}

// An interrupt that meets nothing is repeated, because the prompt may begin just after it.
func TestInterruptIsRepeated(t *testing.T) {
	talk(t, func(t *testing.T, ch *chat) {
		rt := ch.rt()
		n := 0
		rt.onStop = func() {
			if n++; n == 3 {
				rt.aborted()
			}
		}
		ctx, cancel := context.WithCancel(t.Context())
		done := ch.begin(ctx, turnID(1), "long")
		rt.taken(string(turnID(1)))
		cancel()
		time.Sleep(4 * interruptAgain)
		ch.finished(done)
		if n != 3 || ch.ends()[0] != "1:cancelled" {
			t.Error(n, ch.ends())
		}
	})
}

func TestHungRuntimeIsKilledAndResumed(t *testing.T) {
	talk(t, func(t *testing.T, ch *chat) {
		ch.rt().onStop = nil // deaf
		ctx, cancel := context.WithCancel(t.Context())
		done := ch.begin(ctx, turnID(1), "long")
		cancel()
		time.Sleep(time.Minute)
		ch.finished(done)
		if got := ch.ends(); !slices.Equal(got, []string{"1:cancelled"}) {
			t.Error(got)
		}
		<-ch.rt().done
		ch.turn(2, "again")
		if ch.runtimes() != 2 {
			t.Errorf("%d runtimes", ch.runtimes())
		}
		if last := ch.list()[len(ch.list())-1]; last.Header().Gen != 2 {
			t.Errorf("it speaks as generation %d", last.Header().Gen)
		}
	})
}

func TestAbortStorm(t *testing.T) {
	talk(t, func(t *testing.T, ch *chat) {
		rt := ch.rt()
		rt.onSend = func(m driver.UserMessage) {
			rt.start()
			rt.taken(m.UUID)
			rt.text("m-"+m.UUID, "some")
		}
		for n := range 1000 {
			ctx, cancel := context.WithCancel(t.Context())
			done := ch.begin(ctx, turnID(n+1), "long")
			cancel()
			ch.c.Abort()
			ch.finished(done)
		}
		if got := len(eventsOf[session.TurnEnded](ch)); got != 1000 {
			t.Errorf("%d ends", got)
		}
		for _, e := range eventsOf[session.TurnEnded](ch) {
			if e.Outcome != session.TurnCancelled {
				t.Fatal(e)
			}
		}
		if ch.runtimes() != 1 {
			t.Errorf("%d runtimes", ch.runtimes())
		}
	})
}

func TestCrash(t *testing.T) {
	talk(t, func(t *testing.T, ch *chat) {
		done := ch.begin(context.Background(), turnID(1), "hello")
		rt := ch.rt()
		rt.start()
		rt.taken(string(turnID(1)))
		rt.text("m1", "half an ans")
		rt.ask("ask-1", `{"subtype":"can_use_tool","tool_name":"Bash","tool_use_id":"t1","input":{"command":"make"}}`)
		synctest.Wait()
		if err := ch.c.Configure(t.Context(), session.Settings{Model: "claude-haiku-1", Effort: "high", Mode: session.ModeAcceptEdits}); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		rt.die(driver.Exit{Exit: proc.Exit{Code: -1, Signal: "killed"}, Stderr: "one\nout of memory\n"})
		ch.finished(done)
		ended := eventsOf[session.TurnEnded](ch)
		if len(ended) != 1 || ended[0].Outcome != session.TurnFailed || ended[0].Problem == nil || !ended[0].Problem.Retry {
			t.Fatalf("%+v", ended)
		}
		changed := eventsOf[session.RuntimeChanged](ch)
		if last := changed[len(changed)-1]; last.State != session.RuntimeExited || last.Detail != "killed: out of memory\none" {
			t.Errorf("%+v", last)
		}
		if err := ch.answers("ask-1", session.Answer{Decision: session.Allow}); session.KindOf(err) != session.KindNotFound {
			t.Errorf("an ask of a dead process: %v", err)
		}
		ch.turn(2, "again")
		l := ch.rt().o.Launch
		if l.Model != "claude-haiku-1" || l.Effort != "" || l.Mode != "acceptEdits" {
			t.Errorf("restarted with %q %q %q", l.Model, l.Effort, l.Mode)
		}
	})
}
