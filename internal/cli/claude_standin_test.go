package cli

import (
	"fmt"
	"os"
	"strings"
	"sync/atomic"
	"time"

	"parley/session/claude/claudetest"
)

// clockVariable names the file in which the simulated runtime notes when it read a prompt and when it wrote each word.
const clockVariable = "PARLEY_TEST_RUNTIME_CLOCK"

// claudeScripts are runtimes that the test binary can be.
var claudeScripts = map[string]claudetest.Script{"ticking": ticking, "telling": telling, "asking": asking}

// ticking answers each prompt with words that come one by one, each of them a line of its own at a moment of its own.
func ticking(c *claudetest.Conn) {
	notes, err := os.OpenFile(os.Getenv(clockVariable), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		c.Stderr(err.Error())
		c.Exit(1)
	}
	note := func(what string) { fmt.Fprintf(notes, "%s %d\n", what, time.Now().UnixNano()) }
	c.Handshake()
	turn := 0
	c.Serve(func(m claudetest.Message) {
		turn++
		note(fmt.Sprintf("read %d", turn))
		echo := claudetest.Line("user", "", map[string]any{"message": map[string]any{"role": "user", "content": m.Text()}, "isReplay": true})
		echo["uuid"] = m.UUID
		c.Write(echo)
		event := func(e map[string]any) {
			c.Write(claudetest.Line("stream_event", "", map[string]any{"event": e, "parent_tool_use_id": nil}))
		}
		message := map[string]any{"id": fmt.Sprintf("msg_%d", turn), "type": "message", "role": "assistant", "model": "claude-sonnet-4-6",
			"content": []any{}, "usage": map[string]any{"input_tokens": 10, "output_tokens": 5}}
		event(map[string]any{"type": "message_start", "message": message})
		event(map[string]any{"type": "content_block_start", "index": 0, "content_block": map[string]any{"type": "text", "text": ""}})
		var text strings.Builder
		for i := range words {
			time.Sleep(time.Duration(60+i*31%37) * time.Millisecond) // in step with no ticker
			word := fmt.Sprintf("w%dx%d ", turn, i)
			text.WriteString(word)
			note("wrote " + strings.TrimSpace(word))
			event(map[string]any{"type": "content_block_delta", "index": 0, "delta": map[string]any{"type": "text_delta", "text": word}})
		}
		message["content"] = []any{map[string]any{"type": "text", "text": text.String()}}
		c.Write(claudetest.Line("assistant", "", map[string]any{"parent_tool_use_id": nil, "message": message}))
		event(map[string]any{"type": "content_block_stop", "index": 0})
		event(map[string]any{"type": "message_delta", "delta": map[string]any{"stop_reason": "end_turn"}, "usage": message["usage"]})
		event(map[string]any{"type": "message_stop"})
		c.Result(m.UUID, text.String())
	}, nil)
}

// words is how many words an answer of the ticking runtime has.
const words = 60

// environVariable names the file into which the simulated runtime writes its environment.
const environVariable = "PARLEY_TEST_RUNTIME_ENVIRON"

// telling is a runtime that writes down its environment and answers every prompt.
func telling(c *claudetest.Conn) {
	if err := os.WriteFile(os.Getenv(environVariable), []byte(strings.Join(os.Environ(), "\n")+"\n"), 0o600); err != nil {
		c.Stderr(err.Error())
		c.Exit(1)
	}
	c.Handshake()
	c.Serve(func(m claudetest.Message) {
		echo := claudetest.Line("user", "", map[string]any{"message": map[string]any{"role": "user", "content": m.Text()}, "isReplay": true})
		echo["uuid"] = m.UUID
		c.Write(echo)
		c.Result(m.UUID, "told")
	}, nil)
}

// answeredVariable names the file that the simulated runtime creates when something that it asked is answered.
const answeredVariable = "PARLEY_TEST_RUNTIME_ANSWERED"

// asking is a runtime in which a server asks for a form or a page, by the words of the prompt, until it is interrupted.
func asking(c *claudetest.Conn) {
	c.Handshake()
	var turn atomic.Value
	c.Serve(func(m claudetest.Message) {
		turn.Store(m.UUID)
		echo := claudetest.Line("user", "", map[string]any{"message": map[string]any{"role": "user", "content": m.Text()}, "isReplay": true})
		echo["uuid"] = m.UUID
		c.Write(echo)
		if m.Text() == "page" {
			c.Ask("elicitation", map[string]any{"mcp_server_name": "desk", "message": "Sign in first.", "mode": "url", "url": "https://desk.example/sign-in"})
			return
		}
		c.Ask("elicitation", map[string]any{"mcp_server_name": "desk", "message": "A ticket is made.", "mode": "form", "requested_schema": map[string]any{
			"type": "object", "required": []string{"size"}, "properties": map[string]any{
				"size": map[string]any{"type": "string", "enum": []string{"small", "large"}}, "paid": map[string]any{"type": "boolean"}}}})
	}, func(m claudetest.Message) bool {
		if m.Subtype() == "interrupt" {
			c.Answer(m)
			c.Write(claudetest.Line("result", "error_during_execution", map[string]any{"is_error": true, "duration_ms": 5, "num_turns": 1,
				"terminal_reason": "aborted_streaming", "user_message_uuid": turn.Load()}))
			return true
		}
		if m.Type != "control_response" {
			return false
		}
		if err := os.WriteFile(os.Getenv(answeredVariable), nil, 0o600); err != nil {
			c.Stderr(err.Error())
		}
		return true
	})
}
