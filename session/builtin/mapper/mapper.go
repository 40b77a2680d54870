package mapper

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/anthropics/anthropic-sdk-go"

	"parley/internal/lazyregexp"
	"parley/session"
	"parley/session/builtin/wire"
)

// Mapper turns the stream of one answer into events. One goroutine uses it.
type Mapper struct {
	// Head returns the head of an event.
	Head func() session.Head
	// ID begins the ids of the answer's parts. N is the number of the answer in its turn, from 1.
	ID string
	N  int
	// Model is the requested model.
	Model string
	// Fresh reports whether no call of the session has used an id.
	Fresh func(id session.CallID) bool
	// Repair returns the input of a call as the tool's schema describes it; optional.
	Repair func(name string, input json.RawMessage) json.RawMessage
	// Before are events that come before the first one of the answer.
	Before []session.Event
	// Aside marks an answer that is not part of the conversation: nothing goes on in a later one.
	Aside bool
	// Answer is what the stream has said so far.
	Answer Answer

	// resumes is the text of an answer that was cut off at its longest, in which the text of this one goes on; nil if there is none or
	// it went on. joined means that there was one: both are one answer, whose thinking is that of the first.
	resumes *Block
	joined  bool
	blocks  map[int64]*Block
	order   []*Block
	// held is a text that is complete unless the answer was cut off in it.
	held *Block
}

// Block is one content block of an answer.
type Block struct {
	kind    string // as the API calls it
	n       int    // of the answer in which it began
	part    session.PartID
	call    session.CallID
	name    string
	sign    string
	raw     json.RawMessage // of a block that is stored as a whole
	input   []byte
	started time.Time
	closed  bool
}

// Answer is what an answer has come to.
type Answer struct {
	// Stopped reports whether the answer is complete; Reason is why it stopped, as the API calls it.
	Stopped bool
	Reason  string
	Model   string
	// Calls are the calls whose input is complete, in order.
	Calls []Call
	// Words reports whether it has text, CutCall whether it ended in the middle of a call.
	Words, CutCall bool
	// Broken is why it broke off after complete calls, nil if it did not; the caller sets it.
	Broken error
	// Open is the text that goes on in the next answer, nil if none does.
	Open  *Block
	Usage session.Usage
	// NanoAIU is its price in billionths of a credit, 0 if the service named none.
	NanoAIU int64
}

// Call is a tool call whose input is complete.
type Call struct {
	ID    session.CallID
	Name  string
	Input json.RawMessage
}

// Add returns the events of the next piece of the stream.
func (m *Mapper) Add(e anthropic.MessageStreamEventUnion) []session.Event {
	switch e.Type {
	case "message_start":
		m.Answer.Model = string(e.Message.Model)
		u := e.Message.Usage
		m.Answer.Usage = session.Usage{Input: u.InputTokens, Output: u.OutputTokens, CacheRead: u.CacheReadInputTokens,
			CacheWrite: u.CacheCreationInputTokens}
	case "content_block_start":
		return m.blockStart(e.Index, e.ContentBlock)
	case "content_block_delta":
		return m.blockDelta(e.Index, e.Delta)
	case "content_block_stop":
		if b := m.blocks[e.Index]; b != nil {
			return m.blockStop(b)
		}
	case "message_delta":
		m.messageDelta(e)
		if !m.cutOff() {
			return m.release()
		}
	case "message_stop":
		m.Answer.Stopped = true
		if !m.cutOff() {
			return m.release()
		}
	}
	return nil
}

// cutOff reports whether the answer was cut off at its longest, and can go on in its last text.
func (m *Mapper) cutOff() bool {
	return m.Answer.Reason == "max_tokens" && m.Answer.Words && len(m.Answer.Calls) == 0 && !m.Aside
}

// release ends the text that is held.
func (m *Mapper) release() []session.Event {
	b := m.held
	if m.held = nil; b == nil {
		return nil
	}
	return []session.Event{m.partEnded(b, true)}
}

// Leave ends the text that has not gone on.
func (m *Mapper) Leave() []session.Event {
	b := m.resumes
	if m.resumes = nil; b == nil {
		return nil
	}
	return []session.Event{m.partEnded(b, true)}
}

