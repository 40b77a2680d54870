package mapper

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"

	"parley/internal/errmark"
	"parley/session"
)

// kid is a child agent. Its id is that of the call that made it.
type kid struct {
	turn    session.TurnID       // in which it was announced
	parent  session.CallID       // the child that made it, empty for the top level
	said    session.ChildStarted // how it was announced; in the background it goes on after the call that made it
	ended   bool
	summary string
	blocks  map[string]int // blocks said so far, by message id
}

// earlyLines are what a child said before the call that makes it was announced.
type earlyLines struct {
	lines []line
	bytes int
}

// What is kept of a child that nobody has announced, until it is announced in spite of that.
const (
	maxEarlyLines = 64
	maxEarlyBytes = 1 << 20
)

// spawns reports whether a tool makes child agents. The runtimes call it Task in their lists and Agent in calls.
func spawns(tool string) bool { return tool == "Agent" || tool == "Task" }

// child announces the child agent of a call, once.
func (m *Mapper) child(call, description string, at time.Time) *kid {
	return m.announceChild(session.CallID(call), "", description, at)
}

// announceChild announces a child agent, once. What is not said of it is taken from the input of its call.
func (m *Mapper) announceChild(call session.CallID, kind, description string, at time.Time) *kid {
	if k := m.kids[call]; k != nil || call == "" {
		return k
	}
	var in struct {
		Description string `json:"description"`
		Kind        string `json:"subagent_type"`
		Background  bool   `json:"run_in_background"`
	}
	k := &kid{turn: m.turn, blocks: map[string]int{}}
	if t := m.tools[call]; t != nil {
		json.Unmarshal(t.input, &in) // what it does not say stays unsaid
		k.turn, k.parent = t.turn, t.child
	}
	k.said = session.ChildStarted{ID: session.ChildID(call), Call: call, Name: cmp.Or(kind, in.Kind, "agent"),
		Description: cmp.Or(description, in.Description), Background: in.Background}
	m.kids[call] = k
	m.tellChild(k, at)
	return k
}

// tellChild announces a child agent, or announces it again as one that works in the background.
func (m *Mapper) tellChild(k *kid, at time.Time) {
	e := k.said
	e.Head = m.in(string(k.parent), at)
	e.Head.Turn = k.turn
	m.emit(e)
}

// endChild ends a child, once, and what is open in it.
func (m *Mapper) endChild(call session.CallID, o session.TurnOutcome, summary string, at time.Time) {
	k := m.kids[call]
	if k == nil || k.ended {
		return
	}
	k.ended = true
	m.settleAll(at, func(a *openAsk) bool { return a.child == call })
	h := m.in(string(k.parent), at)
	h.Turn = k.turn
	m.emit(session.ChildEnded{Head: h, ID: session.ChildID(call), Outcome: o, Summary: cmp.Or(summary, k.summary)})
}

func childOutcome(o session.ToolOutcome) session.TurnOutcome {
	switch o {
	case session.ToolOK:
		return session.TurnCompleted
	case session.ToolFailed:
		return session.TurnFailed
	default:
		return session.TurnCancelled
	}
}

// launched reports whether the result of a call only says that a child agent works in the background: that one ends with a
// notification of its own.
func (m *Mapper) launched(call session.CallID, raw json.RawMessage, at time.Time) bool {
	var r struct {
		IsAsync bool   `json:"isAsync"`
		Status  string `json:"status"`
	}
	k := m.kids[call]
	if k == nil || json.Unmarshal(raw, &r) != nil || !r.IsAsync && r.Status != "async_launched" {
		return false
	}
	if !k.said.Background && !k.ended { // newer runtimes put children there without having been asked to
		k.said.Background = true
		m.tellChild(k, at)
	}
	return true
}

// taskStarted announces a child agent. Commands are tasks too, and are announced as calls.
func (m *Mapper) taskStarted(l line, at time.Time) {
	call := session.CallID(l.ToolUseID)
	t := m.tools[call]
	agent := l.TaskType == "local_agent" || l.TaskType == "" && (t == nil || spawns(t.name))
	if !agent || call == "" {
		if t != nil {
			t.task = l.TaskID
		}
		return
	}
	m.childAt[l.TaskID] = call
	m.announceChild(call, l.AgentKind, l.Description, at)
	m.announced(l.ToolUseID, at)
}

