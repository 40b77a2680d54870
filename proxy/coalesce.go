package proxy

import (
	"bytes"

	"parley/internal/jsonedit"
)

// deltaEvent is the event that streams have thousands of.
const deltaEvent = "content_block_delta"

// maxHeld bounds what is held back, in bytes. Clients read events line by line; a long line costs them more than two
// shorter ones.
const maxHeld = 16 << 10

// coalescer joins deltas that follow each other closely: several events with a few letters each become one with all of
// them. A client parses, copies and paints per event, so that a fast model costs it several times the work otherwise.
//
// Only text, thinking and tool input are joined, only within one block, and only events that consist of nothing but
// their known members. They are joined as they are written: the contents of the JSON strings are put after each other,
// escapes included, and the rest of the event is that of the first. Order never changes.
//
// It is a pure state machine; its owner keeps the time.
type coalescer struct {
	// head and tail are what stands around the content of the last delta, from the beginning up to the opening quote and
	// from the closing quote on. A delta with the same ones belongs to the same block and is of the same kind.
	head, tail []byte
	known      bool // head and tail are set
	fed        bool // the block has shown something: the next delta may wait

	held   []byte // a head and contents
	end    []byte // the tail that goes with them
	joined int    // deltas in held
}

// verdict is what becomes of an event.
type verdict int

const (
	passOn   verdict = iota // write what is held, then the event
	holdBack                // the event was added to what is held
	holdNew                 // write what is held; hold the event afterwards
)

// block resets the state at the beginning or end of a block.
func (c *coalescer) block() { c.known, c.fed = false, false }

// judge decides what becomes of a delta. open reports that the window is open: the last write was so recent that the delta may
// wait.
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

// judgeContent decides what becomes of a delta that continues the block.
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

// contentOf returns the content of a delta that equals the last one around it.
func (c *coalescer) contentOf(data []byte) ([]byte, bool) {
	n := len(data) - len(c.tail)
	if n < len(c.head) || !bytes.Equal(data[n:], c.tail) || !bytes.HasPrefix(data, c.head) {
		return nil, false
	}
	content := data[len(c.head):n]
	return content, isContent(content)
}

// hold adds to what is held.
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

// take returns the event made of the held deltas, and their number, and clears them. The event is valid until the
// next call of another method.
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

// splitsCharacter reports whether the content begins in the middle of a character: with the second half of a pair of
// escapes, or of a sequence of bytes. Put after its first half it would read differently than by itself.
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

// contentKeys are the members that carry the content of the kinds of deltas that can be joined.
var contentKeys = map[string]string{"text_delta": "text", "thinking_delta": "thinking", "input_json_delta": "partial_json"}

// content is where the content of a delta is, without the quotes.
type content = jsonedit.Span

// takeApart finds the content of a delta that consists of its known members and nothing else, each once.
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
	// Five members, of which each of these needs one, leave no room for another.
	ok = s.End() == nil && members == 5 && typ == deltaEvent && index && key != "" && contentKeys[kind] == key
	return at, ok
}
