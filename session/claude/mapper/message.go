package mapper

import (
	"encoding/json"
	"strings"
	"time"

	"parley/internal/errmark"
	"parley/session"
)

// stream maps an event of the Messages API. The runtime streams only its top level; a child prints whole messages.
func (m *Mapper) stream(l line, at time.Time) {
	var e streamEvent
	if json.Unmarshal(l.Event, &e) != nil || l.ParentID != "" {
		m.rec.Count("stream_event")
		return
	}
	switch e.Type {
	case "message_start":
		m.speak(at)
		m.hooks.blocked = false
		m.answers.retract(at)
		m.reportFailure(at)
		m.beginAnswer(e.Message.ID)
		m.context.setModel(e.Message.Model, at)
		m.context.fill(e.Message.Usage, at)
	case "content_block_start":
		m.answers.startBlock(e, at)
	case "content_block_delta":
		text := e.Delta.Text
		switch e.Delta.Type {
		case "thinking_delta":
			text = e.Delta.Thinking
		case "input_json_delta":
			text = e.Delta.JSON
		}
		m.answers.delta(fragment{e.Index, e.Delta.Type, text}, at)
	case "content_block_stop":
		m.answers.stopBlock(e.Index, at)
	case "message_delta", "message_stop", "ping":
		// usage and the end come with the result
	default:
		m.rec.Count("stream_event/" + e.Type)
	}
}

func (m *Mapper) beginAnswer(id string) {
	m.answers.begin(id)
	m.turn.silent = false
}

// assistant maps a whole message: of the top level the commit of what was streamed, of a child all it printed.
func (m *Mapper) assistant(l line, at time.Time) {
	var msg message
	if json.Unmarshal(l.Message, &msg) != nil {
		m.rec.Count("assistant")
		return
	}
	if l.ParentID != "" {
		m.children.message(l, msg, at)
		return
	}
	if msg.Model == synthetic && m.filler(l, msg, at) {
		return
	}
	m.speak(at)
	if !m.answers.is(msg.ID) {
		if msg.Model == synthetic {
			m.answers.end(at) // a synthetic message replaces no answer
		}
		m.answers.retract(at)
		m.beginAnswer(msg.ID)
	}
	for _, b := range msg.blocks() {
		if msg.Model == synthetic {
			b.Text = fenced(b.Text)
		}
		m.answers.commit(b, at)
	}
}

// emptyAnswer is the text that the runtime prints for an answer without text.
const emptyAnswer = "(no content)"

// filler reports whether a synthetic message is not an answer: a placeholder, or the text of a failed request. That text
// is held until the result shows whether the turn failed with it.
func (m *Mapper) filler(l line, msg message, at time.Time) bool {
	text := textOf(msg.Content)
	if l.Error == "" {
		return text == emptyAnswer
	}
	m.speak(at)
	m.answers.end(at)
	m.reportFailure(at)
	text, _, _ = errmark.Strip(text)
	m.turn.failure, m.turn.failureText = l.Error, apiMessage(text)
	return true
}

// user maps what goes back to the model: tool results, and the output of the runtime's commands. Prompts of children,
// echoes of prompts and notes of the runtime make no events.
func (m *Mapper) user(l line, at time.Time) {
	var msg message
	if json.Unmarshal(l.Message, &msg) != nil {
		m.rec.Count("user")
		return
	}
	for _, b := range msg.blocks() {
		if b.Type == "tool_result" {
			m.toolResult(l, b, at, readResult)
		}
	}
	if l.ParentID != "" || m.rec.Turn == "" || l.IsSynthetic {
		return
	}
	for _, text := range commandOutput(msg, l.IsReplay) {
		m.turn.silent = false
		m.rec.Emit(session.Notice{Head: m.rec.At(at), Severity: session.Info, Text: text})
	}
}

// Output of the runtime's commands that another event reports.
const (
	compacted = "Compacted"
	// modelSet begins the runtime's note of a model switch, in 2.1.112 and 2.1.197. It may follow the next prompt.
	modelSet = "Set model to "
)

// commandOutput returns what a command of the runtime printed instead of an answer. echoed marks an echo of a line in the
// transcript.
func commandOutput(msg message, echoed bool) (texts []string) {
	var text string
	if json.Unmarshal(msg.Content, &text) != nil {
		return nil
	}
	for _, tag := range []string{"local-command-stdout", "local-command-stderr"} {
		_, rest, ok := strings.Cut(text, "<"+tag+">")
		if !ok {
			continue
		}
		inner, _, _ := strings.Cut(rest, "</"+tag+">")
		inner = strings.TrimSpace(inner)
		if inner != "" && inner != compacted && (!echoed || !strings.HasPrefix(inner, modelSet)) {
			texts = append(texts, inner)
		}
	}
	return texts
}
