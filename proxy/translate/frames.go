package translate

import (
	"encoding/json"
	"strconv"
	"unicode/utf8"
)

// Frame is one event of the Messages API.
type Frame struct {
	Event string
	// Data is JSON. It is valid until its stream has made frames twice more, so that a caller can read the next frames
	// while it still passes on the last.
	Data []byte
}

// sink receives an answer piece by piece: one block after the other, each opened, filled and closed.
type sink interface {
	start()
	open(k kind, id, name string)
	add(k kind, text string)
	// close closes the open block. The signature is that of a thinking block.
	close(signature string)
	finish(e ending)
}

// kind is the type of a block.
type kind string

const (
	kindText     kind = "text"
	kindThinking kind = "thinking"
	kindTool     kind = "tool_use"
)

// ending is the end of a complete answer.
type ending struct {
	reason string // stop_reason
	stop   string // the stop sequence that was met
	usage  usage
	cost   json.RawMessage // copilot_usage, nil for none
}

// frameSink makes the events of a stream.
type frameSink struct {
	id, model string
	index     int // of the open block
	frames    []Frame
	buf       []byte // the data of the frames
	other     []byte // the data of the previous frames
}

// reset discards the frames made so far, but leaves the data of the last ones intact.
func (s *frameSink) reset() {
	if len(s.frames) > 0 {
		s.buf, s.other = s.other, s.buf
	}
	s.frames = s.frames[:0]
	s.buf = s.buf[:0]
}

// emit makes a frame of the bytes appended to buf since from.
func (s *frameSink) emit(event string, from int) {
	s.frames = append(s.frames, Frame{Event: event, Data: s.buf[from:len(s.buf):len(s.buf)]})
}

func (s *frameSink) start() {
	from := len(s.buf)
	s.buf = append(s.buf, `{"type":"message_start","message":{"id":`...)
	s.buf = appendString(s.buf, s.id)
	s.buf = append(s.buf, `,"type":"message","role":"assistant","model":`...)
	s.buf = appendString(s.buf, s.model)
	s.buf = append(s.buf, `,"content":[],"stop_reason":null,"stop_sequence":null,"usage":`...)
	s.buf = usage{}.append(s.buf)
	s.buf = append(s.buf, `}}`...)
	s.emit("message_start", from)
}

func (s *frameSink) open(k kind, id, name string) {
	from := len(s.buf)
	s.buf = append(s.buf, `{"type":"content_block_start","index":`...)
	s.buf = strconv.AppendInt(s.buf, int64(s.index), 10)
	switch k {
	case kindThinking:
		s.buf = append(s.buf, `,"content_block":{"type":"thinking","thinking":"","signature":""}}`...)
	case kindTool:
		s.buf = append(s.buf, `,"content_block":{"type":"tool_use","id":`...)
		s.buf = appendString(s.buf, id)
		s.buf = append(s.buf, `,"name":`...)
		s.buf = appendString(s.buf, name)
		s.buf = append(s.buf, `,"input":{}}}`...)
	default:
		s.buf = append(s.buf, `,"content_block":{"type":"text","text":""}}`...)
	}
	s.emit("content_block_start", from)
}

func (s *frameSink) add(k kind, text string) {
	switch k {
	case kindThinking:
		s.delta(`,"delta":{"type":"thinking_delta","thinking":`, text)
	case kindTool:
		s.delta(`,"delta":{"type":"input_json_delta","partial_json":`, text)
	default:
		s.delta(`,"delta":{"type":"text_delta","text":`, text)
	}
}

func (s *frameSink) delta(middle, text string) {
	from := len(s.buf)
	s.buf = append(s.buf, `{"type":"content_block_delta","index":`...)
	s.buf = strconv.AppendInt(s.buf, int64(s.index), 10)
	s.buf = append(s.buf, middle...)
	s.buf = appendString(s.buf, text)
	s.buf = append(s.buf, `}}`...)
	s.emit("content_block_delta", from)
}

func (s *frameSink) close(signature string) {
	if signature != "" {
		s.delta(`,"delta":{"type":"signature_delta","signature":`, signature)
	}
	from := len(s.buf)
	s.buf = append(s.buf, `{"type":"content_block_stop","index":`...)
	s.buf = strconv.AppendInt(s.buf, int64(s.index), 10)
	s.buf = append(s.buf, '}')
	s.emit("content_block_stop", from)
	s.index++
}

