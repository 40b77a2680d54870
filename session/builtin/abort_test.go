package builtin

import (
	"context"
	"strconv"
	"strings"
	"testing"

	"parley/session"
	"parley/session/builtin/wire"
)

// abortOn interrupts as soon as an event of the kind is seen.
func abortOn[E session.Event](ch *chat) {
	ch.on = func(e session.Event) {
		if _, ok := e.(E); ok {
			ch.c.Abort()
		}
	}
}

func checkCancelled(t *testing.T, ch *chat, end session.TurnEnded) {
	t.Helper()
	if end.Outcome != session.TurnCancelled || end.Problem != nil {
		t.Errorf("%+v", end)
	}
	for _, e := range eventsOf[session.ToolEnded](ch) {
		if e.Outcome == session.ToolFailed {
			t.Errorf("%+v", e)
		}
	}
}

func TestAbortInTheStream(t *testing.T) {
	partial := frame("content_block_start", `,"index":0,"content_block":{"type":"text","text":""}`) + delta(0, `"type":"text_delta","text":"so far"`)
	open := frame("content_block_start", `,"index":1,"content_block":{"type":"tool_use","id":"c1","name":"Glob","input":{}}`) +
		delta(1, `"type":"input_json_delta","partial_json":"{\"pat"`)
	for name, frames := range map[string]string{
		"nothing yet": "", "begun": start("m"), "words": start("m") + partial, "input": start("m") + partial + open,
		"whole call": start("m") + use(0, "c2", "Glob", `{"pattern":"*"}`),
	} {
		t.Run(name, func(t *testing.T) {
			s := newService(t)
			s.add(s.hang(frames), says("fine"))
			ch := openChat(t, s)
			// At the last thing the client can see of these frames.
			switch name {
			case "words":
				abortOn[session.PartDelta](ch)
			case "input":
				abortOn[session.ToolInput](ch)
			case "whole call":
				abortOn[session.ToolReady](ch)
			default:
				go func() {
					<-s.held
					ch.c.Abort()
				}()
			}
			checkCancelled(t, ch, ch.send("x"))
			ch.on = nil
			if end := ch.send("go on"); end.Outcome != session.TurnCompleted {
				t.Errorf("%+v", end)
			}
			second := s.messages(1)
			checkShape(t, second)
			last := second[len(second)-1].Content
			if n := len(last); n < 2 || last[n-2].Text != wire.InterruptedNote || last[n-1].Text != "go on" {
				t.Errorf("%+v", last)
			}
			if strings.Contains(frames, "so far") && second[1].Content[0].Text != "so far" {
				t.Errorf("what was said is lost: %+v", second)
			}
		})
	}
}

func TestAbortWhileAsking(t *testing.T) {
	s := newService(t)
	ch := openChat(t, s)
	abortOn[session.Asked](ch)
	for i := range 50 {
		s.add(callsReply([3]string{"e" + strconv.Itoa(i), "Write", `{"file_path":"a","content":"x"}`}, [3]string{"f" + strconv.Itoa(i), "Glob", `{"pattern":"*"}`}))
		checkCancelled(t, ch, ch.send("x"))
	}
	for _, e := range eventsOf[session.Settled](ch) {
		if e.How != session.SettledCancelled {
			t.Errorf("%+v", e)
		}
	}
	ch.on = nil
	s.add(says("fine"))
	ch.send("go on")
	checkShape(t, s.messages(50))
}

func TestAbortByContext(t *testing.T) {
	s := newService(t)
	s.add(s.hang(start("m")))
	ch := openChat(t, s)
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		<-s.held
		cancel()
	}()
	if err := ch.c.Send(ctx, "t", session.Prompt{Text: "x"}, session.OriginUser); err != nil {
		t.Fatal(err)
	}
	ended := eventsOf[session.TurnEnded](ch)
	if len(ended) != 1 || ended[0].Outcome != session.TurnCancelled {
		t.Errorf("%+v", ended)
	}
}

func TestAbortWhileWaitingToRetry(t *testing.T) {
	s := newService(t, fault(529, ""), says("never"))
	ch := openChat(t, s)
	abortOn[session.RetryScheduled](ch)
	checkCancelled(t, ch, ch.send("x"))
	if n := len(s.requests()); n != 1 {
		t.Errorf("%d requests", n)
	}
}

func TestCloseInTheStream(t *testing.T) {
	s := newService(t)
	s.add(s.hang(start("m")))
	ch := openChat(t, s)
	done := make(chan error, 1)
	go func() { done <- ch.c.Send(context.Background(), "t", session.Prompt{Text: "x"}, session.OriginUser) }()
	<-s.held
	if err := ch.c.Close(context.Background()); err != nil {
		t.Fatal(err)
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
	if err := ch.c.Send(context.Background(), "t2", session.Prompt{Text: "x"}, session.OriginUser); session.KindOf(err) != session.KindRuntime {
		t.Error(err)
	}
	if got := names(ch.all()); !strings.HasSuffix(got, "turn_ended") {
		t.Error(got)
	}
}

func TestSecondSendIsRefused(t *testing.T) {
	s := newService(t)
	s.add(s.hang(start("m")))
	ch := openChat(t, s)
	done := make(chan error, 1)
	go func() { done <- ch.c.Send(context.Background(), "t", session.Prompt{Text: "x"}, session.OriginUser) }()
	<-s.held
	if err := ch.c.Send(context.Background(), "t2", session.Prompt{Text: "y"}, session.OriginUser); session.KindOf(err) != session.KindInternal {
		t.Error(err)
	}
	ch.c.Abort()
	<-done
}
