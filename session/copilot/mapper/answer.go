package mapper

import (
	"encoding/json"
	"strings"
	"time"

	"parley/session"
	"parley/session/copilot/protocol"
	"parley/session/process/record"
)

// answers holds the answers being streamed, by the child that streams them.
type answers struct {
	rec   *record.Recorder
	calls *calls
	by    map[session.ChildID]*answer
	seen  map[string]bool // ids of streamed reasoning
}

// answer holds the text that one agent has streamed since its last whole message.
type answer struct {
	pieces  []*piece
	thought string // the newest committed reasoning
}

// piece is a streamed part, or a call whose input is streamed.
type piece struct {
	part    session.PartID
	kind    session.PartKind
	call    session.CallID
	custom  bool // the input is text, not JSON
	text    strings.Builder
	started time.Time
	stale   bool // of an attempt that failed
}

func newAnswers(rec *record.Recorder, calls *calls) *answers {
	return &answers{rec: rec, calls: calls, by: map[session.ChildID]*answer{}, seen: map[string]bool{}}
}

func (a *answers) of(child session.ChildID) *answer {
	x := a.by[child]
	if x == nil {
		x = &answer{}
		a.by[child] = x
	}
	return x
}

// find returns the streamed part with an id, nil if there is none.
func (x *answer) find(part session.PartID) *piece {
	for _, p := range x.pieces {
		if p.part == part && part != "" {
			return p
		}
	}
	return nil
}

// streamAnswer maps a fragment of an answer.
func streamAnswer(m *Mapper, e protocol.Event, at time.Time) {
	d, ok := readDelta(e.Data)
	if !ok {
		d = decode[streamed](e)
	}
	child := m.children.speaker(e, d.ParentCall, at)
	if child == "" {
		m.speak(e, at)
		m.turn.last = at
	}
	switch e.Type {
	case "assistant.message_start":
		m.answers.freshen(child, at)
	case "assistant.message_delta":
		m.answers.append(child, session.PartText, d.MessageID, d.Delta, at)
	case "assistant.reasoning_delta":
		m.answers.append(child, session.PartReasoning, d.ReasoningID, d.Delta, at)
	case "assistant.tool_call_delta":
		m.answers.input(child, d, at)
	}
}

// append appends text to a streamed part, and begins the part with its first text.
func (a *answers) append(child session.ChildID, kind session.PartKind, id, text string, at time.Time) {
	if id == "" || text == "" {
		return
	}
	x := a.of(child)
	p := x.find(session.PartID(id))
	if p == nil {
		a.freshen(child, at)
		p = &piece{part: session.PartID(id), kind: kind, started: at}
		x.pieces = append(x.pieces, p)
		a.seen[id] = a.seen[id] || kind == session.PartReasoning
		a.rec.Emit(session.PartStarted{Head: a.rec.In(child, at), Part: p.part, Kind: kind})
	}
	p.text.WriteString(text)
	a.rec.Emit(session.PartDelta{Head: a.rec.In(child, at), Part: p.part, Text: text})
}

// input appends a fragment of the input of a call, and announces the call with the first.
func (a *answers) input(child session.ChildID, d streamed, at time.Time) {
	call := session.CallID(d.Call)
	x := a.of(child)
	var p *piece
	for _, q := range x.pieces {
		if q.call == call && call != "" {
			p = q
		}
	}
	fragment := d.InputDelta
	if p == nil {
		if !streamedTools[d.ToolName] || !a.calls.start(call, d.ToolName, child, at) {
			return
		}
		a.freshen(child, at)
		p = &piece{call: call, custom: d.ToolType == "custom", started: at}
		x.pieces = append(x.pieces, p)
		if p.custom {
			a.rec.Emit(session.ToolInput{Head: a.rec.In(child, at), Call: call, Fragment: `{"input":"`})
		}
	}
	if p.custom {
		quoted, _ := json.Marshal(fragment) // cannot fail for a string
		fragment = string(quoted[1 : len(quoted)-1])
	}
	if fragment != "" {
		a.rec.Emit(session.ToolInput{Head: a.rec.In(child, at), Call: call, Fragment: fragment})
	}
}

// spoil marks what an agent has streamed as of an attempt that failed.
func (a *answers) spoil(child session.ChildID) {
	for _, p := range a.of(child).pieces {
		p.stale = true
	}
}

// freshen retracts what a failed attempt had streamed, because the next one begins.
func (a *answers) freshen(child session.ChildID, at time.Time) {
	x := a.of(child)
	kept := x.pieces[:0]
	for _, p := range x.pieces {
		if p.stale {
			a.retract(child, p, at)
		} else {
			kept = append(kept, p)
		}
	}
	x.pieces = kept
}

