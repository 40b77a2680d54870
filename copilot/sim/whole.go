package sim

import (
	"bytes"
	"encoding/json"
	"strings"
	"time"

	"parley/copilot/sim/script"
)

// wholeSink collects a reply and hands it over in one piece.
type wholeSink struct {
	model   string
	usage   usage
	send    func(answer) error
	hidden  bool
	content []any
	block   map[string]any
	text    strings.Builder
	flaws   []script.Fault
	dripped func(time.Duration)
}

func (s *wholeSink) start() error { return nil }

func (s *wholeSink) openBlock(kind, tool, id string) {
	s.block = map[string]any{"type": kind}
	if kind == blockTool {
		s.block["id"], s.block["name"] = id, tool
	}
	s.text.Reset()
}

func (s *wholeSink) delta(_, text string) { s.text.WriteString(text) }

func (s *wholeSink) closeBlock(signature string) {
	switch s.block["type"] {
	case blockThinking:
		s.block["thinking"], s.block["signature"] = s.text.String(), signature
		if s.hidden {
			s.block["thinking"] = ""
		}
	case blockTool:
		s.block["input"] = json.RawMessage(s.text.String())
	default:
		s.block["text"] = s.text.String()
	}
	s.content = append(s.content, s.block)
}

func (s *wholeSink) ping() {}

func (s *wholeSink) malformed(string) {
	s.flaws = append(s.flaws, script.Fault{Kind: script.FaultMalformed})
}
func (s *wholeSink) unknown() { s.flaws = append(s.flaws, script.Fault{Kind: script.FaultUnknown}) }
func (s *wholeSink) junk()    {}

// errorEvent becomes an HTTP error: nothing has been sent yet.
func (s *wholeSink) errorEvent(data []byte) error {
	var e anthropicError
	status := 500
	if json.Unmarshal(data, &e) == nil && e.Error.Type == "overloaded_error" {
		status = 529
	}
	if err := s.send(answer{status: status, contentType: typeJSON, body: data}); err != nil {
		return err
	}
	return errEnd
}

func (s *wholeSink) drip(every time.Duration) { s.dripped(every) }

func (s *wholeSink) finish(stop string, out int) error {
	content := s.content
	if content == nil {
		content = []any{}
	}
	a := jsonAnswer(200, map[string]any{"id": "msg_bdrk_" + randomID(24), "type": "message", "role": "assistant",
		"model": s.model, "content": content, "stop_reason": stop, "stop_sequence": nil, "usage": s.usage.wire(out),
		"copilot_usage": s.usage.billed(out)})
	for _, f := range s.flaws {
		a.body = flawed(a.body, f.Kind)
	}
	return s.send(a)
}

func (s *wholeSink) flush() error { return nil }

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
