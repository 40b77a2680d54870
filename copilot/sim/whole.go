package sim

import (
	"bytes"
	"encoding/json"
	"strings"
	"time"

	"parley/copilot/sim/script"
)

// wholeBlock is a complete block of a reply.
type wholeBlock struct{ kind, tool, id, text, signature string }

// wholeSink collects a reply and hands it over in one piece. What it looks like is the protocol's: answer returns its body, fault
// that of an error with its status.
type wholeSink struct {
	telling
	answer func(blocks []wholeBlock, stop string, out int) map[string]any
	fault  func(data []byte) (status int, body []byte)
	blocks []wholeBlock
	block  wholeBlock
	text   strings.Builder
	flaws  []script.Fault
}

func (s *wholeSink) start() error { return nil }

func (s *wholeSink) openBlock(kind, tool, id string) {
	s.block = wholeBlock{kind: kind, tool: tool, id: id}
	s.text.Reset()
}

func (s *wholeSink) delta(_, text string) { s.text.WriteString(text) }

func (s *wholeSink) closeBlock(signature string) {
	s.block.text, s.block.signature = s.text.String(), signature
	s.blocks = append(s.blocks, s.block)
}

func (s *wholeSink) ping() {}

func (s *wholeSink) malformed(string) {
	s.flaws = append(s.flaws, script.Fault{Kind: script.FaultMalformed})
}
func (s *wholeSink) unknown() { s.flaws = append(s.flaws, script.Fault{Kind: script.FaultUnknown}) }
func (s *wholeSink) junk()    {}

// errorEvent becomes an HTTP error: nothing has been sent yet.
func (s *wholeSink) errorEvent(data []byte) error {
	status, body := s.fault(data)
	if err := s.send(answer{status: status, contentType: typeJSON, body: body}); err != nil {
		return err
	}
	return errEnd
}

func (s *wholeSink) drip(every time.Duration) { s.telling.drip(every) }

func (s *wholeSink) finish(stop string, out int) error {
	a := jsonAnswer(200, s.answer(s.blocks, stop, out))
	for _, f := range s.flaws {
		a.body = flawed(a.body, f.Kind)
	}
	return s.send(a)
}

func (s *wholeSink) flush() error { return nil }

// messagesWhole returns the sink of an answer of the Messages API.
func messagesWhole(t telling) sink {
	return &wholeSink{telling: t, fault: messagesFailure, answer: func(blocks []wholeBlock, stop string, out int) map[string]any {
		content := []any{}
		for _, b := range blocks {
			block := map[string]any{"type": b.kind}
			switch b.kind {
			case blockThinking:
				block["thinking"], block["signature"] = b.text, b.signature
				if t.hidden {
					block["thinking"] = ""
				}
			case blockTool:
				block["id"], block["name"], block["input"] = b.id, b.tool, json.RawMessage(b.text)
			default:
				block["text"] = b.text
			}
			content = append(content, block)
		}
		return map[string]any{"id": "msg_bdrk_" + randomID(24), "type": "message", "role": "assistant",
			"model": t.model.anthropicID(), "content": content, "stop_reason": stop, "stop_sequence": nil, "usage": t.usage.wire(out),
			"copilot_usage": t.usage.billed(out)}
	}}
}

// messagesFailure returns an error of a script as a body in Anthropic's words, with its status.
func messagesFailure(data []byte) (int, []byte) {
	var e anthropicError
	if json.Unmarshal(data, &e) == nil && e.Error.Type == "overloaded_error" {
		return 529, data
	}
	return 500, data
}

// openAIFailure returns an error of a script as a body in OpenAI's words, with its status.
func openAIFailure(data []byte) (int, []byte) {
	e := openAIFault(data)
	body := mustJSON(map[string]any{"error": e})
	if e["code"] == "server_is_overloaded" {
		return 529, body
	}
	return 500, body
}

// flawed damages the body of an answer that is not streamed.
func flawed(body []byte, kind script.FaultKind) []byte {
	switch kind {
	case script.FaultMalformed:
		return body[:len(body)/2]
	case script.FaultUnknown:
		return bytes.Replace(body, []byte("{"), []byte(`{"sim_unknown":{"value":1},`), 1)
	case script.FaultJunk:
		return append(body[:len(body):len(body)], "\n{\"after\":\"the end\"}"...)
	}
	return body
}