func (a *answers) retract(child session.ChildID, p *piece, at time.Time) {
	if p.part != "" {
		a.rec.Emit(session.PartRetracted{Head: a.rec.In(child, at), Part: p.part})
		return
	}
	a.calls.end(session.ToolEnded{Head: a.rec.In(child, at), Call: p.call, Outcome: session.ToolCancelled})
}

// end ends an answer that will not be committed. Its parts stay, because no other attempt replaces them.
func (a *answers) end(child session.ChildID, at time.Time) {
	x := a.by[child]
	if x == nil {
		return
	}
	delete(a.by, child)
	for _, p := range x.pieces {
		if p.part != "" {
			a.rec.Emit(session.PartEnded{Head: a.rec.In(child, at), Part: p.part, Duration: at.Sub(p.started)})
		}
	}
}

// messageOf commits a whole message.
func messageOf(m *Mapper, e protocol.Event, at time.Time) {
	d := decode[assistantMessage](e)
	child := m.children.speaker(e, d.ParentCall, at)
	if child == "" {
		m.speak(e, at)
		m.turn.last, m.turn.attempt, m.turn.refused = at, 0, false
		warn(m, at) // it was not the end
	}
	m.answers.freshen(child, at)
	m.answers.commit(child, d, at)
	for _, r := range d.Requests {
		call := session.CallID(r.Call)
		m.calls.start(call, toolName(r.Name, r.Server, r.ServerTool), child, at)
		m.calls.ready(call, r.Arguments, at)
	}
	m.answers.drop(child, d)
}

// commit ends the parts of a message, or adds those that were not streamed. Reasoning stays as it was streamed.
func (a *answers) commit(child session.ChildID, d assistantMessage, at time.Time) {
	x := a.of(child)
	text := x.find(session.PartID(d.MessageID))
	if d.Chunks <= 1 {
		a.spoilBefore(child, text, at)
	}
	thoughts := 0
	for _, p := range x.pieces {
		if p == text {
			break
		}
		if p.kind == session.PartReasoning {
			thoughts++
			a.close(child, p, at)
		}
	}
	if d.Reasoning != "" && thoughts == 0 && d.Reasoning != x.thought {
		a.rec.Emit(session.PartReplaced{Head: a.rec.In(child, at), Part: session.PartID(d.MessageID + ":reasoning"),
			Kind: session.PartReasoning, Text: d.Reasoning})
	}
	x.thought = d.Reasoning
	switch {
	case text != nil && text.text.String() == d.Content:
		a.close(child, text, at)
	case text != nil || strings.TrimSpace(d.Content) != "":
		a.rec.Emit(session.PartReplaced{Head: a.rec.In(child, at), Part: session.PartID(d.MessageID), Kind: session.PartText,
			Text: d.Content})
	}
}

// spoilBefore retracts what was streamed up to the text of another message before the text of this one: an attempt that failed
// without an event that says so.
func (a *answers) spoilBefore(child session.ChildID, text *piece, at time.Time) {
	x := a.of(child)
	other := -1
	for i, p := range x.pieces {
		if p == text {
			break
		}
		if p.kind == session.PartText {
			other = i
		}
	}
	for i := range other + 1 {
		x.pieces[i].stale = true
	}
	a.freshen(child, at)
}

func (a *answers) close(child session.ChildID, p *piece, at time.Time) {
	a.rec.Emit(session.PartEnded{Head: a.rec.In(child, at), Part: p.part, Duration: at.Sub(p.started)})
}

// drop forgets what a message committed: all before its text, the text, and its calls.
func (a *answers) drop(child session.ChildID, d assistantMessage) {
	x := a.of(child)
	last := len(x.pieces)
	if text := x.find(session.PartID(d.MessageID)); text != nil && d.Chunks > 1 {
		for last = 0; x.pieces[last] != text; last++ {
		}
		last++
	}
	x.pieces = append(x.pieces[:0], x.pieces[last:]...)
}

// reasoningOf commits reasoning that has an event for itself, which comes after the message or, in older versions, before it.
func reasoningOf(m *Mapper, e protocol.Event, at time.Time) {
	d := decode[streamed](e)
	child := m.children.speaker(e, d.ParentCall, at)
	x := m.answers.of(child)
	if p := x.find(session.PartID(d.ReasoningID)); p != nil {
		x.thought = d.Content
		return // the message ends it
	}
	if d.Content == "" || d.Content == x.thought || m.answers.seen[d.ReasoningID] {
		return
	}
	if child == "" {
		m.speak(e, at)
	}
	x.thought = d.Content
	m.rec.Emit(session.PartReplaced{Head: m.rec.In(child, at), Part: session.PartID(d.ReasoningID), Kind: session.PartReasoning, Text: d.Content})
}
