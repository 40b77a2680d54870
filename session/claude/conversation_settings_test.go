package claude

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"parley/session"
	"parley/session/claude/driver"
	"parley/session/proc"
)

// The next process starts with settings that were chosen without one.
func TestSettingsWhileDead(t *testing.T) {
	talk(t, func(t *testing.T, ch *chat) {
		ch.rt().die(driver.Exit{Exit: proc.Exit{Code: 1}})
		synctest.Wait()
		if err := ch.c.Configure(t.Context(), session.Settings{Model: "claude-test.1", Effort: "low"}); err != nil {
			t.Fatal(err)
		}
		ch.turn(1, "hello")
		if l := ch.rt().o.Launch; l.Effort != "low" || l.Mode != "default" {
			t.Errorf("%+v", l)
		}
	})
}

func TestConfigureLive(t *testing.T) {
	talk(t, func(t *testing.T, ch *chat) {
		set := func(s session.Settings) {
			t.Helper()
			if err := ch.c.Configure(t.Context(), s); err != nil {
				t.Fatal(err)
			}
		}
		set(session.Settings{Model: "claude-test.1", Effort: "high", Mode: session.ModePlan})
		set(session.Settings{Model: "claude-test.1", Effort: "high", Mode: session.ModePlan})
		set(session.Settings{Model: "claude-haiku-1", Effort: "high", Mode: session.ModePlan})
		set(session.Settings{Model: "claude-haiku-1", Effort: "", Mode: session.ModeDefault})
		want := []string{"mode plan", "effort high", "model claude-haiku-1", "effort ", "mode default"}
		if got := ch.rt().called(); !slices.Equal(got, want) {
			t.Errorf("told %q", got)
		}
		if err := ch.c.Configure(t.Context(), session.Settings{Mode: "auto"}); session.KindOf(err) != session.KindInvalid {
			t.Error(err)
		}
	})
}

func TestRefusedSettingIsTriedAgain(t *testing.T) {
	talk(t, func(t *testing.T, ch *chat) {
		ch.rt().fail["mode "] = driver.ErrUnsupported
		s := session.Settings{Model: "claude-test.1", Mode: session.ModePlan}
		if err := ch.c.Configure(t.Context(), s); session.KindOf(err) != session.KindUnsupported || !errors.Is(err, driver.ErrUnsupported) {
			t.Error(err)
		}
		delete(ch.rt().fail, "mode ")
		if err := ch.c.Configure(t.Context(), s); err != nil {
			t.Error(err)
		}
	})
}

func TestModelOfTheRuntime(t *testing.T) {
	talk(t, func(t *testing.T, ch *chat) {
		ch.turn(1, "hello")
		if got := eventsOf[session.ModelChanged](ch); len(got) != 0 {
			t.Errorf("told what is known: %+v", got)
		}
		done := ch.begin(context.Background(), turnID(2), "/model haiku")
		ch.rt().line(`{"type":"system","subtype":"init","model":"claude-haiku-1-20250101","permissionMode":"plan"}`)
		ch.rt().taken(string(turnID(2)))
		ch.rt().result()
		ch.finished(done)
		if got := eventsOf[session.ModelChanged](ch); len(got) != 1 || got[0].Model != "claude-haiku-1" {
			t.Errorf("%+v", got)
		}
		if got := eventsOf[session.ModeChanged](ch); len(got) != 1 || got[0].Mode != session.ModePlan {
			t.Errorf("%+v", got)
		}
		ch.rt().die(driver.Exit{})
		synctest.Wait()
		ch.turn(3, "x")
		if l := ch.rt().o.Launch; l.Model != "claude-haiku-1" || l.Mode != "plan" {
			t.Errorf("%+v", l)
		}
	})
}

func TestDefaultModelIsReported(t *testing.T) {
	talk(t, func(t *testing.T, ch *chat) {
		if l := ch.rt().o.Launch; l.Model != "claude-test-1" || l.SmallModel != "claude-haiku-1" {
			t.Errorf("%+v", l)
		}
		ch.turn(1, "hello")
		if got := eventsOf[session.ModelChanged](ch); len(got) != 1 || got[0].Model != "claude-test.1" {
			t.Errorf("%+v", got)
		}
	}, func(_ *Options, o *session.OpenOptions) { o.Settings.Model = "" })
}

func TestTrustChangesBetweenTurns(t *testing.T) {
	trusted := false
	talk(t, func(t *testing.T, ch *chat) {
		ch.turn(1, "hello")
		trusted = true
		ch.turn(2, "more")
		if ch.runtimes() != 2 || !ch.rt().o.Launch.Trusted {
			t.Errorf("%d runtimes, trusted %v", ch.runtimes(), ch.rt().o.Launch.Trusted)
		}
		changed := eventsOf[session.RuntimeChanged](ch)
		if !slices.ContainsFunc(changed, func(e session.RuntimeChanged) bool { return e.State == session.RuntimeRestarting && e.Gen == 2 }) {
			t.Errorf("%+v", changed)
		}
		ch.turn(3, "more")
		if ch.runtimes() != 2 {
			t.Error("restarted again")
		}
	}, func(o *Options, _ *session.OpenOptions) { o.Trusted = func(string) bool { return trusted } })
}

