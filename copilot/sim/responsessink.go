package sim

import (
	"encoding/json"
	"strings"
	"time"

	"parley/copilot/sim/seal"
)

// responsesTeller builds the items of an answer of the Responses API.
type responsesTeller struct {
	telling
	id    string
	kind  string // of the open item, "" if none is open
	item  map[string]any
	text  strings.Builder
	items []any
	cited []any // the pages that the searches found
}

func newResponsesTeller(t telling) *responsesTeller {
	return &responsesTeller{telling: t, id: "resp_" + randomID(40)}
}

// open begins an item.
func (t *responsesTeller) open(kind, tool, id string) {
	t.kind = kind
	t.text.Reset()
	switch kind {
	case blockThinking:
		t.item = map[string]any{"type": "reasoning", "summary": []any{}}
	case blockTool:
		if t.searches && tool == hostedSearch {
			t.item = map[string]any{"type": "web_search_call", "status": "in_progress"}
			break
		}
		t.item = map[string]any{"type": "function_call", "call_id": callID(id),
			"name": tool, "arguments": "", "status": "in_progress"}
	default:
		t.item = map[string]any{"type": "message", "role": "assistant", "status": "in_progress", "content": []any{}}
	}
}

// renamed is the open item under a new id: the Copilot API encrypts ids, so that each event shows another.
func (t *responsesTeller) renamed() map[string]any {
	out := map[string]any{"id": randomID(64)}
	for k, v := range t.item {
		out[k] = v
	}
	return out
}

// close completes the open item.
func (t *responsesTeller) close() {
	text := t.text.String()
	switch t.kind {
	case blockThinking:
		if !t.hidden {
			t.item["summary"] = []any{map[string]any{"type": "summary_text", "text": text}}
		}
		if t.sealed {
			t.item["encrypted_content"] = seal.Reasoning(text, t.model.ID)
		}
	case blockTool:
		if t.item["type"] == "web_search_call" {
			t.searched(text)
			break
		}
		t.item["arguments"], t.item["status"] = text, "completed"
	default:
		said := outputText(text)
		if t.cited != nil {
			said["annotations"] = t.cited
		}
		t.item["content"], t.item["status"] = []any{said}, "completed"
	}
	t.items = append(t.items, t.renamed())
	t.kind = ""
}

func outputText(text string) map[string]any {
	return map[string]any{"type": "output_text", "text": text, "annotations": []any{}, "logprobs": []any{}}
}

// response is the answer as an object, with its end if there is one.
func (t *responsesTeller) response(status string) map[string]any {
	return map[string]any{"id": t.id, "object": "response", "created_at": 1790000000, "status": status,
		"model": t.model.ID + "-2026-01-01", "output": []any{}, "error": nil, "incomplete_details": nil, "store": false,
		"parallel_tool_calls": true, "tool_choice": "auto", "tools": []any{}, "usage": nil}
}

// ended is the whole answer and the event that tells it.
func (t *responsesTeller) ended(stop string, out int) (string, map[string]any) {
	status, reason := "completed", ""
	switch stop {
	case "max_tokens":
		status, reason = "incomplete", "max_output_tokens"
	case "refusal":
		status, reason = "incomplete", "content_filter"
	}
	r := t.response(status)
	if reason != "" {
		r["incomplete_details"] = map[string]any{"reason": reason}
	}
	if t.items != nil {
		r["output"] = t.items
	}
	in := t.usage.input + t.usage.cacheRead + t.usage.cacheWrite
	r["usage"] = map[string]any{"input_tokens": in, "input_tokens_details": map[string]any{"cached_tokens": t.usage.cacheRead},
		"output_tokens": out, "output_tokens_details": map[string]any{"reasoning_tokens": 0}, "total_tokens": in + out}
	return "response." + status, r
}

// openAIFault is an error of the script in OpenAI's words.
func openAIFault(data []byte) map[string]any {
	var e anthropicError
	if json.Unmarshal(data, &e) != nil {
		return map[string]any{"message": string(data), "code": "server_error"}
	}
	code := map[string]string{"overloaded_error": "server_is_overloaded", "rate_limit_error": "rate_limit_exceeded",
		"api_error": "server_error"}[e.Error.Type]
	if code == "" {
		code = e.Error.Type
	}
	return map[string]any{"message": e.Error.Message, "code": code}
}

// responsesStream tells an answer as events.
type responsesStream struct {
	*responsesTeller
	buf    []byte
	number int // of the next event
	index  int // of the open item
}

func (s *responsesStream) event(name string, fields map[string]any) {
	fields["type"], fields["sequence_number"] = name, s.number
	s.number++
	s.buf = append(s.buf, "event: "+name+"\ndata: "...)
	s.buf = append(s.buf, mustJSON(fields)...)
	s.buf = append(s.buf, "\n\n"...)
}

