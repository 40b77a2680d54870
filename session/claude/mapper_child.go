package claude

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"parley/session"
)

// child announces a child agent, once. Its id is that of the call that made it.
func (m *Mapper) child(call, description string, at time.Time) {
	id := session.CallID(call)
	if _, known := m.kids[id]; known || call == "" {
		return
	}
	t := m.tools[id]
	if t.name != "" && t.name != "Agent" && t.name != "Task" {
		return // a background command, not an agent
	}
	m.kids[id] = false
	h := m.at(at)
	h.Child = t.child
	if t.turn != "" {
		h.Turn = t.turn
	}
	m.emit(session.ChildStarted{Head: h, ID: session.ChildID(call), Call: id, Name: "agent", Description: description})
}

func (m *Mapper) endChild(call session.CallID, o session.TurnOutcome, summary string, at time.Time) {
	ended, known := m.kids[call]
	if !known || ended {
		return
	}
	m.kids[call] = true
	h := m.at(at)
	h.Child = m.tools[call].child
	m.emit(session.ChildEnded{Head: h, ID: session.ChildID(call), Outcome: o, Summary: summary})
}

// childSaid maps a whole message of a child agent.
func (m *Mapper) childSaid(l line, msg message, at time.Time) {
	m.child(l.ParentID, "", at)
	for _, b := range msg.blocks() {
		switch b.Type {
		case "text", "thinking":
			if text := b.Text + b.Thinking; text != "" {
				m.childPart++
				part := session.PartID(fmt.Sprintf("%s:%s:%d", l.ParentID, msg.ID, m.childPart))
				m.emit(session.PartReplaced{Head: m.in(l.ParentID, at), Part: part, Kind: partKind(b.Type), Text: text})
			}
		case "tool_use":
			m.startTool(b, l.ParentID, at)
			m.ready(session.CallID(b.ID), b.Input, at)
		}
	}
}

// request is a control request of the runtime.
type request struct {
	Subtype string          `json:"subtype"`
	Tool    string          `json:"tool_name"`
	Input   json.RawMessage `json:"input"`
	CallID  string          `json:"tool_use_id"`
	Reason  string          `json:"decision_reason"`
	Blocked string          `json:"blocked_path"`
	Agent   string          `json:"agent_id"`
}

// ask maps a request for permission, a question or a plan. Other control requests are between the driver and the runtime.
func (m *Mapper) ask(l line, at time.Time) {
	var r request
	if json.Unmarshal(l.Request, &r) != nil || r.Subtype != "can_use_tool" {
		return
	}
	h := m.at(at)
	if call, ok := m.childAt[r.Agent]; ok {
		h.Child = session.ChildID(call)
	}
	a := session.Asked{Head: h, Ask: session.AskID(l.RequestID), Call: session.CallID(r.CallID)}
	switch r.Tool {
	case "AskUserQuestion":
		a.Kind, a.Question = session.AskQuestion, questionOf(r.Input)
	case "ExitPlanMode":
		a.Kind, a.Plan = session.AskPlan, planOf(r.Input)
	default:
		a.Kind, a.Permission = session.AskPermission, permissionOf(r)
	}
	m.asks[a.Ask], m.askFor[a.Ask] = true, a.Call
	m.emit(a)
}

func permissionOf(r request) *session.PermissionAsk {
	var in struct {
		Command      string `json:"command"`
		FilePath     string `json:"file_path"`
		NotebookPath string `json:"notebook_path"`
		Path         string `json:"path"`
	}
	json.Unmarshal(r.Input, &in) // an input of another shape names no command and no path
	p := &session.PermissionAsk{Tool: r.Tool, Input: r.Input, Reason: r.Reason, Command: in.Command}
	for _, path := range []string{in.FilePath, in.NotebookPath, r.Blocked, in.Path} {
		if p.Path == "" {
			p.Path = path
		}
	}
	return p
}

func questionOf(input json.RawMessage) *session.QuestionAsk {
	var in struct {
		Questions []struct {
			Question, Header string
			MultiSelect      bool
			Options          []session.QuestionOption
		}
	}
	json.Unmarshal(input, &in) // a malformed form has no questions and can only be declined
	q := &session.QuestionAsk{}
	for _, x := range in.Questions {
		q.Questions = append(q.Questions, session.Question{Text: x.Question, Header: x.Header, Options: x.Options, Multi: x.MultiSelect, Free: true})
	}
	return q
}

func planOf(input json.RawMessage) *session.PlanAsk {
	var in struct {
		Plan string `json:"plan"`
		Path string `json:"planFilePath"`
	}
	json.Unmarshal(input, &in) // a plan that cannot be read is shown empty
	return &session.PlanAsk{Plan: in.Plan, Path: in.Path}
}

// Answered tells the mapper that an ask was answered, and returns the event that says so, nothing if it was not open.
func (m *Mapper) Answered(ask session.AskID, a session.Answer, how session.Settlement, at time.Time) []session.Event {
	if !m.asks[ask] {
		return nil
	}
	m.asks[ask] = false
	if t, known := m.tools[m.askFor[ask]]; known && a.Decision == session.Deny {
		t.denied = true
		m.tools[m.askFor[ask]] = t
	}
	return []session.Event{session.Settled{Head: m.at(at), Ask: ask, How: how, Answer: a}}
}

// unask maps the runtime's own withdrawal of a request.
func (m *Mapper) unask(l line, at time.Time) {
	if id := session.AskID(l.RequestID); m.asks[id] {
		m.settle(id, at)
	}
}

func (m *Mapper) settle(id session.AskID, at time.Time) {
	m.asks[id] = false
	m.emit(session.Settled{Head: m.at(at), Ask: id, How: session.SettledCancelled})
}

func writeHunk(b *strings.Builder, oldStart, oldLines, newStart, newLines int) {
	fmt.Fprintf(b, "@@ -%d,%d +%d,%d @@\n", oldStart, oldLines, newStart, newLines)
}
