package mapper

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"parley/internal/errmark"
	"parley/session"
)

// answer is one message of the model while it is streamed and committed.
type answer struct {
	id     string       // as parts are named after it
	raw    string       // as the runtime calls it
	blocks []*liveBlock // by index
}

// liveBlock is one block of an answer.
type liveBlock struct {
	kind      string // text, thinking, tool_use
	part      session.PartID
	call      session.CallID
	text      strings.Builder
	started   time.Time
	ended     bool
	committed bool
}

// maxBlocks bounds what an index can ask for; models answer with a few dozen blocks.
const maxBlocks = 4096

// stream maps an event of the Messages API. The runtime streams its top level only; child agents come as whole messages.
func (m *Mapper) stream(l line, at time.Time) {
	var e streamEvent
	if json.Unmarshal(l.Event, &e) != nil || l.ParentID != "" {
		m.unknown["stream_event"]++
		return
	}
	switch e.Type {
	case "message_start":
		m.speak(at)
		m.hooks.blocked = false
		m.dropAnswer(at)
		m.tell(at)
		m.begin(e.Message.ID)
		m.setModel(e.Message.Model, at)
		m.fill(e.Message.Usage, at)
	case "content_block_start":
		m.startBlock(e, at)
	case "content_block_delta":
		text := e.Delta.Text
		switch e.Delta.Type {
		case "thinking_delta":
			text = e.Delta.Thinking
		case "input_json_delta":
			text = e.Delta.JSON
		}
		m.delta(piece{e.Index, e.Delta.Type, text}, at)
	case "content_block_stop":
		m.stopBlock(e.Index, at)
	case "message_delta", "message_stop", "ping":
		// usage and the end come with the result
	default:
		m.unknown["stream_event/"+e.Type]++
	}
}

// begin makes room for an answer. Ids of messages are meant to be unique; where one comes again it gets a name of its own,
// so that its parts do not run into the earlier ones.
func (m *Mapper) begin(id string) {
	name := id
	if m.used[id]++; m.used[id] > 1 {
		name = fmt.Sprintf("%s~%d", id, m.used[id])
	}
	m.msg, m.wordless = &answer{id: name, raw: id}, false
}

// fill notes how much of the context window a request takes, and tells it once the window is known.
func (m *Mapper) fill(u usage, at time.Time) {
	m.window.Used = u.Input + u.CacheRead + u.CacheWrite
	if m.window.Window > 0 && m.window.Used > 0 {
		m.emit(session.ContextReported{Head: m.at(at), Used: m.window.Used, Window: m.window.Window})
	}
}

// synthetic is the model of messages that the runtime makes up itself.
const synthetic = "<synthetic>"

// normalModel leaves out the marker that stands in for a model in messages the runtime makes up.
func normalModel(id string) string {
	if id == synthetic {
		return ""
	}
	return id
}

func (m *Mapper) startBlock(e streamEvent, at time.Time) {
	if m.msg == nil || e.Index < 0 || e.Index >= maxBlocks || m.live(e.Index) != nil {
		m.unknown["content_block_start"]++
		return
	}
	b := &liveBlock{kind: e.Block.Type, started: at}
	for len(m.msg.blocks) <= e.Index {
		m.msg.blocks = append(m.msg.blocks, nil)
	}
	m.msg.blocks[e.Index] = b
	switch b.kind {
	case "text", "thinking":
		b.part = m.partAt(e.Index)
		m.emit(session.PartStarted{Head: m.at(at), Part: b.part, Kind: partKind(b.kind)})
		m.appendText(b, e.Block.words(), at)
	case "tool_use":
		if call := session.CallID(e.Block.ID); call != "" && m.tools[call] == nil {
			b.call = call
			m.startTool(e.Block, "", at)
		}
	}
}

// partAt names a part by its message and its place in it, since places alone repeat with every message of a turn.
func (m *Mapper) partAt(index int) session.PartID {
	return session.PartID(fmt.Sprintf("%s:%d", m.msg.id, index))
}

func partKind(block string) session.PartKind {
	if block == "thinking" {
		return session.PartReasoning
	}
	return session.PartText
}

func (m *Mapper) delta(p piece, at time.Time) {
	b := m.live(p.index)
	if b == nil || b.ended {
		return
	}
	switch p.kind {
	case "text_delta", "thinking_delta":
		m.appendText(b, p.text, at)
	case "input_json_delta":
		if b.call != "" && p.text != "" && !m.tools[b.call].ready {
			b.text.WriteString(p.text)
			m.emit(session.ToolInput{Head: m.at(at), Call: b.call, Fragment: p.text})
		}
	}
}

func (m *Mapper) live(index int) *liveBlock {
	if m.msg == nil || index < 0 || index >= len(m.msg.blocks) {
		return nil
	}
	return m.msg.blocks[index]
}

func (m *Mapper) appendText(b *liveBlock, text string, at time.Time) {
	if text == "" || b.part == "" {
		return
	}
	b.text.WriteString(text)
	m.emit(session.PartDelta{Head: m.at(at), Part: b.part, Text: text})
}

