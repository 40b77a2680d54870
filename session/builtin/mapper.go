package builtin

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

// mapper turns the stream of one answer into events. It is pure: the same stream and head give the same events. It
// follows version 2023-06-01 of the Messages API; unknown blocks and deltas are left out.
type mapper struct {
	// head returns the head of an event.
	head func() session.Head
	// id begins the ids of the answer's parts. n is the number of the answer in its turn, from 1.
	id string
	n  int
	// model is the requested model.
	model string
	// fresh reports whether no call of the session has used an id.
	fresh func(id session.CallID) bool
	// repair returns the input of a call as the tool's schema describes it; optional.
	repair func(name string, input json.RawMessage) json.RawMessage

	// before are events that come before the first one of the answer.
	before []session.Event
	// resumes is the text of an answer that was cut off at its longest, in which the text of this one goes on; nil if there is none or
	// it went on. joined means that there was one: both are one answer, whose thinking is that of the first.
	resumes *block
	joined  bool
	// take receives the events of an answer that is not part of the conversation; nil for any other.
	take func([]session.Event)

	blocks map[int64]*block
	order  []*block
	// held is a text that is complete unless the answer was cut off in it.
	held   *block
	answer answer
}

// block is one content block of the answer.
type block struct {
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

// answer is the state of an answer.
type answer struct {
	// stopped reports whether the answer is complete.
	stopped bool
	reason  string
	model   string
	calls   []call
	// words reports whether it has text, cutCall whether it ended in the middle of a call; broken is why it broke off after complete
	// calls, nil if it did not.
	words, cutCall bool
	// open is the text that goes on in the next answer, nil if none does.
	open    *block
	broken  error
	usage   session.Usage
	nanoAIU int64
}

// call is a tool call whose input is complete.
type call struct {
	id    session.CallID
	name  string
	input json.RawMessage
}

func (m *mapper) add(e anthropic.MessageStreamEventUnion) []session.Event {
	switch e.Type {
	case "message_start":
		m.answer.model = string(e.Message.Model)
		u := e.Message.Usage
		m.answer.usage = session.Usage{Input: u.InputTokens, Output: u.OutputTokens, CacheRead: u.CacheReadInputTokens,
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
		m.answer.stopped = true
		if !m.cutOff() {
			return m.release()
		}
	}
	return nil
}

// cutOff reports whether the answer was cut off at its longest, and can go on in its last text.
func (m *mapper) cutOff() bool {
	return m.answer.reason == "max_tokens" && m.answer.words && len(m.answer.calls) == 0 && m.take == nil
}

// release ends the text that is held.
func (m *mapper) release() []session.Event {
	b := m.held
	if m.held = nil; b == nil {
		return nil
	}
	return []session.Event{m.partEnded(b, true)}
}

// leave ends the text that has not gone on.
func (m *mapper) leave() []session.Event {
	b := m.resumes
	if m.resumes = nil; b == nil {
		return nil
	}
	return []session.Event{m.partEnded(b, true)}
}

func (m *mapper) blockStart(index int64, c anthropic.ContentBlockStartEventContentBlockUnion) []session.Event {
	b := &block{kind: c.Type, n: m.n, started: m.head().At, part: session.PartID(fmt.Sprintf("%s.%d", m.id, len(m.order)))}
	out := append(m.before, m.release()...)
	switch c.Type {
	case "text", "thinking":
		if c.Type == "text" && m.resumes != nil {
			b, m.resumes = m.resumes, nil
			if c.Text != "" {
				m.answer.words = m.answer.words || strings.TrimSpace(c.Text) != ""
				out = append(out, session.PartDelta{Head: m.head(), Part: b.part, Text: c.Text})
			}
			break
		}
		kind := session.PartText
		if c.Type == "thinking" {
			kind = session.PartReasoning
			b.sign = c.Signature
		}
		out = append(out, session.PartStarted{Head: m.head(), Part: b.part, Kind: kind})
		if text := c.Text + c.Thinking; text != "" {
			m.answer.words = m.answer.words || strings.TrimSpace(c.Text) != ""
			out = append(out, session.PartDelta{Head: m.head(), Part: b.part, Text: text})
		}
	case "redacted_thinking":
		b.raw = json.RawMessage(c.RawJSON())
		out = append(out, session.PartStarted{Head: m.head(), Part: b.part, Kind: session.PartReasoning})
	case "tool_use":
		out = append(append(out, m.leave()...), m.boundary()...)
		b.call, b.name = m.callID(c.ID, len(m.order)), c.Name
		b.input = startInput(c)
		out = append(out, session.ToolStarted{Head: m.head(), Call: b.call, Name: b.name})
	default:
		return nil
	}
	if m.blocks == nil {
		m.blocks = map[int64]*block{}
	}
	m.blocks[index] = b
	m.order = append(m.order, b)
	m.before = nil
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
func (m *mapper) boundary() []session.Event {
	if len(m.order) > 0 || m.joined {
		return nil
	}
	part := session.PartID(m.id)
	return []session.Event{
		session.PartStarted{Head: m.head(), Part: part, Kind: session.PartText},
		session.PartEnded{Head: m.head(), Part: part, Opaque: wire.Opaque{N: m.n, Model: m.model}.Encode()},
	}
}

var validCallID = lazyregexp.New(`^[A-Za-z0-9_-]{1,128}$`)

// callID returns the service's id unless it is unusable: empty, with characters that the service refuses, or used
// before.
func (m *mapper) callID(id string, position int) session.CallID {
	if validCallID.MatchString(id) && m.fresh(session.CallID(id)) {
		return session.CallID(id)
	}
	for i := 0; ; i++ {
		own := session.CallID(fmt.Sprintf("call_%d_%d_%d", m.n, position, i))
		if m.fresh(own) {
			return own
		}
	}
}

func (m *mapper) blockDelta(index int64, d anthropic.MessageStreamEventUnionDelta) []session.Event {
	b := m.blocks[index]
	if b == nil || b.closed {
		return nil
	}
	switch {
	case d.Type == "text_delta" && b.kind == "text" && d.Text != "":
		m.answer.words = m.answer.words || strings.TrimSpace(d.Text) != ""
		return []session.Event{session.PartDelta{Head: m.head(), Part: b.part, Text: d.Text}}
	case d.Type == "thinking_delta" && b.kind == "thinking" && d.Thinking != "":
		return []session.Event{session.PartDelta{Head: m.head(), Part: b.part, Text: d.Thinking}}
	case d.Type == "signature_delta" && b.kind == "thinking":
		b.sign += d.Signature
	case d.Type == "input_json_delta" && b.kind == "tool_use" && d.PartialJSON != "":
		b.input = append(b.input, d.PartialJSON...)
		return []session.Event{session.ToolInput{Head: m.head(), Call: b.call, Fragment: d.PartialJSON}}
	}
	return nil
}

func (m *mapper) blockStop(b *block) []session.Event {
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
	if m.repair != nil {
		input = m.repair(b.name, input)
	}
	m.answer.calls = append(m.answer.calls, call{b.call, b.name, input})
	return []session.Event{session.ToolReady{Head: m.head(), Call: b.call, Input: input}}
}

// partEnded closes a part. Interrupted thinking has no valid signature.
func (m *mapper) partEnded(b *block, whole bool) session.PartEnded {
	o := wire.Opaque{N: m.n, Model: m.model}
	switch {
	case m.joined: // thinking that would stand behind the text that it led to is not sent again
	case b.kind == "thinking" && whole && b.sign != "":
		o.Type, o.Signature = "thinking", b.sign
	case b.kind == "redacted_thinking":
		o.Type, o.Block = "redacted_thinking", b.raw
	}
	head := m.head()
	return session.PartEnded{Head: head, Part: b.part, Duration: head.At.Sub(b.started), Opaque: o.Encode()}
}

func (m *mapper) messageDelta(e anthropic.MessageStreamEventUnion) {
	if reason := string(e.Delta.StopReason); reason != "" {
		m.answer.reason = reason
	}
	// The last report wins, but keeps earlier values for missing fields.
	u, a := e.Usage, &m.answer.usage
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
			m.answer.nanoAIU = int64(n)
		}
	}
}

// retracted returns the withdrawal of an answer that broke off, for when another attempt begins to answer.
func (m *mapper) retracted() []session.Event {
	var out []session.Event
	for _, b := range m.order {
		if b.kind != "tool_use" {
			out = append(out, session.PartRetracted{Head: m.head(), Part: b.part})
		}
	}
	return out
}

// cut closes everything open after an answer broke off: parts end as they are, and calls never ran.
func (m *mapper) cut(outcome session.ToolOutcome, why string) []session.Event {
	last := m.held
	if n := len(m.order); n > 0 && m.order[n-1].kind == "text" && !m.order[n-1].closed {
		last = m.order[n-1]
	}
	if m.held = nil; last != nil && m.answer.stopped && m.cutOff() {
		last.closed = false
		m.answer.open = last
	} else if last != nil && last.closed {
		last.closed = false
	}
	var out []session.Event
	for _, b := range m.order {
		if b.closed || b == m.answer.open {
			continue
		}
		b.closed = true
		if b.kind == "tool_use" {
			m.answer.cutCall = true
			out = append(out, session.ToolEnded{Head: m.head(), Call: b.call, Outcome: outcome, Result: session.ToolResult{Text: why}})
			continue
		}
		out = append(out, m.partEnded(b, false))
	}
	return out
}
