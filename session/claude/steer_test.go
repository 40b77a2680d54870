package claude

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"parley/session"
	"parley/session/claude/driver"
	"parley/session/proc"
)

func (ch *chat) steer(n int, text string) bool {
	ch.t.Helper()
	taken, err := ch.c.(session.Steerer).Steer(ch.t.Context(), session.Prompt{ID: session.PromptID(turnID(n)), Text: text})
	if err != nil {
		ch.t.Error(err)
	}
	synctest.Wait()
	return taken
}

// steered are the prompts that were taken into running turns, as "prompt>turn".
func (ch *chat) steered() []string {
	var out []string
	for _, e := range eventsOf[session.Steered](ch) {
		out = append(out, short(session.TurnID(e.Prompt))+">"+short(e.Turn))
	}
	return out
}

func (ch *chat) begun() []string {
	var out []string
	for _, e := range eventsOf[session.TurnStarted](ch) {
		out = append(out, short(e.Turn)+":"+string(e.Origin))
	}
	return out
}

func TestSteerIntoTheTurn(t *testing.T) {
	talk(t, func(t *testing.T, ch *chat) {
		done := ch.begin(context.Background(), turnID(1), "work")
		rt := ch.rt()
		rt.start()
		rt.taken(string(turnID(1)))
		rt.tool("t1", "Bash", `{"command":"sleep 1"}`)
		synctest.Wait()
		if !ch.steer(2, "and this") {
			t.Fatal("not taken")
		}
		if got := rt.sent[1]; got.Priority != "next" || got.UUID != string(turnID(2)) {
			t.Errorf("%+v", got)
		}
		if len(ch.steered()) != 0 {
			t.Error("told before it was taken up")
		}
		rt.line(`{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t1","content":"ok"}]}}`)
		rt.taken(string(turnID(2)))
		rt.text("m2", "both")
		rt.result()
		ch.finished(done)
		if got := ch.steered(); !slices.Equal(got, []string{"2>1"}) {
			t.Error(got)
		}
		if got := ch.ends(); !slices.Equal(got, []string{"1:completed"}) {
			t.Error(got)
		}
	})
}

// Prompts that come too late for the turn get one of their own, and the send that they were steered into lasts so long.
func TestSteerBecomesATurn(t *testing.T) {
	talk(t, func(t *testing.T, ch *chat) {
		done := ch.begin(context.Background(), turnID(1), "work")
		rt := ch.rt()
		rt.start()
		rt.taken(string(turnID(1)))
		synctest.Wait()
		ch.steer(2, "two")
		ch.steer(3, "three")
		rt.text("m1", "first")
		rt.result()
		ch.running(done)
		if !ch.steer(4, "four") {
			t.Error("between its turns the runtime takes prompts too")
		}
		rt.taken(string(turnID(2)))
		rt.start()
		rt.taken(string(turnID(3)))
		rt.text("m2", "second")
		rt.result()
		ch.running(done)
		rt.answer(string(turnID(4)), "third")
		ch.finished(done)
		if got := ch.begun(); !slices.Equal(got, []string{"1:user", "2:steer", "4:steer"}) {
			t.Error(got)
		}
		if got := ch.steered(); !slices.Equal(got, []string{"3>2"}) {
			t.Error(got)
		}
		if got := ch.ends(); !slices.Equal(got, []string{"1:completed", "2:completed", "4:completed"}) {
			t.Error(got)
		}
	})
}

// A runtime that does not echo prompts opens the turn of a waiting one by speaking.
func TestSteeredTurnWithoutEcho(t *testing.T) {
	talk(t, func(t *testing.T, ch *chat) {
		done := ch.begin(context.Background(), turnID(1), "work")
		rt := ch.rt()
		rt.taken(string(turnID(1)))
		synctest.Wait()
		ch.steer(2, "two")
		rt.result()
		rt.start()
		rt.text("m2", "second")
		rt.result()
		ch.finished(done)
		if got := ch.begun(); !slices.Equal(got, []string{"1:user", "2:steer"}) {
			t.Error(got)
		}
	})
}

func TestSteerWithoutATurn(t *testing.T) {
	talk(t, func(t *testing.T, ch *chat) {
		if ch.steer(1, "x") {
			t.Error("taken without a turn")
		}
		ch.turn(2, "hello")
		if ch.steer(3, "x") {
			t.Error("taken after a turn")
		}
	})
}

// What was steered and not begun is taken back by an interrupt, and belongs to the queue again.
func TestSteerAndAbort(t *testing.T) {
	talk(t, func(t *testing.T, ch *chat) {
		ctx, cancel := context.WithCancel(t.Context())
		done := ch.begin(ctx, turnID(1), "work")
		rt := ch.rt()
		rt.queued = func(uuid string) bool { return uuid == string(turnID(2)) }
		rt.taken(string(turnID(1)))
		synctest.Wait()
		ch.steer(2, "two")
		cancel()
		ch.finished(done)
		if got := ch.begun(); !slices.Equal(got, []string{"1:user"}) {
			t.Error(got)
		}
		if len(ch.steered()) != 0 {
			t.Error(ch.steered())
		}
	})
}