// taskEnded ends a child that works in the background. One in the foreground ends with the result of its call, which may
// still be to come.
func (m *Mapper) taskEnded(l line, at time.Time) {
	if t := m.tools[session.CallID(l.ToolUseID)]; t != nil && (t.behind || t.update != nil) {
		m.cause = because(m.cause, l.Summary)
		if t.behind { // otherwise it was given up already
			m.shellEnded(t, l.Status, l.Summary, m.output, at)
		}
		t.update = nil
		return
	}
	call, known := m.childAt[l.TaskID]
	k := m.kids[call]
	if !known || k == nil {
		return
	}
	if k.said.Background {
		m.cause = because(m.cause, k.news(l))
	}
	t := m.tools[call]
	if !k.said.Background && t != nil && !t.ended {
		if l.Summary != t.name && l.Status != "completed" {
			k.summary = l.Summary
		}
		return
	}
	m.endChild(call, outcomeOfTask(l.Status), l.Summary, at)
}

// news says which child has ended, and how. Runtimes that give its report as the summary say so in their transcripts, too.
func (k *kid) news(l line) string {
	if !l.IsReport {
		return l.Summary
	}
	how := "failed"
	switch outcomeOfTask(l.Status) {
	case session.TurnCompleted:
		how = "finished"
	case session.TurnCancelled:
		how = "was stopped"
	}
	return fmt.Sprintf("Agent %q %s", cmp.Or(k.said.Description, k.said.Name), how)
}

func outcomeOfTask(status string) session.TurnOutcome {
	switch status {
	case "completed":
		return session.TurnCompleted
	case "killed", "stopped", "cancelled":
		return session.TurnCancelled
	default:
		return session.TurnFailed
	}
}

// childSaid maps a whole message of a child agent. Its parts are named after the child and count by themselves.
func (m *Mapper) childSaid(l line, msg message, at time.Time) {
	call := session.CallID(l.ParentID)
	m.announceChild(call, l.AgentKind, "", at)
	for _, b := range msg.blocks() {
		if l.Error != "" {
			b.Text, _, _ = errmark.Strip(b.Text)
		}
		m.childBlock(call, msg.ID, b, at)
	}
}

// childBlock maps a block of a message of an announced child, in the order in which they were said.
func (m *Mapper) childBlock(call session.CallID, message string, b block, at time.Time) {
	k := m.kids[call]
	if k == nil {
		return
	}
	n := k.blocks[message]
	k.blocks[message]++
	switch b.Type {
	case "text", "thinking":
		if text := b.words(); text != "" {
			part := session.PartID(fmt.Sprintf("%s/%s:%d", call, message, n))
			m.emit(session.PartReplaced{Head: m.in(string(call), at), Part: part, Kind: partKind(b.Type), Text: text})
		}
	case "tool_use":
		m.startTool(b, string(call), at)
		m.ready(session.CallID(b.ID), b.Input, at)
	}
}

// tooEarly keeps what a child says before the call that makes it is known, within bounds.
func (m *Mapper) tooEarly(l line, data []byte) bool {
	call := session.CallID(l.ParentID)
	if l.Type != "assistant" && l.Type != "user" || call == "" || m.tools[call] != nil || m.kids[call] != nil {
		return false
	}
	e := m.early[l.ParentID]
	if e == nil {
		e = &earlyLines{}
		m.early[l.ParentID] = e
	}
	if len(e.lines) >= maxEarlyLines || e.bytes+len(data) > maxEarlyBytes || len(m.early) > maxEarlyLines {
		return false
	}
	l.Message, l.ToolUseResult = bytes.Clone(l.Message), bytes.Clone(l.ToolUseResult)
	e.lines = append(e.lines, l)
	e.bytes += len(data)
	return true
}

// announced maps what was kept of a child, now that its call is known.
func (m *Mapper) announced(call string, at time.Time) {
	e := m.early[call]
	if e == nil {
		return
	}
	delete(m.early, call)
	for _, l := range e.lines {
		m.mapLine(l, at)
	}
}

// flushEarly maps what is kept of children whose call has not come: no words are lost.
func (m *Mapper) flushEarly(at time.Time) {
	for _, call := range sortedKeys(m.early) {
		m.announced(call, at)
	}
}

func sortedKeys[K cmp.Ordered, V any](m map[K]V) []K { return slices.Sorted(maps.Keys(m)) }
