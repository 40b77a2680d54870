package sim

import (
	"context"
	"net/http"
	"strconv"
	"time"
	"unicode/utf8"
)

// wire sends bytes to one client and counts them.
type wire struct {
	ctx   context.Context
	clock Clock
	w     http.ResponseWriter
	rc    *http.ResponseController
	every time.Duration // between two bytes of a drip; 0: no drip
	sent  func(n int)
}

// write sends data and flushes it. An error means that the client is gone.
func (c *wire) write(data []byte) error {
	if len(data) == 0 {
		return nil
	}
	if c.every == 0 {
		return c.push(data)
	}
	for i := range data {
		if err := c.push(data[i : i+1]); err != nil {
			return err
		}
		if err := c.clock.Sleep(c.ctx, c.every); err != nil {
			return err
		}
	}
	return nil
}

func (c *wire) push(data []byte) error {
	n, err := c.w.Write(data)
	c.sent(n)
	if err != nil {
		return err
	}
	return c.rc.Flush()
}

// bytePause is the wait of a dripping connection between two bytes if the fault has none.
const bytePause = time.Millisecond

// streamSink sends a reply as server-sent events.
type streamSink struct {
	wire   *wire
	buf    []byte
	model  string
	usage  usage
	head   func() // writes the response header
	index  int    // of the open block
	hidden bool   // reasoning text is not shown, only signed
}

func (s *streamSink) start() error {
	s.head()
	s.event("message_start", mustJSON(map[string]any{"type": "message_start", "message": map[string]any{
		"id": "msg_bdrk_" + randomID(24), "type": "message", "role": "assistant", "model": s.model, "content": []any{},
		"stop_reason": nil, "stop_sequence": nil, "usage": s.usage.wire(1)}}))
	s.ping()
	return s.flush()
}

func (s *streamSink) event(name string, data []byte) {
	s.buf = append(s.buf, "event: "...)
	s.buf = append(s.buf, name...)
	s.buf = append(s.buf, "\ndata: "...)
	s.buf = append(s.buf, data...)
	s.buf = append(s.buf, "\n\n"...)
}

func (s *streamSink) ping() { s.event("ping", []byte(`{"type":"ping"}`)) }

func (s *streamSink) openBlock(kind, tool, id string) {
	block := map[string]any{"type": kind}
	switch kind {
	case blockThinking:
		block["thinking"], block["signature"] = "", ""
	case blockTool:
		block["id"], block["name"], block["input"] = id, tool, map[string]any{}
	default:
		block["text"] = ""
	}
	s.event("content_block_start", mustJSON(map[string]any{"type": "content_block_start", "index": s.index,
		"content_block": block}))
}

// delta is written by hand: it is the only event that comes by the thousand.
func (s *streamSink) delta(kind, text string) {
	if kind == blockThinking && s.hidden {
		return
	}
	s.buf = append(s.buf, "event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":"...)
	s.buf = strconv.AppendInt(s.buf, int64(s.index), 10)
	switch kind {
	case blockThinking:
		s.buf = append(s.buf, `,"delta":{"type":"thinking_delta","thinking":`...)
	case blockTool:
		s.buf = append(s.buf, `,"delta":{"type":"input_json_delta","partial_json":`...)
	default:
		s.buf = append(s.buf, `,"delta":{"type":"text_delta","text":`...)
	}
	s.buf = appendJSONString(s.buf, text)
	s.buf = append(s.buf, "}}\n\n"...)
}

func (s *streamSink) closeBlock(signature string) {
	if signature != "" {
		s.event("content_block_delta", mustJSON(map[string]any{"type": "content_block_delta", "index": s.index,
			"delta": map[string]any{"type": "signature_delta", "signature": signature}}))
	}
	s.event("content_block_stop", mustJSON(map[string]any{"type": "content_block_stop", "index": s.index}))
	s.index++
}

func (s *streamSink) malformed(body string) {
	if body == "" {
		body = `{"type":"content_block_delta","index":0,"delta":{"type":"text_del`
	}
	s.event("content_block_delta", []byte(body))
}

func (s *streamSink) unknown() {
	s.buf = append(s.buf, ": a comment\nid: 7\nretry: 3000\n\n"...)
	s.event("sim_unknown", []byte(`{"type":"sim_unknown","detail":"an event that no client knows"}`))
	s.event("content_block_delta", mustJSON(map[string]any{"type": "content_block_delta", "index": max(s.index-1, 0),
		"delta": map[string]any{"type": "sim_unknown_delta", "value": 1}}))
}

func (s *streamSink) errorEvent(data []byte) error {
	s.event("error", data)
	if err := s.flush(); err != nil {
		return err
	}
	return errEnd
}

func (s *streamSink) drip(every time.Duration) { s.wire.every = max(every, bytePause) }

func (s *streamSink) finish(stop string, out int) error {
	s.event("message_delta", mustJSON(map[string]any{"type": "message_delta",
		"delta": map[string]any{"stop_reason": stop, "stop_sequence": nil}, "usage": s.usage.wire(out),
		"copilot_usage": s.usage.billed(out)}))
	s.event("message_stop", []byte(`{"type":"message_stop"}`))
	return s.flush()
}

func (s *streamSink) junk() {
	s.delta(blockTextKind, "after the end")
	s.buf = append(s.buf, "data: [DONE]\n\n\x00\x01 not an event at all\nevent: message_start\ndata: {}\n\n"...)
}

func (s *streamSink) flush() error {
	err := s.wire.write(s.buf)
	s.buf = s.buf[:0]
	return err
}

// appendJSONString appends text as a JSON string. Invalid UTF-8 becomes U+FFFD.
func appendJSONString(dst []byte, text string) []byte {
	const hex = "0123456789abcdef"
	dst = append(dst, '"')
	for i := 0; i < len(text); {
		c := text[i]
		if c >= utf8.RuneSelf {
			r, n := utf8.DecodeRuneInString(text[i:])
			dst = utf8.AppendRune(dst, r)
			i += n
			continue
		}
		switch {
		case c == '"' || c == '\\':
			dst = append(dst, '\\', c)
		case c == '\n':
			dst = append(dst, '\\', 'n')
		case c < ' ':
			dst = append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		default:
			dst = append(dst, c)
		}
		i++
	}
	return append(dst, '"')
}