func (m *Mapper) blockStart(index int64, c anthropic.ContentBlockStartEventContentBlockUnion) []session.Event {
	b := &Block{kind: c.Type, n: m.N, started: m.Head().At, part: session.PartID(fmt.Sprintf("%s.%d", m.ID, len(m.order)))}
	out := append(m.Before, m.release()...)
	switch c.Type {
	case "text", "thinking":
		if c.Type == "text" && m.resumes != nil {
			b, m.resumes = m.resumes, nil
			if c.Text != "" {
				m.Answer.Words = m.Answer.Words || strings.TrimSpace(c.Text) != ""
				out = append(out, session.PartDelta{Head: m.Head(), Part: b.part, Text: c.Text})
			}
			break
		}
		kind := session.PartText
		if c.Type == "thinking" {
			kind = session.PartReasoning
			b.sign = c.Signature
		}
		out = append(out, session.PartStarted{Head: m.Head(), Part: b.part, Kind: kind})
		if text := c.Text + c.Thinking; text != "" {
			m.Answer.Words = m.Answer.Words || strings.TrimSpace(c.Text) != ""
			out = append(out, session.PartDelta{Head: m.Head(), Part: b.part, Text: text})
		}
	case "redacted_thinking":
		b.raw = json.RawMessage(c.RawJSON())
		out = append(out, session.PartStarted{Head: m.Head(), Part: b.part, Kind: session.PartReasoning})
	case "tool_use":
		out = append(append(out, m.Leave()...), m.boundary()...)
		b.call, b.name = m.callID(c.ID, len(m.order)), c.Name
		b.input = startInput(c)
		out = append(out, session.ToolStarted{Head: m.Head(), Call: b.call, Name: b.name})
	default:
		return nil
	}
	if m.blocks == nil {
		m.blocks = map[int64]*Block{}
	}
	m.blocks[index] = b
	m.order = append(m.order, b)
	m.Before = nil
	return out
}

// startInput returns an input that came complete with the block's start; streams begin with an empty object instead.
func startInput(c anthropic.ContentBlockStartEventContentBlockUnion) []byte {
	var whole struct {
		Input json.RawMessage `json:"input"`
	}
	if json.Unmarshal([]byte(c.RawJSON()), &whole) != nil || string(whole.Input) == "{}" || string(whole.Input) == "null" {
		return nil
	}
	return whole.Input
}

// boundary starts an answer that begins with a call with an empty part, which separates its calls from those of the
// previous answer.
func (m *Mapper) boundary() []session.Event {
	if len(m.order) > 0 || m.joined {
		return nil
	}
	part := session.PartID(m.ID)
	return []session.Event{
		session.PartStarted{Head: m.Head(), Part: part, Kind: session.PartText},
		session.PartEnded{Head: m.Head(), Part: part, Opaque: wire.Opaque{N: m.N, Model: m.Model}.Encode()},
	}
}

var validCallID = lazyregexp.New(`^[A-Za-z0-9_-]{1,128}$`)

// callID returns the service's id unless it is unusable: empty, with characters that the service refuses, or used
// before.
func (m *Mapper) callID(id string, position int) session.CallID {
	if validCallID.MatchString(id) && m.Fresh(session.CallID(id)) {
		return session.CallID(id)
	}
	for i := 0; ; i++ {
		own := session.CallID(fmt.Sprintf("call_%d_%d_%d", m.N, position, i))
		if m.Fresh(own) {
			return own
		}
	}
}

func (m *Mapper) blockDelta(index int64, d anthropic.MessageStreamEventUnionDelta) []session.Event {
	b := m.blocks[index]
	if b == nil || b.closed {
		return nil
	}
	switch {
	case d.Type == "text_delta" && b.kind == "text" && d.Text != "":
		m.Answer.Words = m.Answer.Words || strings.TrimSpace(d.Text) != ""
		return []session.Event{session.PartDelta{Head: m.Head(), Part: b.part, Text: d.Text}}
	case d.Type == "thinking_delta" && b.kind == "thinking" && d.Thinking != "":
		return []session.Event{session.PartDelta{Head: m.Head(), Part: b.part, Text: d.Thinking}}
	case d.Type == "signature_delta" && b.kind == "thinking":
		b.sign += d.Signature
	case d.Type == "input_json_delta" && b.kind == "tool_use" && d.PartialJSON != "":
		b.input = append(b.input, d.PartialJSON...)
		return []session.Event{session.ToolInput{Head: m.Head(), Call: b.call, Fragment: d.PartialJSON}}
	}
	return nil
}

