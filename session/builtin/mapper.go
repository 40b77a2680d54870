package builtin

import (
	"encoding/json"
	"fmt"
	"regexp"
	"time"

	"github.com/anthropics/anthropic-sdk-go"

	"parley/session"
	"parley/session/builtin/wire"
)

// mapper turns the stream of one answer into events. It is pure: the same stream and head give the same events. It
// follows version 2023-06-01 of the Messages API; unknown blocks and deltas are left out.
type mapper struct {
	// head returns the head of an event.
	head func() session.Head
	// turn and n identify the answer: the n-th of the turn, from 1.
	turn session.TurnID
	n    int
	// model is the requested model.
	model string
	// fresh reports whether no call of the session has used an id.
	fresh func(id session.CallID) bool

	blocks map[int64]*block
	order  []*block
	answer answer
}

// block is one content block of the answer.
type block struct {
	kind    string // as the API calls it
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
	// started means that part of the answer was emitted, so that a retry would be visible.
	started bool
	// stopped means that the answer is complete.
	stopped bool
	reason  string
	model   string
	calls   []call
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
	case "message_stop":
		m.answer.stopped = true
	}
	return nil
}

func (m *mapper) blockStart(index int64, c anthropic.ContentBlockStartEventContentBlockUnion) []session.Event {
	b := &block{kind: c.Type, started: m.head().At, part: session.PartID(fmt.Sprintf("%s.%d.%d", m.turn, m.n, len(m.order)))}
	var out []session.Event
	switch c.Type {
	case "text", "thinking":
		kind := session.PartText
		if c.Type == "thinking" {
			kind = session.PartReasoning
			b.sign = c.Signature
		}
		out = append(out, session.PartStarted{Head: m.head(), Part: b.part, Kind: kind})
		if text := c.Text + c.Thinking; text != "" {
			out = append(out, session.PartDelta{Head: m.head(), Part: b.part, Text: text})
		}
	case "redacted_thinking":
		b.raw = json.RawMessage(c.RawJSON())
		out = append(out, session.PartStarted{Head: m.head(), Part: b.part, Kind: session.PartReasoning})
	case "tool_use":
		out = append(out, m.boundary()...)
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
	m.answer.started = true
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
	if len(m.order) > 0 {
		return nil
	}
	part := session.PartID(fmt.Sprintf("%s.%d", m.turn, m.n))
	return []session.Event{
		session.PartStarted{Head: m.head(), Part: part, Kind: session.PartText},
		session.PartEnded{Head: m.head(), Part: part, Opaque: wire.Opaque{N: m.n, Model: m.model}.Encode()},
	}
}

var validCallID = regexp.MustCompile(`^[A-Za-z0-9_-]{1,128}$`)

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
	if b.kind != "tool_use" {
		return []session.Event{m.partEnded(b, true)}
	}
	input := json.RawMessage(b.input)
	if len(input) == 0 {
		input = json.RawMessage("{}")
	}
	m.answer.calls = append(m.answer.calls, call{b.call, b.name, input})
	return []session.Event{session.ToolReady{Head: m.head(), Call: b.call, Input: input}}
}

// partEnded closes a part. Interrupted thinking has no valid signature.
func (m *mapper) partEnded(b *block, whole bool) session.PartEnded {
	o := wire.Opaque{N: m.n, Model: m.model}
	switch {
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

// cut closes everything open after an answer broke off: parts end as they are, and calls never ran.
func (m *mapper) cut(outcome session.ToolOutcome, why string) []session.Event {
	var out []session.Event
	for _, b := range m.order {
		if b.closed {
			continue
		}
		b.closed = true
		if b.kind == "tool_use" {
			out = append(out, session.ToolEnded{Head: m.head(), Call: b.call, Outcome: outcome, Result: session.ToolResult{Text: why}})
			continue
		}
		out = append(out, m.partEnded(b, false))
	}
	return out
}