func TestFailedRestartLeavesThingsAsTheyAre(t *testing.T) {
	talk(t, func(t *testing.T, ch *chat) {
		ch.rt().die(driver.Exit{Exit: proc.Exit{Code: 1}})
		synctest.Wait()
		refuse := &session.Error{Op: opOpen, Kind: session.KindRuntime, Err: errors.New("no such file")}
		ch.onStart = func(context.Context, *fake) error { return refuse }
		err := ch.c.Send(t.Context(), turnID(1), session.Prompt{Text: "hello"}, session.OriginUser)
		if !errors.Is(err, refuse) {
			t.Error(err)
		}
		if len(eventsOf[session.TurnStarted](ch)) != 0 {
			t.Error("a turn began that was not delivered")
		}
		ch.onStart = nil
		ch.turn(1, "hello")
	})
}

func TestIdleRelease(t *testing.T) {
	talk(t, func(t *testing.T, ch *chat) {
		done := ch.begin(context.Background(), turnID(1), "hello")
		time.Sleep(3 * time.Hour)
		synctest.Wait()
		first := ch.rt()
		select {
		case <-first.done:
			t.Fatal("released in a turn")
		default:
		}
		first.line(`{"type":"system","subtype":"task_started","task_id":"b1","task_type":"local_bash","tool_use_id":"t9"}`)
		first.line(`{"type":"system","subtype":"task_started","task_id":"b2","task_type":"local_bash","tool_use_id":"t8"}`)
		first.answer(string(turnID(1)), "hi")
		ch.finished(done)
		first.line(`{"type":"system","subtype":"task_updated","task_id":"b1","patch":{"status":"running"}}`)
		first.line(`{"type":"system","subtype":"task_updated","task_id":"b2","patch":{"status":"killed","end_time":1}}`)
		time.Sleep(3 * time.Hour)
		synctest.Wait()
		select {
		case <-first.done:
			t.Fatal("released while work runs in the background")
		default:
		}
		first.line(`{"type":"system","subtype":"task_notification","task_id":"b1","status":"completed"}`)
		time.Sleep(3 * time.Hour)
		synctest.Wait()
		select {
		case <-first.done:
		default:
			t.Fatal("not released")
		}
		for _, e := range eventsOf[session.RuntimeChanged](ch) {
			if e.State == session.RuntimeExited {
				t.Error("a release looks like a crash")
			}
		}
		ch.turn(2, "again")
		if ch.runtimes() != 2 {
			t.Error(ch.runtimes())
		}
		if got := states(ch); !slices.Equal(got, []string{"starting 1", "starting 2"}) {
			t.Error(got)
		}
	}, func(o *Options, _ *session.OpenOptions) { o.IdleAfter = time.Hour })
}

// states returns the reported states of processes before their start, with their generations.
func states(ch *chat) []string {
	var out []string
	for _, e := range eventsOf[session.RuntimeChanged](ch) {
		if e.State == session.RuntimeStarting || e.State == session.RuntimeRestarting {
			out = append(out, fmt.Sprint(e.State, " ", e.Gen))
		}
	}
	return out
}

// The start of a process is reported at its beginning, and as a restart only after a crash or a change.
func TestStartsAreReported(t *testing.T) {
	talk(t, func(t *testing.T, ch *chat) {
		ch.turn(1, "hello")
		ch.rt().die(driver.Exit{Exit: proc.Exit{Code: 1}})
		synctest.Wait()
		var before []string
		ch.onStart = func(context.Context, *fake) error {
			before = states(ch)
			return nil
		}
		ch.turn(2, "again")
		want := []string{"starting 1", "restarting 2"}
		if !slices.Equal(before, want) || !slices.Equal(states(ch), want) {
			t.Errorf("before the start %q, after it %q", before, states(ch))
		}
	})
	warmBubble(t, func(t *testing.T, ch *chat, o session.OpenOptions) {
		if _, err := ch.a.Warm(t.Context(), o); err != nil {
			t.Fatal(err)
		}
		c := ch.open(o)
		if got := states(ch); len(got) != 0 {
			t.Errorf("nothing has to start: %q", got)
		}
		if err := c.Close(t.Context()); err != nil {
			t.Error(err)
		}
	})
}

func TestCloseInATurn(t *testing.T) {
	talk(t, func(t *testing.T, ch *chat) {
		done := ch.begin(context.Background(), turnID(1), "hello")
		ch.rt().ask("ask-1", `{"subtype":"can_use_tool","tool_name":"Bash","tool_use_id":"t1","input":{"command":"make"}}`)
		synctest.Wait()
		if err := ch.c.Close(context.Background()); err != nil {
			t.Fatal(err)
		}
		ch.finished(done)
		if got := ch.ends(); !slices.Equal(got, []string{"1:cancelled"}) {
			t.Error(got)
		}
		if err := ch.c.Send(t.Context(), turnID(2), session.Prompt{Text: "x"}, session.OriginUser); session.KindOf(err) != session.KindRuntime {
			t.Error(err)
		}
	})
}

