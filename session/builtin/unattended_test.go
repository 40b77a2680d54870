package builtin

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"testing"

	"parley/session"
	"parley/session/builtin/wire"
)

func unattended(o *Options, _ *session.OpenOptions) { o.Unattended = true }

// Where nobody answers, no tool that asks is offered, and the model reads what a run is.
func TestNobodyIsAsked(t *testing.T) {
	for _, alone := range []bool{false, true} {
		s := newService(t, callsReply([3]string{"q", "AskUserQuestion", `{}`}, [3]string{"b", "Bash", `{"command":"sleep 1000","run_in_background":true}`}), says("ok"))
		opts := []chatOption{mode(session.ModePlan)}
		if alone {
			opts = append(opts, unattended)
		}
		opts = append(opts, mode(session.ModeBypass))
		ch := openChat(t, s, opts...)
		ch.send("x")
		body := s.requests()[0]
		for name, inside := range map[string]bool{`"AskUserQuestion"`: !alone, `"ExitPlanMode"`: !alone, "AskUserQuestion": !alone,
			"are told when it ends": !alone, "Nobody is there": alone, `"name":"Bash"`: true} {
			if strings.Contains(body, name) != inside {
				t.Errorf("alone %v: %s in the request: %v", alone, name, !inside)
			}
		}
		ends := ch.ended()
		if got := ends["q"].Result.Text; strings.Contains(got, "no tool") != alone {
			t.Errorf("alone %v: %s", alone, got)
		}
		if got := ends["b"].Result.Sent; strings.Contains(got, "You are told when it ends") == alone || strings.Contains(got, "ends with this run") != alone {
			t.Errorf("alone %v: %s", alone, got)
		}
	}
}

// In plan mode the plan is the answer where nobody approves it.
func TestUnattendedPlan(t *testing.T) {
	s := newService(t, says("1. Do it."))
	ch := openChat(t, s, mode(session.ModePlan), unattended)
	ch.send("x")
	if note := s.note(0); !strings.Contains(note, "your last answer is the whole plan") || strings.Contains(note, "ExitPlanMode") {
		t.Error(note)
	}
}

// Settle returns after the turn that the end of a child begins, also of one that such a turn starts, and with the context.
func TestSettleWaitsForChildrenAndTheirTurns(t *testing.T) {
	over := make(chan struct{}, 3)
	after := func(r reply) reply { // a turn has ended
		return func(w http.ResponseWriter, req *http.Request) {
			<-over
			r(w, req)
		}
	}
	s := always(t, map[string][]reply{
		"begin":     {callsReply(task("c1", "long work", `,"run_in_background":true`)), says("It runs."), callsReply(task("c2", "more work", `,"run_in_background":true`)), says("Again."), says("All done.")},
		"long work": {after(says("a teapot"))}, "more work": {after(says("a kettle"))},
	})
	ch := openChat(t, s, unattended)
	ch.on = func(e session.Event) {
		if _, ok := e.(session.TurnEnded); ok {
			over <- struct{}{}
		}
	}
	ch.send("begin")
	settler := ch.c.(session.Settler)
	if err := settler.Settle(t.Context()); err != nil {
		t.Fatal(err)
	}
	var words []string
	for _, turn := range ch.transcript().Turns {
		if turn.ID == "" {
			continue
		}
		words = append(words, wire.LastWords(turn.Entries))
	}
	if !slices.Equal(words, []string{"It runs.", "Again.", "All done."}) {
		t.Errorf("%q", words)
	}
	s.mu.Lock()
	s.replies = nil
	s.mu.Unlock()
	s.add(callsReply(task("c3", "stuck", `,"run_in_background":true`)), s.hang(start("m")), s.hang(start("m")))
	ctx, cancel := context.WithCancel(t.Context())
	go ch.c.Send(ctx, "last", session.Prompt{ID: "last", Text: "x"}, session.OriginUser)
	<-s.held
	<-s.held
	cancel()
	if err := settler.Settle(ctx); session.KindOf(err) != session.KindCancelled {
		t.Errorf("%v", err)
	}
}