func (m *Mapper) stopBlock(index int, at time.Time) {
	b := m.live(index)
	if b == nil {
		return
	}
	m.endBlock(b, at)
	if b.call == "" || m.tools[b.call].ready {
		return
	}
	// The input as it was streamed, until the commit, if there is one, which may differ in defaults only. An input that is
	// broken is left to the commit or to the result.
	if input := b.text.String(); json.Valid([]byte(input)) {
		m.ready(b.call, json.RawMessage(input), at)
	}
}

func (m *Mapper) endBlock(b *liveBlock, at time.Time) {
	if b.part != "" && !b.ended {
		m.emit(session.PartEnded{Head: m.at(at), Part: b.part, Duration: at.Sub(b.started)})
	}
	b.ended = true
}

// dropAnswer takes back what was streamed and never committed: the attempt was thrown away.
func (m *Mapper) dropAnswer(at time.Time) {
	if m.msg == nil {
		return
	}
	for _, b := range m.msg.blocks {
		switch {
		case b == nil || b.committed:
		case b.part != "":
			m.emit(session.PartRetracted{Head: m.at(at), Part: b.part})
		case b.call != "":
			m.endTool(session.ToolEnded{Head: m.at(at), Call: b.call, Outcome: session.ToolCancelled}, at)
		}
	}
	m.msg = nil
}

// endAnswer closes what was streamed and never committed, where no further attempt is made: the user has read it.
func (m *Mapper) endAnswer(at time.Time) {
	if m.msg == nil {
		return
	}
	for _, b := range m.msg.blocks {
		if b == nil {
			continue
		}
		m.endBlock(b, at)
		if b.call != "" && !b.committed {
			m.endTool(session.ToolEnded{Head: m.at(at), Call: b.call, Outcome: session.ToolCancelled}, at)
		}
	}
	m.msg = nil
}

// assistant maps a whole message: for the top level the commit of what was streamed, for a child all there is.
func (m *Mapper) assistant(l line, at time.Time) {
	var msg message
	if json.Unmarshal(l.Message, &msg) != nil {
		m.unknown["assistant"]++
		return
	}
	if l.ParentID != "" {
		m.childSaid(l, msg, at)
		return
	}
	if msg.Model == synthetic && m.madeUp(l, msg, at) {
		return
	}
	m.speak(at)
	if m.msg == nil || m.msg.raw != msg.ID {
		if msg.Model == synthetic {
			m.endAnswer(at) // it comes beside an answer and not in its place
		}
		m.dropAnswer(at)
		m.begin(msg.ID)
	}
	for _, b := range msg.blocks() {
		if msg.Model == synthetic {
			b.Text = fenced(b.Text)
		}
		m.commit(b, at)
	}
}

// nothingSaid is what the runtime says in place of an answer that has no words.
const nothingSaid = "(no content)"

// madeUp maps a message of the runtime's own that is no answer: what a failed request is told with, and a filler. The
// words of a failure are kept until the result, which says whether the turn failed with them.
func (m *Mapper) madeUp(l line, msg message, at time.Time) bool {
	text := textOf(msg.Content)
	if l.Error == "" {
		return text == nothingSaid
	}
	m.speak(at)
	m.endAnswer(at)
	m.tell(at)
	m.failed = l.Error
	text, _, _ = errmark.Strip(text)
	m.excuse = apiMessage(text)
	return true
}

// commit finds the streamed block that a committed one stands for: the first of its kind not committed yet.
func (m *Mapper) commit(b block, at time.Time) {
	i := slices.IndexFunc(m.msg.blocks, func(s *liveBlock) bool {
		return s != nil && !s.committed && s.kind == b.Type && (b.Type != "tool_use" || s.call == session.CallID(b.ID))
	})
	fresh := i < 0
	if fresh {
		i = len(m.msg.blocks)
		m.msg.blocks = append(m.msg.blocks, &liveBlock{kind: b.Type, started: at})
	}
	live := m.msg.blocks[i]
	live.committed = true
	switch b.Type {
	case "text", "thinking":
		if fresh {
			m.commitWhole(live, i, b, at)
		} else {
			m.commitText(live, b, at)
		}
	case "tool_use":
		m.commitTool(live, b, at)
	}
}

// commitWhole makes a part of a block that was never streamed.
func (m *Mapper) commitWhole(live *liveBlock, index int, b block, at time.Time) {
	live.ended = true
	if b.words() == "" {
		return
	}
	live.part = m.partAt(index)
	m.emit(session.PartReplaced{Head: m.at(at), Part: live.part, Kind: partKind(b.Type), Text: b.words()})
}

// commitText closes a streamed part. Text is what the user reads, so the commit wins. Reasoning may be committed empty or
// shortened: what was shown stays.
func (m *Mapper) commitText(live *liveBlock, b block, at time.Time) {
	if b.Type == "text" && live.text.String() != b.Text {
		m.emit(session.PartReplaced{Head: m.at(at), Part: live.part, Kind: session.PartText, Text: b.Text})
		live.ended = true
		return
	}
	m.endBlock(live, at)
}

func (m *Mapper) commitTool(live *liveBlock, b block, at time.Time) {
	call := session.CallID(b.ID)
	if call == "" {
		m.unknown["tool_use without id"]++
		return
	}
	live.call = call
	m.startTool(b, "", at)
	m.ready(call, b.Input, at)
}