func (m *Mapper) blockStop(b *Block) []session.Event {
	if b.closed {
		return nil
	}
	b.closed = true
	switch b.kind {
	case "tool_use":
	case "text":
		m.held = b
		return nil
	default:
		return []session.Event{m.partEnded(b, true)}
	}
	input := json.RawMessage(b.input)
	if len(input) == 0 {
		input = json.RawMessage("{}")
	}
	if m.Repair != nil {
		input = m.Repair(b.name, input)
	}
	m.Answer.Calls = append(m.Answer.Calls, Call{b.call, b.name, input})
	return []session.Event{session.ToolReady{Head: m.Head(), Call: b.call, Input: input}}
}

// partEnded closes a part. Interrupted thinking has no valid signature.
func (m *Mapper) partEnded(b *Block, whole bool) session.PartEnded {
	o := wire.Opaque{N: m.N, Model: m.Model}
	switch {
	case m.joined: // thinking that would stand behind the text that it led to is not sent again
	case b.kind == "thinking" && whole && b.sign != "":
		o.Type, o.Signature = "thinking", b.sign
	case b.kind == "redacted_thinking":
		o.Type, o.Block = "redacted_thinking", b.raw
	}
	head := m.Head()
	return session.PartEnded{Head: head, Part: b.part, Duration: head.At.Sub(b.started), Opaque: o.Encode()}
}

func (m *Mapper) messageDelta(e anthropic.MessageStreamEventUnion) {
	if reason := string(e.Delta.StopReason); reason != "" {
		m.Answer.Reason = reason
	}
	// The last report wins, but keeps earlier values for missing fields.
	u, a := e.Usage, &m.Answer.Usage
	for _, field := range []struct {
		to   *int64
		from int64
	}{{&a.Input, u.InputTokens}, {&a.Output, u.OutputTokens}, {&a.CacheRead, u.CacheReadInputTokens},
		{&a.CacheWrite, u.CacheCreationInputTokens}} {
		if field.from > 0 {
			*field.to = field.from
		}
	}
	// An addition of Copilot that Anthropic's API does not have.
	var extra struct {
		Usage struct {
			NanoAIU json.Number `json:"total_nano_aiu"`
		} `json:"copilot_usage"`
	}
	if json.Unmarshal([]byte(e.RawJSON()), &extra) == nil {
		if n, err := extra.Usage.NanoAIU.Float64(); err == nil && n > 0 {
			m.Answer.NanoAIU = int64(n)
		}
	}
}

// Retracted returns the withdrawal of an answer that broke off, for when another attempt begins to answer, behind the events of
// Before that were not returned yet.
func (m *Mapper) Retracted() []session.Event {
	out := m.Before
	for _, b := range m.order {
		if b.kind != "tool_use" {
			out = append(out, session.PartRetracted{Head: m.Head(), Part: b.part})
		}
	}
	return out
}

// Cut closes everything open after an answer broke off: parts end as they are, and calls never ran.
func (m *Mapper) Cut(outcome session.ToolOutcome, why string) []session.Event {
	last := m.held
	if n := len(m.order); n > 0 && m.order[n-1].kind == "text" && !m.order[n-1].closed {
		last = m.order[n-1]
	}
	if m.held = nil; last != nil && m.Answer.Stopped && m.cutOff() {
		last.closed = false
		m.Answer.Open = last
	} else if last != nil && last.closed {
		last.closed = false
	}
	var out []session.Event
	for _, b := range m.order {
		if b.closed || b == m.Answer.Open {
			continue
		}
		b.closed = true
		if b.kind == "tool_use" {
			m.Answer.CutCall = true
			out = append(out, session.ToolEnded{Head: m.Head(), Call: b.call, Outcome: outcome, Result: session.ToolResult{Text: why}})
			continue
		}
		out = append(out, m.partEnded(b, false))
	}
	return out
}

// Resume lets the text of an earlier answer go on in this one, if b is not nil.
func (m *Mapper) Resume(b *Block) {
	if b != nil {
		m.resumes, m.joined, m.N = b, true, b.n
	}
}

// WentOn reports whether the text of an earlier answer went on in this one.
func (m *Mapper) WentOn() bool { return m.joined && m.resumes == nil }

// Saying reports whether the newest block is text.
func (m *Mapper) Saying() bool {
	n := len(m.order)
	return n > 0 && m.order[n-1].kind == "text"
}
