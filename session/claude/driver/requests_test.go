package driver_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"parley/session"
	"parley/session/claude/claudetest"
	"parley/session/claude/driver"
)

func TestControlRequests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var c consumer
		var got []string
		p := begin(t, &c, c.options(func(r *claudetest.Conn) {
			r.Handshake()
			r.Serve(nil, func(m claudetest.Message) bool {
				got = append(got, string(m.Request))
				if m.Subtype() == "stop_task" {
					r.ReplyError(m.ID, "no such task")
					return true
				}
				return false
			})
		}))
		ctx := t.Context()
		_, usageErr := p.Control(ctx, "get_context_usage", map[string]any{"detail": "summary"})
		cancelled, cancelErr := p.CancelMessage(ctx, "u")
		if cancelled || errors.Join(usageErr, cancelErr, p.Interrupt(ctx, false), p.Interrupt(ctx, true),
			p.SetModel(ctx, "m"), p.SetMode(ctx, "plan")) != nil {
			t.Error(cancelled, usageErr, cancelErr)
		}
		for _, effort := range []string{"max", ""} {
			if used, err := p.SetEffort(ctx, effort); err != nil || used != map[string]string{"max": "high"}[effort] {
				t.Errorf("effort %q: %q, %v", effort, used, err)
			}
		}
		if _, err := p.Control(ctx, "stop_task", map[string]any{"task_id": "t"}); session.KindOf(err) != session.KindRuntime || !strings.Contains(err.Error(), "no such task") {
			t.Error(err)
		}
		for range 2 { // the second time the runtime is not asked
			if _, err := p.Control(ctx, "new_feature", nil); !errors.Is(err, driver.ErrUnsupported) || session.KindOf(err) != session.KindUnsupported {
				t.Error(err)
			}
		}
		want := []string{
			`{"detail":"summary","subtype":"get_context_usage"}`,
			`{"message_uuid":"u","subtype":"cancel_async_message"}`,
			`{"subtype":"interrupt"}`,
			`{"cancel_queued":true,"subtype":"interrupt"}`,
			`{"model":"m","subtype":"set_model"}`,
			`{"mode":"plan","subtype":"set_permission_mode"}`,
			`{"settings":{"effortLevel":"max"},"subtype":"apply_flag_settings"}`,
			`{"subtype":"get_settings"}`,
			`{"settings":{"effortLevel":null},"subtype":"apply_flag_settings"}`,
			`{"subtype":"stop_task","task_id":"t"}`,
			`{"subtype":"new_feature"}`,
		}
		if !slices.Equal(got, want) {
			t.Errorf("got %s", strings.Join(got, "\n"))
		}
	})
}

// Answers find who asked, in whatever order they come; one that is never given ends the waiting in time.
func TestAnswersOutOfOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var c consumer
		p := begin(t, &c, c.options(func(r *claudetest.Conn) {
			r.Handshake()
			var ids []string
			r.Serve(nil, func(m claudetest.Message) bool {
				ids = append(ids, m.ID+" "+fmt.Sprint(m.Field("model")))
				if len(ids) == 3 {
					r.Reply("nobody-asked", map[string]any{}) // ignored, as are echoes of our own answers
					for _, id := range slices.Backward(ids) {
						id, model, _ := strings.Cut(id, " ")
						r.Reply(id, map[string]any{"model": model})
						r.Reply(id, map[string]any{"model": "again"})
					}
				}
				return true
			})
		}))
		var wg sync.WaitGroup
		for _, model := range []string{"a", "b", "c"} {
			wg.Go(func() {
				raw, err := p.Control(t.Context(), "set_model", map[string]any{"model": model})
				if err != nil || string(raw) != fmt.Sprintf(`{"model":%q}`, model) {
					t.Errorf("%s: %s %v", model, raw, err)
				}
			})
		}
		wg.Wait()
		began := time.Now()
		if err := p.SetMode(t.Context(), "plan"); session.KindOf(err) != session.KindStalled || time.Since(began) != time.Minute {
			t.Error(time.Since(began), err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, cancel)
		if err := p.SetMode(ctx, "plan"); session.KindOf(err) != session.KindCancelled {
			t.Error(err)
		}
	})
}

