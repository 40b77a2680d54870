package proxy

import (
	"bytes"

	"parley/internal/jsonedit"
)

// deltaEvent is the most frequent event of streams.
const deltaEvent = "content_block_delta"

// maxHeld bounds the held bytes. Clients read events line by line, and a long line costs them more than two shorter
// ones.
const maxHeld = 16 << 10

// coalescer joins successive deltas of one block: several events with a few letters each become one. It joins only
// text, thinking and tool input, in events with exactly the known members. It never changes the order, and is a pure
// state machine; its owner keeps the time.
type coalescer struct {
	// head and tail are the bytes around the content of the last delta, up to the opening quote and from the closing
	// quote on. A delta with the same ones belongs to the same block and is of the same kind.
	head, tail []byte
	known      bool // head and tail are set
	fed        bool // the block has shown something, so the next delta may wait

	held   []byte // a head and contents
	end    []byte // the tail for them
	joined int    // deltas in held
}

// verdict decides about an event.
type verdict int

const (
	passOn   verdict = iota // write what is held, then the event
	holdBack                // the event was added to what is held
	holdNew                 // write what is held; hold the event afterwards
)

// block resets the state at the beginning or end of a block.
func (c *coalescer) block() { c.known, c.fed = false, false }

// judge returns the verdict on a delta. open reports whether the window is open: the last write was so recent that the delta
// may wait.
func (c *coalescer) judge(data []byte, open bool) verdict {
	if c.known {
		if content, ok := c.contentOf(data); ok {
			return c.judgeContent(content, open)
		}
	}
	c.known, c.fed = false, false
	p, ok := takeApart(data)
	if !ok {
		return passOn
	}
	c.head = append(c.head[:0], data[:p.From]...)
	c.tail = append(c.tail[:0], data[p.To:]...)
	c.known, c.fed = true, p.To > p.From
	return passOn
}

// judgeContent returns the verdict on a delta that continues the block.
func (c *coalescer) judgeContent(content []byte, open bool) verdict {
	if !c.fed {
		c.fed = len(content) > 0
		return passOn
	}
	switch {
	case c.joined == 0 && !open:
		return passOn
	case c.joined > 0 && (splitsCharacter(content) || len(c.held)+len(content) > maxHeld):
		return holdNew
	}
	c.hold(content)
	return holdBack
}

// contentOf returns the content of a delta with the same head and tail as the last one.
func (c *coalescer) contentOf(data []byte) ([]byte, bool) {
	n := len(data) - len(c.tail)
	if n < len(c.head) || !bytes.Equal(data[n:], c.tail) || !bytes.HasPrefix(data, c.head) {
		return nil, false
	}
	content := data[len(c.head):n]
	return content, isContent(content)
}

// hold adds content to the held deltas.
func (c *coalescer) hold(content []byte) {
	if c.joined == 0 {
		c.held = append(c.held[:0], c.head...)
		c.end = append(c.end[:0], c.tail...)
	}
	c.held = append(c.held, content...)
	c.joined++
}

// holdEvent starts holding with the event for which judge returned holdNew.
func (c *coalescer) holdEvent(data []byte) { c.hold(data[len(c.head) : len(data)-len(c.tail)]) }

// take returns the event made of the held deltas, and their number, and clears them. The event is valid until the next
// call of another method.
func (c *coalescer) take() (data []byte, joined int) {
	joined, c.joined = c.joined, 0
	c.held = append(c.held, c.end...)
	return c.held, joined
}

// isContent reports whether text, which follows an opening quote, contains no closing one.
func isContent(text []byte) bool {
	if bytes.IndexByte(text, '\\') < 0 {
		return bytes.IndexByte(text, '"') < 0
	}
	i := 0
	for i < len(text) {
		switch text[i] {
		case '"':
			return false
		case '\\':
			i += 2
		default:
			i++
		}
	}
	return i == len(text)
}

// splitsCharacter reports whether the content begins within a character: with the second half of a surrogate pair, or
// within a UTF-8 sequence. After its first half it would decode differently than alone.
func splitsCharacter(content []byte) bool {
	if len(content) == 0 {
		return false
	}
	if content[0]&0xC0 == 0x80 {
		return true
	}
	if len(content) < 6 || content[0] != '\\' || content[1] != 'u' || content[2]|0x20 != 'd' {
		return false
	}
	c := content[3] | 0x20
	return c >= 'c' && c <= 'f'
}

// contentKeys are the members with the content of the deltas that can be joined, by their type.
var contentKeys = map[string]string{"text_delta": "text", "thinking_delta": "thinking", "input_json_delta": "partial_json"}

// content is the range of a delta's content, without the quotes.
type content = jsonedit.Span

// takeApart finds the content of a delta with exactly the known members, each once.
func takeApart(data []byte) (at content, ok bool) {
	var typ, kind, key string
	index, members := false, 0
	s := jsonedit.Scan(data)
	for more := s.TopObject(); more; more = s.NextMember() {
		members++
		name, first := s.Key(), s.Kind()
		switch {
		case s.Is(name, "type") && first == '"':
			if p := s.Value(); s.Err() == nil {
				typ = s.String(p)
			}
			continue
		case s.Is(name, "index"):
			index = true
		case s.Is(name, "delta") && first == '{':
			for more := s.Object(); more; more = s.NextMember() {
				members++
				name, first := s.Key(), s.Kind()
				p := s.Value()
				switch {
				case first != '"' || s.Err() != nil:
				case s.Is(name, "type"):
					kind = s.String(p)
				default:
					key, at = s.String(name), content{From: p.From + 1, To: p.To - 1}
				}
			}
			continue
		}
		s.Value()
	}
	// With five members, of which each of these needs one, there is none left for another.
	ok = s.End() == nil && members == 5 && typ == deltaEvent && index && key != "" && contentKeys[kind] == key
	return at, ok
}