func (s *responsesStream) start() error {
	s.head()
	s.event("response.created", map[string]any{"response": s.response("in_progress")})
	s.event("response.in_progress", map[string]any{"response": s.response("in_progress")})
	return s.flush()
}

func (s *responsesStream) openBlock(kind, tool, id string) {
	s.open(kind, tool, id)
	s.event("response.output_item.added", map[string]any{"output_index": s.index, "item": s.renamed()})
	switch {
	case kind == blockThinking && !s.hidden:
		s.event("response.reasoning_summary_part.added", s.place(map[string]any{"summary_index": 0,
			"part": map[string]any{"type": "summary_text", "text": ""}}))
	case kind == blockTextKind:
		s.event("response.content_part.added", s.place(map[string]any{"content_index": 0, "part": outputText("")}))
	}
}

// place adds where the open item is.
func (s *responsesStream) place(fields map[string]any) map[string]any {
	fields["output_index"], fields["item_id"] = s.index, randomID(64)
	return fields
}

func (s *responsesStream) delta(kind, text string) {
	s.text.WriteString(text)
	switch {
	case text == "" || kind == blockThinking && s.hidden || s.item["type"] == "web_search_call":
	case kind == blockThinking:
		s.event("response.reasoning_summary_text.delta", s.place(map[string]any{"summary_index": 0, "delta": text,
			"obfuscation": "x"}))
	case kind == blockTool:
		s.event("response.function_call_arguments.delta", s.place(map[string]any{"delta": text, "obfuscation": "xy"}))
	default:
		s.event("response.output_text.delta", s.place(map[string]any{"content_index": 0, "delta": text, "logprobs": []any{}}))
	}
}

func (s *responsesStream) closeBlock(string) {
	text := s.text.String()
	switch {
	case s.kind == blockThinking && s.hidden:
	case s.item["type"] == "web_search_call":
		s.event("response.web_search_call.completed", s.place(map[string]any{}))
	case s.kind == blockThinking:
		s.event("response.reasoning_summary_text.done", s.place(map[string]any{"summary_index": 0, "text": text}))
	case s.kind == blockTool:
		s.event("response.function_call_arguments.done", s.place(map[string]any{"arguments": text}))
	default:
		s.event("response.output_text.done", s.place(map[string]any{"content_index": 0, "text": text}))
		s.event("response.content_part.done", s.place(map[string]any{"content_index": 0, "part": outputText(text)}))
	}
	s.close()
	s.event("response.output_item.done", map[string]any{"output_index": s.index, "item": s.items[len(s.items)-1]})
	s.index++
}

func (s *responsesStream) ping() { s.buf = append(s.buf, ": keep-alive\n\n"...) }

func (s *responsesStream) malformed(body string) {
	if body == "" {
		body = `{"type":"response.output_text.delta","del`
	}
	s.buf = append(s.buf, "event: response.output_text.delta\ndata: "+body+"\n\n"...)
}

func (s *responsesStream) unknown() {
	s.buf = append(s.buf, ": a comment\nid: 7\nretry: 3000\n\n"...)
	s.event("response.sim_unknown", map[string]any{"detail": "an event that no client knows"})
}

func (s *responsesStream) errorEvent(data []byte) error {
	s.event("error", openAIFault(data))
	if err := s.flush(); err != nil {
		return err
	}
	return errEnd
}

func (s *responsesStream) drip(every time.Duration) { s.wire.every = max(every, bytePause) }

func (s *responsesStream) finish(stop string, out int) error {
	name, response := s.ended(stop, out)
	s.event(name, map[string]any{"response": response, "copilot_usage": s.usage.billed(out)})
	return s.flush()
}

func (s *responsesStream) junk() {
	s.event("response.output_text.delta", map[string]any{"output_index": 0, "content_index": 0, "delta": "after the end"})
	s.buf = append(s.buf, "data: [DONE]\n\n"...)
}

func (s *responsesStream) flush() error {
	err := s.wire.write(s.buf)
	s.buf = s.buf[:0]
	return err
}

// responsesWhole returns the sink of an answer in one piece.
func responsesWhole(telling telling) sink {
	return &wholeSink{telling: telling, fault: openAIFailure, answer: func(blocks []wholeBlock, stop string, out int) map[string]any {
		t := newResponsesTeller(telling)
		for _, b := range blocks {
			t.open(b.kind, b.tool, b.id)
			t.text.WriteString(b.text)
			t.close()
		}
		_, response := t.ended(stop, out)
		response["copilot_usage"] = t.usage.billed(out)
		return response
	}}
}
