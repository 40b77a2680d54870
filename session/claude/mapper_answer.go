package claude

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"parley/session"
)

// answer is one message of the model while it is streamed and committed.
type answer struct {
	id      string
	blocks  []*liveBlock // by index of the stream
	commits int          // blocks committed so far
}

// liveBlock is one streamed block.
type liveBlock struct {
	kind      string // text, thinking, tool_use
	part      session.PartID
	call      session.CallID
	text      strings.Builder
	started   time.Time
	ended     bool
	committed bool
}

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
		m.dropAnswer(at)
		m.msg = &answer{id: e.Message.ID}
		m.setModel(normalModel(e.Message.Model), at)
		m.window.Used = e.Message.Usage.Input + e.Message.Usage.CacheRead + e.Message.Usage.CacheWrite
	case "content_block_start":
		m.startBlock(e, at)
	case "content_block_delta":
		m.delta(e, at)
	case "content_block_stop":
		m.stopBlock(e.Index, at)
	case "message_delta", "message_stop", "ping":
		// usage and the end come with the result
	default:
		m.unknown["stream_event/"+e.Type]++
	}
}

// normalModel leaves out the marker that stands in for a model in messages the runtime makes up.
func normalModel(id string) string {
	if id == synthetic {
		return ""
	}
	return id
}

// synthetic is the model of messages that the runtime makes up itself.
const synthetic = "<synthetic>"

func (m *Mapper) startBlock(e streamEvent, at time.Time) {
	if m.msg == nil {
		return
	}
	b := &liveBlock{kind: e.Block.Type, started: at}
	for len(m.msg.blocks) <= e.Index {
		m.msg.blocks = append(m.msg.blocks, nil)
	}
	m.msg.blocks[e.Index] = b
	switch b.kind {
	case "text", "thinking":
		b.part = session.PartID(fmt.Sprintf("%s:%d", m.msg.id, e.Index))
		m.emit(session.PartStarted{Head: m.at(at), Part: b.part, Kind: partKind(b.kind)})
		m.appendText(b, e.Block.Text+e.Block.Thinking, at)
	case "tool_use":
		b.call = session.CallID(e.Block.ID)
		m.startTool(e.Block, "", at)
	}
}

func partKind(block string) session.PartKind {
	if block == "thinking" {
		return session.PartReasoning
	}
	return session.PartText
}

func (m *Mapper) delta(e streamEvent, at time.Time) {
	b := m.live(e.Index)
	if b == nil || b.ended {
		return
	}
	switch e.Delta.Type {
	case "text_delta":
		m.appendText(b, e.Delta.Text, at)
	case "thinking_delta":
		m.appendText(b, e.Delta.Thinking, at)
	case "input_json_delta":
		if b.call != "" && e.Delta.JSON != "" {
			b.text.WriteString(e.Delta.JSON)
			m.emit(session.ToolInput{Head: m.at(at), Call: b.call, Fragment: e.Delta.JSON})
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
	if b.call != "" && !m.tools[b.call].ready && json.Valid([]byte(b.text.String())) {
		m.ready(b.call, json.RawMessage(b.text.String()), at)
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
		case b.call != "" && !m.tools[b.call].ended:
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
	m.speak(at)
	if l.Error != "" {
		m.failed = l.Error
	}
	if m.msg == nil || m.msg.id != msg.ID {
		m.dropAnswer(at)
		m.msg = &answer{id: msg.ID}
	}
	for _, b := range msg.blocks() {
		m.commit(b, at)
	}
}

// commit finds the streamed block that a committed one stands for: the first of its kind not committed yet.
func (m *Mapper) commit(b block, at time.Time) {
	i := slices.IndexFunc(m.msg.blocks, func(s *liveBlock) bool {
		return s != nil && !s.committed && s.kind == b.Type && (b.Type != "tool_use" || s.call == session.CallID(b.ID))
	})
	var live *liveBlock
	if i >= 0 {
		live = m.msg.blocks[i]
		live.committed = true
	}
	m.msg.commits++
	switch b.Type {
	case "text", "thinking":
		m.commitText(live, b, at)
	case "tool_use":
		if live == nil {
			m.startTool(b, "", at)
		}
		m.ready(session.CallID(b.ID), b.Input, at)
	}
}

func (m *Mapper) commitText(live *liveBlock, b block, at time.Time) {
	text, kind := b.Text+b.Thinking, partKind(b.Type)
	if live == nil {
		if text != "" {
			part := session.PartID(fmt.Sprintf("%s:commit-%d", m.msg.id, m.msg.commits))
			m.emit(session.PartReplaced{Head: m.at(at), Part: part, Kind: kind, Text: text})
		}
		return
	}
	// Text is what the user reads, so the commit wins. Reasoning may be committed empty or shortened: what was shown stays.
	if kind == session.PartText && live.text.String() != text {
		m.emit(session.PartReplaced{Head: m.at(at), Part: live.part, Kind: kind, Text: text})
		live.ended = true
		return
	}
	m.endBlock(live, at)
}

func (m *Mapper) startTool(b block, parent string, at time.Time) {
	call := session.CallID(b.ID)
	if _, known := m.tools[call]; known {
		return
	}
	m.tools[call] = toolCall{name: b.Name, turn: m.turn, child: session.ChildID(parent)}
	m.emit(session.ToolStarted{Head: m.in(parent, at), Call: call, Name: b.Name, Parent: session.CallID(parent)})
}

func (m *Mapper) ready(call session.CallID, input json.RawMessage, at time.Time) {
	t, known := m.tools[call]
	if !known || t.ready {
		return
	}
	t.ready = true
	m.tools[call] = t
	if len(bytes.TrimSpace(input)) == 0 {
		input = json.RawMessage("{}")
	}
	h := m.at(at)
	h.Turn, h.Child = t.turn, t.child
	m.emit(session.ToolReady{Head: h, Call: call, Input: input})
	if t.name == "TodoWrite" && t.child == "" {
		m.todos(input, at)
	}
}

func (m *Mapper) todos(input json.RawMessage, at time.Time) {
	var in struct {
		Todos []struct {
			Content    string `json:"content"`
			ActiveForm string `json:"activeForm"`
			Status     string `json:"status"`
		} `json:"todos"`
	}
	if json.Unmarshal(input, &in) != nil {
		return
	}
	todos := make([]session.Todo, 0, len(in.Todos))
	for _, t := range in.Todos {
		todos = append(todos, session.Todo{Text: t.Content, Active: t.ActiveForm, State: session.TodoStatus(t.Status)})
	}
	m.emit(session.TodosChanged{Head: m.at(at), Todos: todos})
}