// Every request of the runtime is answered exactly once, by the consumer or, where it does not want to, by the driver.
func TestRequestsOfTheRuntime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var c consumer
		c.answer = func(_ *driver.Process, r driver.Request) bool { return r.Subtype == "can_use_tool" }
		answers := map[string][]string{}
		p := begin(t, &c, c.options(func(r *claudetest.Conn) {
			r.Handshake()
			for range 2 {
				r.Ask("can_use_tool", map[string]any{"tool_name": "Bash", "input": map[string]any{"command": "ls"}})
			}
			r.Ask("new_question", nil)
			taken := r.Ask("can_use_tool", nil)
			r.TakeBack(taken)
			r.TakeBack("unknown")
			r.WriteRaw(`{"type":"control_request","request":{"subtype":"x"}}` + "\n" + `{"type":"control_request","request_id":7}` + "\n")
			r.Serve(nil, func(m claudetest.Message) bool {
				answers[m.Response.ID] = append(answers[m.Response.ID], m.Response.Subtype+" "+string(m.Response.Response)+m.Response.Error)
				return m.Type == "control_response"
			})
		}))
		synctest.Wait()
		if len(c.asks) != 4 || string(c.asks[0].Raw) != `{"input":{"command":"ls"},"subtype":"can_use_tool","tool_name":"Bash"}` ||
			!strings.Contains(string(c.asks[0].Line), `"request_id":"ask-1"`) || !slices.Equal(c.cancelled, []string{"ask-4"}) {
			t.Errorf("%v %v", c.asks, c.cancelled)
		}
		if err := p.Reply("ask-2", map[string]any{"behavior": "allow"}); err != nil {
			t.Error(err)
		}
		if err := p.ReplyError("ask-1", "nobody is there"); err != nil {
			t.Error(err)
		}
		for _, id := range []string{"ask-1", "ask-2", "ask-3", "ask-4", "no"} {
			if err := p.Reply(id, nil); session.KindOf(err) != session.KindNotFound {
				t.Errorf("%s: %v", id, err)
			}
		}
		if err := p.Reply("ask-1", func() {}); session.KindOf(err) != session.KindInvalid {
			t.Error(err)
		}
		synctest.Wait()
		want := map[string][]string{"ask-1": {"error nobody is there"}, "ask-2": {`success {"behavior":"allow"}`},
			"ask-3": {"error Unsupported control request subtype: new_question"}}
		if fmt.Sprint(answers) != fmt.Sprint(want) {
			t.Errorf("%v", answers)
		}
	})
}

// Many answers at once go out whole and one by one.
func TestManyAnswersAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const n = 200
		var c consumer
		var wg sync.WaitGroup
		c.answer = func(p *driver.Process, r driver.Request) bool {
			id := r.ID
			for range 3 { // two of them too late
				wg.Go(func() { _ = p.Reply(id, strings.Repeat("x", 1000)) })
			}
			return true
		}
		got := map[string]int{}
		begin(t, &c, c.options(func(r *claudetest.Conn) {
			r.Handshake()
			r.Serve(func(claudetest.Message) {
				for range n {
					r.Ask("can_use_tool", nil)
				}
			}, func(m claudetest.Message) bool { got[m.Response.ID]++; return true })
		}))
		if err := c.p.Send(t.Context(), driver.UserMessage{Content: text("go")}); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		wg.Wait()
		synctest.Wait()
		for id, times := range got {
			if times != 1 {
				t.Errorf("%s answered %d times", id, times)
			}
		}
		if len(got) != n {
			t.Errorf("%d answered", len(got))
		}
	})
}

// A runtime that answers no control request while it waits for our answer would deadlock with a caller that makes one
// before answering. It is refused at once, and only there.
func TestNoControlRequestWithinAsk(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var c consumer
		inside, beside := make(chan error, 1), make(chan error, 1)
		c.answer = func(p *driver.Process, r driver.Request) bool {
			inside <- p.SetMode(context.Background(), "plan")
			go func() { beside <- p.SetMode(context.Background(), "plan") }()
			go func() { _ = p.Reply(r.ID, "yes") }()
			return true
		}
		p := begin(t, &c, c.options(func(r *claudetest.Conn) {
			r.Handshake()
			asking := ""
			var held []claudetest.Message
			r.Serve(func(m claudetest.Message) { asking = "ask-1"; r.Ask("can_use_tool", nil) }, func(m claudetest.Message) bool {
				if m.Type == "control_request" && asking != "" {
					held = append(held, m)
					return true
				}
				if m.Type == "control_response" && m.Response.ID == asking {
					asking = ""
					for _, m := range held {
						r.Answer(m)
					}
					return true
				}
				return false
			})
		}))
		if err := p.Send(t.Context(), driver.UserMessage{Content: text("x")}); err != nil {
			t.Fatal(err)
		}
		if err := <-inside; session.KindOf(err) != session.KindInternal {
			t.Error(err)
		}
		if err := <-beside; err != nil {
			t.Error(err)
		}
	})
}

// A question beside the conversation has as long as the model needs, and is taken back when nobody waits any more.
func TestQuestionsBesideTheConversation(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var c consumer
		var heard []string
		p := begin(t, &c, c.options(func(r *claudetest.Conn) {
			r.Handshake()
			r.Serve(nil, func(m claudetest.Message) bool {
				heard = append(heard, m.Type+" "+m.ID)
				switch fmt.Sprint(m.Field("question")) {
				case "slow?":
					time.Sleep(5 * time.Minute)
					r.Reply(m.ID, map[string]any{"response": "yes", "synthetic": false})
				case "empty?":
					r.Reply(m.ID, map[string]any{"response": nil})
				}
				return true
			})
		}))
		if answer, err := p.AskAside(t.Context(), "slow?"); answer != "yes" || err != nil {
			t.Errorf("%q %v", answer, err)
		}
		if _, err := p.AskAside(t.Context(), "empty?"); session.KindOf(err) != session.KindRuntime || !strings.Contains(err.Error(), "no answer") {
			t.Error(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, cancel)
		if _, err := p.AskAside(ctx, "never?"); session.KindOf(err) != session.KindCancelled {
			t.Error(err)
		}
		synctest.Wait()
		if want := []string{"control_request parley-2", "control_request parley-3", "control_request parley-4", "control_cancel_request parley-4"}; !slices.Equal(heard, want) {
			t.Errorf("%q", heard)
		}
	})
}
