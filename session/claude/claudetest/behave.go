package claudetest

import (
	"fmt"
	"sync/atomic"

	"parley/internal/crash"
)

// Hello is the answer of Handshake: that of a runtime with most features.
func Hello() map[string]any {
	return map[string]any{
		"commands":                []any{map[string]any{"name": "compact", "description": "Compact the conversation", "argumentHint": ""}},
		"agents":                  []any{map[string]any{"name": "Explore", "description": "Looks around", "model": "haiku"}},
		"output_style":            "default",
		"available_output_styles": []any{"default"},
		"models": []any{map[string]any{"value": "default", "displayName": "Default", "description": "The default",
			"supportsEffort": true, "supportedEffortLevels": []any{"low", "high"}}},
		"account":                 map[string]any{"tokenSource": "ANTHROPIC_AUTH_TOKEN", "apiProvider": "firstParty"},
		"pid":                     1,
		"claude_code_version":     "2.1.197",
		"current_permission_mode": "default",
		"capabilities":            []any{"interrupt_receipt_v1"},
	}
}

// Handshake reads the initialize request, answers it with [Hello] and returns it. The runtime ends with its input.
func (c *Conn) Handshake() Message {
	m, ok := c.Read()
	if !ok {
		c.Exit(0)
	}
	c.Reply(m.ID, Hello())
	return m
}

// Serve reads until the end of input. It calls user with each message of the user, passes each control response to
// [Conn.AskAndWait], and answers each control request with [Conn.Answer] unless control takes it. Both may be nil. user runs
// in another goroutine, one call after the other, while requests are answered.
func (c *Conn) Serve(user func(m Message), control func(m Message) (taken bool)) {
	turns := make(chan Message, 1024)
	over := make(chan struct{})
	crash.Go(func() {
		defer close(over)
		for m := range turns {
			if user != nil {
				user(m)
			} else {
				c.Turn(m.UUID, "You said: "+m.Text())
			}
		}
	})
	for {
		m, ok := c.Read()
		if !ok {
			break
		}
		switch {
		case m.Type == "user":
			turns <- m
		case m.Type == "control_request" && (control == nil || !control(m)):
			c.Answer(m)
		case (m.Type == "control_response" || m.Type == "control_cancel_request") && control != nil:
			control(m)
		}
	}
	close(turns)
	<-over
}

// Answer answers a control request as the runtime does. It refuses an unknown one with the runtime's text.
func (c *Conn) Answer(m Message) {
	switch sub := m.Subtype(); sub {
	case "interrupt", "apply_flag_settings", "stop_task", "end_session":
		c.Reply(m.ID, nil)
	case "set_model":
		c.Reply(m.ID, map[string]any{"model": m.Field("model")})
	case "set_permission_mode":
		c.Reply(m.ID, map[string]any{"mode": m.Field("mode")})
	case "cancel_async_message":
		c.Reply(m.ID, map[string]any{"cancelled": false})
	case "get_settings": // as of 2.1.112, which does not know "max" here
		c.Reply(m.ID, map[string]any{"effective": map[string]any{}, "applied": map[string]any{"model": "m", "effort": "high"}})
	case "get_context_usage":
		c.Reply(m.ID, map[string]any{"totalTokens": 100, "maxTokens": 200000})
	default:
		c.ReplyError(m.ID, "Unsupported control request subtype: "+sub)
	}
}

var messages atomic.Int64 // numbers messages, as their ids must be unique

// Turn plays a turn that streams one text: init, deltas, the assistant's message, the result.
func (c *Conn) Turn(uuid, text string) {
	id := fmt.Sprintf("msg_%04d", messages.Add(1))
	c.Write(Line("system", "init", map[string]any{"cwd": "/", "tools": []any{"Bash"}, "model": "claude-sonnet-4-6",
		"permissionMode": "default", "claude_code_version": "2.1.197"}))
	event := func(e map[string]any) {
		c.Write(Line("stream_event", "", map[string]any{"event": e, "parent_tool_use_id": nil}))
	}
	usage := map[string]any{"input_tokens": 10, "output_tokens": 5}
	event(map[string]any{"type": "message_start", "message": map[string]any{"id": id, "type": "message", "role": "assistant",
		"model": "claude-sonnet-4-6", "content": []any{}, "usage": usage}})
	event(map[string]any{"type": "content_block_start", "index": 0, "content_block": map[string]any{"type": "text", "text": ""}})
	event(map[string]any{"type": "content_block_delta", "index": 0, "delta": map[string]any{"type": "text_delta", "text": text}})
	c.Write(Line("assistant", "", map[string]any{"parent_tool_use_id": nil, "message": map[string]any{"id": id, "type": "message",
		"role": "assistant", "model": "claude-sonnet-4-6", "content": []any{map[string]any{"type": "text", "text": text}}, "usage": usage}}))
	event(map[string]any{"type": "content_block_stop", "index": 0})
	event(map[string]any{"type": "message_delta", "delta": map[string]any{"stop_reason": "end_turn"}, "usage": usage})
	event(map[string]any{"type": "message_stop"})
	c.Result(uuid, text)
}

// Result ends a turn successfully.
func (c *Conn) Result(uuid, text string) {
	c.Write(Line("result", "success", map[string]any{"is_error": false, "duration_ms": 5, "duration_api_ms": 4, "num_turns": 1,
		"result": text, "stop_reason": "end_turn", "total_cost_usd": 0, "usage": map[string]any{"input_tokens": 10, "output_tokens": 5},
		"modelUsage": map[string]any{}, "permission_denials": []any{}, "terminal_reason": "completed", "user_message_uuid": uuid}))
}

// Line returns a message of a type and, unless it is "", a subtype, with the session's id and a uuid.
func Line(kind, subtype string, fields map[string]any) map[string]any {
	m := map[string]any{"type": kind, "session_id": "00000000-0000-4000-8000-000000000001",
		"uuid": fmt.Sprintf("10000000-0000-4000-8000-%012d", messages.Add(1))}
	if subtype != "" {
		m["subtype"] = subtype
	}
	for k, v := range fields {
		m[k] = v
	}
	return m
}
