package mapper

import (
	"encoding/json"
	"regexp"
	"time"

	"parley/session"
)

// openAsk is an ask nobody has answered yet.
type openAsk struct {
	head  session.Head
	call  session.CallID
	child session.CallID
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
// The request of an agent that nobody has announced, or that has ended, cannot be shown where it belongs: no ask comes of
// it, which tells the caller to deny it.
func (m *Mapper) ask(l line, at time.Time) {
	var r request
	if json.Unmarshal(l.Request, &r) != nil && r.Subtype == "" || r.Subtype != "can_use_tool" {
		return
	}
	id := session.AskID(l.RequestID)
	if m.asks[id] || id == "" {
		return
	}
	child, known := session.CallID(""), true
	if r.Agent != "" {
		child, known = m.childAt[r.Agent]
	}
	if k := m.kids[child]; !known || k != nil && k.ended {
		m.unknown["ask of an unknown agent"]++
		return
	}
	a := session.Asked{Head: m.in(string(child), at), Ask: id, Call: session.CallID(r.CallID)}
	switch r.Tool {
	case "AskUserQuestion":
		a.Kind, a.Question = session.AskQuestion, questionOf(r.Input)
	case "ExitPlanMode":
		a.Kind, a.Plan = session.AskPlan, planOf(r.Input)
		if t := m.tools[a.Call]; a.Plan.Plan == "" && t != nil { // the runtime asks with its plan's file, which need not be there
			a.Plan.Plan = planOf(t.input).Plan
		}
	default:
		a.Kind, a.Permission = session.AskPermission, permissionOf(r)
	}
	m.asks[id] = true
	m.askFor[id] = &openAsk{head: a.Head, call: a.Call, child: child}
	m.emit(a)
}

func permissionOf(r request) *session.PermissionAsk {
	var in struct {
		Command      string `json:"command"`
		FilePath     string `json:"file_path"`
		NotebookPath string `json:"notebook_path"`
		Path         string `json:"path"`
		Old          string `json:"old_string"`
		New          string `json:"new_string"`
	}
	json.Unmarshal(r.Input, &in) // an input of another shape names no command and no path
	p := &session.PermissionAsk{Tool: r.Tool, Input: r.Input, Reason: plainReason(r.Reason), Command: in.Command}
	for _, path := range []string{in.FilePath, in.NotebookPath, r.Blocked, in.Path} {
		if p.Path == "" {
			p.Path = path
		}
	}
	if r.Tool == "Edit" && in.FilePath != "" && in.Old != in.New {
		e := EditBetween(in.FilePath, in.Old, in.New)
		e.Created = false
		p.Edit = &e
	}
	return p
}

// jargon matches the reasons that name what the runtime's parser of commands came upon. They tell a user nothing.
var jargon = regexp.MustCompile(`^(Contains [a-z]+(_[a-z]+)*|Unhandled node type: .*)$`)

// plainReason returns the runtime's reason to ask, empty if it is one of its parser's.
func plainReason(reason string) string {
	if jargon.MatchString(reason) {
		return ""
	}
	return reason
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
	o := m.forget(ask, at)
	if t := m.tools[o.call]; t != nil {
		t.denied = a.Decision == session.Deny
		t.began = at // the time it waited is not its own
	}
	return []session.Event{session.Settled{Head: o.head, Ask: ask, How: how, Answer: a}}
}

// unask maps the runtime's own withdrawal of a request.
func (m *Mapper) unask(l line, at time.Time) { m.settle(session.AskID(l.RequestID), at) }

// settleAll withdraws the open asks that which picks.
func (m *Mapper) settleAll(at time.Time, which func(*openAsk) bool) {
	for _, id := range sortedKeys(m.asks) {
		if o := m.askFor[id]; o == nil || which(o) {
			m.settle(id, at)
		}
	}
}

func (m *Mapper) settle(id session.AskID, at time.Time) {
	if !m.asks[id] {
		return
	}
	o := m.forget(id, at)
	m.emit(session.Settled{Head: o.head, Ask: id, How: session.SettledCancelled})
}

// forget closes an ask and returns what is known of it, with the head of its settlement.
func (m *Mapper) forget(id session.AskID, at time.Time) openAsk {
	o := openAsk{head: m.at(at)}
	if known := m.askFor[id]; known != nil {
		o = *known
		o.head.At = at
	}
	delete(m.asks, id)
	delete(m.askFor, id)
	return o
}