// A steered prompt that becomes a turn while the user interrupts is interrupted too.
func TestSteeredTurnIsInterruptedToo(t *testing.T) {
	talk(t, func(t *testing.T, ch *chat) {
		ctx, cancel := context.WithCancel(t.Context())
		done := ch.begin(ctx, turnID(1), "work")
		rt := ch.rt()
		rt.taken(string(turnID(1)))
		synctest.Wait()
		ch.steer(2, "two")
		rt.onStop = nil
		rt.result()
		synctest.Wait()
		cancel()
		synctest.Wait()
		rt.onStop = rt.aborted
		rt.taken(string(turnID(2)))
		rt.start()
		time.Sleep(3 * interruptAgain)
		ch.finished(done)
		if got := ch.ends(); !slices.Equal(got, []string{"1:completed", "2:cancelled"}) {
			t.Error(got)
		}
		if ch.runtimes() != 1 {
			t.Error("it was killed")
		}
		ch.turn(3, "go on")
	})
}

func TestSteerAndCrash(t *testing.T) {
	talk(t, func(t *testing.T, ch *chat) {
		done := ch.begin(context.Background(), turnID(1), "work")
		ch.rt().taken(string(turnID(1)))
		synctest.Wait()
		ch.steer(2, "two")
		ch.rt().die(driver.Exit{Exit: proc.Exit{Code: 1}})
		ch.finished(done)
		// The manager sends it as an ordinary prompt. The dead process may have stored it, so it gets another uuid.
		done = ch.begin(context.Background(), turnID(2), "two")
		uuid := ch.rt().sent[0].UUID
		if uuid == string(turnID(2)) {
			t.Error("written under the same uuid")
		}
		ch.rt().answer(uuid, "ok")
		ch.finished(done)
		if got := ch.ends(); !slices.Equal(got, []string{"1:failed", "2:completed"}) {
			t.Error(got)
		}
	})
}

func TestSteerThatCannotBeWritten(t *testing.T) {
	talk(t, func(t *testing.T, ch *chat) {
		done := ch.begin(context.Background(), turnID(1), "work")
		rt := ch.rt()
		rt.taken(string(turnID(1)))
		synctest.Wait()
		rt.fail["send"] = errGone
		if taken, err := ch.c.(session.Steerer).Steer(t.Context(), session.Prompt{ID: "p", Text: "x"}); taken || !errors.Is(err, errGone) {
			t.Error(taken, err)
		}
		rt.result()
		ch.finished(done)
	})
}

// A runtime that never says what it takes up has taken everything up once it is idle.
func TestSteerWithoutEchoEndsWithIdle(t *testing.T) {
	talk(t, func(t *testing.T, ch *chat) {
		done := ch.begin(context.Background(), turnID(1), "work")
		rt := ch.rt()
		rt.start()
		synctest.Wait()
		ch.steer(2, "two")
		rt.text("m1", "both")
		rt.result()
		ch.running(done)
		rt.idle()
		ch.finished(done)
		if got := ch.steered(); !slices.Equal(got, []string{"2>1"}) {
			t.Error(got)
		}
	})
}

// Between a result and the echo of what was steered just then, idle means nothing.
func TestIdleBeforeTheSteeredPromptIsRead(t *testing.T) {
	talk(t, func(t *testing.T, ch *chat) {
		done := ch.begin(context.Background(), turnID(1), "work")
		rt := ch.rt()
		rt.taken(string(turnID(1)))
		synctest.Wait()
		ch.steer(2, "two")
		rt.result()
		rt.idle()
		ch.running(done)
		rt.answer(string(turnID(2)), "second")
		ch.finished(done)
		if got := ch.begun(); !slices.Equal(got, []string{"1:user", "2:steer"}) {
			t.Error(got)
		}
	})
}

// A prompt that is written while the runtime ends autonomous work gets its own answer, although the runtime idles between.
func TestPromptMeetsWorkOfTheRuntime(t *testing.T) {
	talk(t, func(t *testing.T, ch *chat) {
		ch.turn(1, "first") // whose echo shows that this runtime echoes
		done := ch.begin(context.Background(), turnID(2), "hello")
		rt := ch.rt()
		rt.start()
		rt.text("m2", "the colleague is done")
		rt.result()
		rt.idle()
		ch.running(done)
		rt.answer(string(turnID(2)), "hello to you")
		ch.finished(done)
		if got := ch.ends(); !slices.Equal(got, []string{"1:completed", "2:completed"}) {
			t.Error(got)
		}
	})
}

// A command of the runtime is never echoed: its turn is over when the runtime rests, also where prompts are echoed.
func TestCommandEndsWithIdle(t *testing.T) {
	talk(t, func(t *testing.T, ch *chat) {
		ch.turn(1, "first")
		done := ch.begin(context.Background(), turnID(2), "/compact")
		rt := ch.rt()
		rt.start()
		rt.result()
		ch.running(done)
		rt.idle()
		ch.finished(done)
	})
}