// A conversation that was cleared goes on under another id in the runtime's files, also after parley was started again.
func TestIDAfterTheConversationWasCleared(t *testing.T) {
	const cleared = "11111111-2222-4333-8444-555555555555"
	talk(t, func(t *testing.T, ch *chat) {
		done := ch.begin(context.Background(), turnID(1), "/clear")
		ch.rt().line(`{"type":"conversation_reset","new_conversation_id":%q}`, cleared)
		ch.rt().answer(string(turnID(1)), "")
		ch.finished(done)
		ch.rt().die(driver.Exit{Exit: proc.Exit{Code: 1}})
		synctest.Wait()
		ch.turn(2, "hello")
		if got := ch.rt().o.Launch.Session; got != cleared {
			t.Errorf("restarted as %s", got)
		}
	})
	past := &session.Transcript{}
	past.Apply(session.TurnStarted{Head: session.Head{Session: "0f8fad5b-d9cb-469f-a165-70867728950e", Turn: "t", Gen: 1}})
	past.Apply(session.SessionIDChanged{Head: session.Head{Session: "0f8fad5b-d9cb-469f-a165-70867728950e", Turn: "t", Gen: 1}, ID: cleared})
	talk(t, func(t *testing.T, ch *chat) {
		if got := ch.rt().o.Launch.Session; got != cleared {
			t.Errorf("opened as %s", got)
		}
	}, func(_ *Options, o *session.OpenOptions) { o.History, o.Gen = past, 2 })
}

func TestCredits(t *testing.T) {
	spent := int64(100) // before the conversation was opened
	talk(t, func(t *testing.T, ch *chat) {
		spent = 130
		ch.turn(1, "hello")
		ch.turn(2, "free")
		spent = 150
		ch.turn(3, "more")
		spent = 160 // settled after the end of the turn, as the 20 before
		ch.turn(4, "more")
		spent = 175
		if err := ch.c.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, e := range eventsOf[session.CreditsReported](ch) {
			got = append(got, fmt.Sprint(short(e.Turn), " ", e.NanoAIU))
		}
		if !slices.Equal(got, []string{"1 30", "2 20", "3 10", "4 15"}) {
			t.Error(got)
		}
	}, func(o *Options, _ *session.OpenOptions) { o.Spent = func(session.ID) int64 { return spent } })
}

func TestQuietIsReported(t *testing.T) {
	talk(t, func(t *testing.T, ch *chat) {
		done := ch.begin(context.Background(), turnID(1), "hello")
		ch.rt().o.Quiet(3 * time.Minute)
		ch.rt().o.Quiet(6 * time.Minute)
		notices := eventsOf[session.Notice](ch)
		if len(notices) != 1 || !strings.Contains(notices[0].Text, "3 minutes") {
			t.Errorf("%+v", notices)
		}
		ch.running(done)
		ch.rt().answer(string(turnID(1)), "hi")
		ch.finished(done)
		ch.rt().o.Quiet(3 * time.Minute)
		if len(eventsOf[session.Notice](ch)) != 1 {
			t.Error("told between turns")
		}
	})
}

// oneCustom finds the custom agent "reviewer".
type oneCustom struct{}

func (oneCustom) Customs(context.Context, string) session.Customs { return session.Customs{} }

func (oneCustom) Chosen(_ context.Context, _, custom string) (*session.CustomAgent, error) {
	if custom == "" {
		return nil, nil
	}
	return &session.CustomAgent{Name: custom, Prompt: "You are " + custom + "."}, nil
}

// Another custom agent needs another process, once; a conversation that one has held keeps no earlier system prompt.
func TestCustomAgentChangesBetweenTurns(t *testing.T) {
	talk(t, func(t *testing.T, ch *chat) {
		for i, step := range []struct {
			custom   string
			runtimes int
			fresh    bool
		}{{"", 1, false}, {"reviewer", 2, true}, {"reviewer", 2, true}, {"writer", 3, true}, {"", 4, true}, {"", 4, true}} {
			if err := ch.c.Configure(t.Context(), session.Settings{Model: "claude-test.1", Mode: session.ModeDefault, Custom: step.custom}); err != nil {
				t.Fatal(err)
			}
			ch.turn(i+1, "hello")
			if l := ch.rt().o.Launch; ch.runtimes() != step.runtimes || l.FreshPrompt != step.fresh {
				t.Errorf("turn %d as %q: %d runtimes, fresh prompt %v", i+1, step.custom, ch.runtimes(), l.FreshPrompt)
			}
		}
		restarts := 0
		for _, e := range eventsOf[session.RuntimeChanged](ch) {
			if e.State == session.RuntimeRestarting && strings.Contains(e.Detail, "custom agent") {
				restarts++
			}
		}
		if restarts != 3 {
			t.Errorf("%d restarts were reported", restarts)
		}
	}, func(o *Options, _ *session.OpenOptions) { o.Customs = oneCustom{} })
}
