package sim

import (
	"strings"
	"time"

	"parley/copilot/sim/seal"
)

// chatTeller builds an answer of Chat Completions. Encrypted reasoning comes with the content after the reasoning, as
// with Gemini models.
type chatTeller struct {
	telling
	id     string
	kind   string
	calls  int // calls so far
	text   strings.Builder
	opaque string // that is still to be sent
}

func newChatTeller(t telling) *chatTeller { return &chatTeller{telling: t, id: randomID(24)} }

// seal encrypts the text of a complete block if it is reasoning that the client wants so.
func (t *chatTeller) seal(kind, text string) {
	if kind == blockThinking && t.sealed {
		t.opaque = seal.Reasoning(text, t.model.ID)
	}
}

// count returns the usage object.
func (t *chatTeller) count(out int) map[string]any {
	in := t.usage.input + t.usage.cacheRead + t.usage.cacheWrite
	return map[string]any{"prompt_tokens": in, "completion_tokens": out, "total_tokens": in + out,
		"prompt_tokens_details": map[string]any{"cached_tokens": t.usage.cacheRead}}
}

// finishReason translates a stop reason.
func finishReason(stop string) string {
	switch stop {
	case "tool_use":
		return "tool_calls"
	case "max_tokens":
		return "length"
	case "refusal":
		return "content_filter"
	}
	return "stop"
}

// callID returns the id of a call in the form of Gemini models.
func callID(id string) string { return "call_" + strings.TrimPrefix(id, "toolu_bdrk_") }

// chatStream sends an answer as chunks.
type chatStream struct {
	*chatTeller
	buf []byte
}

func (s *chatStream) data(data []byte) {
	s.buf = append(s.buf, "data: "...)
	s.buf = append(s.buf, data...)
	s.buf = append(s.buf, "\n\n"...)
}

// chunk sends the new content of the only choice, and other fields.
func (s *chatStream) chunk(delta map[string]any, reason any, extra map[string]any) {
	if s.opaque != "" && delta["reasoning_text"] == nil {
		delta["reasoning_opaque"] = s.opaque
		s.opaque = ""
	}
	out := map[string]any{"id": s.id, "object": "chat.completion.chunk", "created": 1790000000, "model": s.model.ID,
		"choices": []any{map[string]any{"index": 0, "delta": delta, "finish_reason": reason}}}
	for k, v := range extra {
		out[k] = v
	}
	s.data(mustJSON(out))
}

func (s *chatStream) start() error {
	s.head()
	s.data(mustJSON(map[string]any{"id": s.id, "object": "chat.completion.chunk", "created": 1790000000, "model": s.model.ID,
		"choices": []any{}, "prompt_filter_results": []any{map[string]any{"prompt_index": 0}}}))
	s.chunk(map[string]any{"role": "assistant", "content": ""}, nil, nil)
	return s.flush()
}

func (s *chatStream) openBlock(kind, tool, id string) {
	s.kind = kind
	s.text.Reset()
	if kind == blockTool {
		s.chunk(map[string]any{"content": nil, "tool_calls": []any{map[string]any{"index": s.calls, "id": callID(id),
			"type": "function", "function": map[string]any{"name": tool, "arguments": ""}}}}, nil, nil)
		s.calls++
	}
}

func (s *chatStream) delta(kind, text string) {
	s.text.WriteString(text)
	switch {
	case text == "" || kind == blockThinking && s.hidden:
	case kind == blockThinking:
		s.chunk(map[string]any{"content": nil, "reasoning_text": text}, nil, nil)
	case kind == blockTool:
		s.chunk(map[string]any{"tool_calls": []any{map[string]any{"index": s.calls - 1,
			"function": map[string]any{"arguments": text}}}}, nil, nil)
	default:
		s.chunk(map[string]any{"content": text}, nil, nil)
	}
}

func (s *chatStream) closeBlock(string) { s.seal(s.kind, s.text.String()) }

func (s *chatStream) ping() { s.buf = append(s.buf, ": keep-alive\n\n"...) }

func (s *chatStream) malformed(body string) {
	if body == "" {
		body = `{"choices":[{"index":0,"del`
	}
	s.data([]byte(body))
}

func (s *chatStream) unknown() {
	s.buf = append(s.buf, ": a comment\nid: 7\nretry: 3000\n\n"...)
	s.chunk(map[string]any{"sim_unknown": true}, nil, map[string]any{"sim_unknown": 1})
}

func (s *chatStream) errorEvent(data []byte) error {
	s.data(mustJSON(map[string]any{"error": openAIFault(data)}))
	if err := s.flush(); err != nil {
		return err
	}
	return errEnd
}

func (s *chatStream) drip(every time.Duration) { s.wire.every = max(every, bytePause) }

func (s *chatStream) finish(stop string, out int) error {
	extra := map[string]any{"copilot_usage": s.usage.billed(out)}
	if s.counted {
		extra["usage"] = s.count(out)
	}
	s.chunk(map[string]any{"content": nil}, finishReason(stop), extra)
	s.data([]byte("[DONE]"))
	return s.flush()
}

func (s *chatStream) junk() { s.chunk(map[string]any{"content": "after the end"}, nil, nil) }

func (s *chatStream) flush() error {
	err := s.wire.write(s.buf)
	s.buf = s.buf[:0]
	return err
}

// chatWhole returns the sink of an answer in one piece.
func chatWhole(telling telling) sink {
	return &wholeSink{telling: telling, fault: openAIFailure, answer: func(blocks []wholeBlock, stop string, out int) map[string]any {
		t := newChatTeller(telling)
		var words, thoughts strings.Builder
		var calls []any
		message := map[string]any{"role": "assistant", "content": nil}
		for _, b := range blocks {
			switch b.kind {
			case blockThinking:
				thoughts.WriteString(b.text)
				t.seal(b.kind, b.text)
			case blockTool:
				calls = append(calls, map[string]any{"id": callID(b.id), "type": "function",
					"function": map[string]any{"name": b.tool, "arguments": b.text}})
			default:
				words.WriteString(b.text)
				message["content"] = words.String()
			}
		}
		if thoughts.Len() > 0 && !t.hidden {
			message["reasoning_text"] = thoughts.String()
		}
		if t.opaque != "" {
			message["reasoning_opaque"] = t.opaque
		}
		if calls != nil {
			message["tool_calls"] = calls
		}
		return map[string]any{"id": t.id, "object": "chat.completion", "created": 1790000000, "model": t.model.ID,
			"choices": []any{map[string]any{"index": 0, "message": message, "finish_reason": finishReason(stop)}},
			"usage":   t.count(out), "copilot_usage": t.usage.billed(out)}
	}}
}
