package driver_test

import (
	"context"
	"encoding/json"
	"testing"
	"testing/synctest"

	"parley/session/claude/claudetest"
	"parley/session/claude/driver"
)

// Messages for parley's server are answered by it, once each; those for another one are refused, and what is taken back ends.
func TestMessagesOfTools(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var c consumer
		answers := map[string]string{}
		ended := make(chan struct{})
		o := c.options(func(r *claudetest.Conn) {
			r.Handshake()
			r.Serve(func(claudetest.Message) {
				r.Ask("mcp_message", map[string]any{"server_name": "parley", "message": map[string]any{"say": "at once"}})
				r.Ask("mcp_message", map[string]any{"server_name": "parley", "message": map[string]any{"say": "later"}})
				r.Ask("mcp_message", map[string]any{"server_name": "other", "message": map[string]any{"say": "x"}})
				r.TakeBack(r.Ask("mcp_message", map[string]any{"server_name": "parley", "message": map[string]any{"say": "wait"}}))
			}, func(m claudetest.Message) bool {
				if m.Type == "control_response" {
					answers[m.Response.ID] += m.Response.Subtype + string(m.Response.Response)
				}
				return m.Type == "control_response"
			})
		})
		o.ToolServer = "parley"
		o.Message = func(ctx context.Context, message json.RawMessage) (any, func() any) {
			switch say := string(message); say {
			case `{"say":"at once"}`:
				return say, nil
			case `{"say":"wait"}`:
				return nil, func() any {
					<-ctx.Done()
					close(ended)
					return "too late"
				}
			default:
				return nil, func() any { return say }
			}
		}
		p := begin(t, &c, o)
		if err := p.Send(t.Context(), driver.UserMessage{Content: text("x")}); err != nil {
			t.Fatal(err)
		}
		<-ended
		synctest.Wait()
		p.Close(t.Context())
		want := map[string]string{"ask-1": `success{"mcp_response":"{\"say\":\"at once\"}"}`, "ask-2": `success{"mcp_response":"{\"say\":\"later\"}"}`, "ask-3": "error"}
		if len(answers) != len(want) {
			t.Errorf("%q", answers)
		}
		for id, text := range want {
			if answers[id] != text {
				t.Errorf("%s: %q, not %q", id, answers[id], text)
			}
		}
	})
}