func (s *frameSink) finish(e ending) {
	from := len(s.buf)
	s.buf = append(s.buf, `{"type":"message_delta","delta":{"stop_reason":`...)
	s.buf = appendString(s.buf, e.reason)
	s.buf = append(s.buf, `,"stop_sequence":`...)
	s.buf = appendOptional(s.buf, e.stop)
	s.buf = append(s.buf, `},"usage":`...)
	s.buf = e.usage.append(s.buf)
	s.buf = appendCost(s.buf, e.cost)
	s.buf = append(s.buf, '}')
	s.emit("message_delta", from)
	from = len(s.buf)
	s.buf = append(s.buf, `{"type":"message_stop"}`...)
	s.emit("message_stop", from)
}

// wholeSink makes one message.
type wholeSink struct {
	buf    []byte
	blocks int
	kind   kind
	text   []byte // of the open block
}

func newWholeSink(id, model string) *wholeSink {
	s := &wholeSink{buf: []byte(`{"id":`)}
	s.buf = appendString(s.buf, id)
	s.buf = append(s.buf, `,"type":"message","role":"assistant","model":`...)
	s.buf = appendString(s.buf, model)
	s.buf = append(s.buf, `,"content":[`...)
	return s
}

func (s *wholeSink) start() {}

func (s *wholeSink) open(k kind, id, name string) {
	if s.blocks++; s.blocks > 1 {
		s.buf = append(s.buf, ',')
	}
	s.kind, s.text = k, s.text[:0]
	switch k {
	case kindThinking:
		s.buf = append(s.buf, `{"type":"thinking","thinking":`...)
	case kindTool:
		s.buf = append(s.buf, `{"type":"tool_use","id":`...)
		s.buf = appendString(s.buf, id)
		s.buf = append(s.buf, `,"name":`...)
		s.buf = appendString(s.buf, name)
		s.buf = append(s.buf, `,"input":`...)
	default:
		s.buf = append(s.buf, `{"type":"text","text":`...)
	}
}

func (s *wholeSink) add(_ kind, text string) { s.text = append(s.text, text...) }

func (s *wholeSink) close(signature string) {
	switch {
	case s.kind != kindTool:
		s.buf = appendString(s.buf, string(s.text))
	case isObject(s.text):
		s.buf = append(s.buf, s.text...)
	default: // cut off, or never valid: the client's own check of the input tells the model
		s.buf = append(s.buf, `{}`...)
	}
	if s.kind == kindThinking {
		s.buf = append(s.buf, `,"signature":`...)
		s.buf = appendString(s.buf, signature)
	}
	s.buf = append(s.buf, '}')
}

func (s *wholeSink) finish(e ending) {
	s.buf = append(s.buf, `],"stop_reason":`...)
	s.buf = appendString(s.buf, e.reason)
	s.buf = append(s.buf, `,"stop_sequence":`...)
	s.buf = appendOptional(s.buf, e.stop)
	s.buf = append(s.buf, `,"usage":`...)
	s.buf = e.usage.append(s.buf)
	s.buf = appendCost(s.buf, e.cost)
	s.buf = append(s.buf, '}')
}

// appendCost appends what the service charged, unchanged.
func appendCost(b []byte, cost json.RawMessage) []byte {
	if len(cost) == 0 {
		return b
	}
	b = append(b, `,"copilot_usage":`...)
	return append(b, cost...)
}

// appendOptional appends a string, null if it is empty.
func appendOptional(b []byte, s string) []byte {
	if s == "" {
		return append(b, "null"...)
	}
	return appendString(b, s)
}

// appendString appends a JSON string. Bytes that are not UTF-8 become U+FFFD.
func appendString(b []byte, s string) []byte {
	const hex = "0123456789abcdef"
	b = append(b, '"')
	from := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c >= utf8.RuneSelf {
			r, n := utf8.DecodeRuneInString(s[i:])
			if r == utf8.RuneError && n == 1 {
				b = append(b, s[from:i]...)
				b = append(b, "\ufffd"...)
				from = i + 1
			}
			i += n
			continue
		}
		if c >= ' ' && c != '"' && c != '\\' {
			i++
			continue
		}
		b = append(b, s[from:i]...)
		switch c {
		case '"', '\\':
			b = append(b, '\\', c)
		case '\n':
			b = append(b, '\\', 'n')
		default:
			b = append(b, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		}
		i++
		from = i
	}
	b = append(b, s[from:]...)
	return append(b, '"')
}

// isObject reports whether text is one JSON object.
func isObject(text []byte) bool {
	for _, c := range text {
		if c != ' ' && c != '\n' && c != '\t' && c != '\r' {
			return c == '{' && json.Valid(text)
		}
	}
	return false
}
