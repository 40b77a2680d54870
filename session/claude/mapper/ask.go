package mapper

import (
	"encoding/json"
	"maps"
	"slices"
	"time"

	"parley/internal/lazyregexp"
	"parley/session"
	"parley/session/process/record"
)

// asks holds the asks without an answer.
type asks struct {
	rec  *record.Recorder
	open map[session.AskID]openAsk
}

// openAsk is an ask without an answer.
type openAsk struct {
	head  session.Head
	call  session.CallID
	child session.ChildID
}

func newAsks(rec *record.Recorder) *asks { return &asks{rec: rec, open: map[session.AskID]openAsk{}} }

// add opens an ask of a child agent, of the top level for an empty child.
func (a *asks) add(e session.Asked, child session.ChildID) {
	a.open[e.Ask] = openAsk{head: e.Head, call: e.Call, child: child}
	a.rec.Emit(e)
}

// close removes an ask. It returns the ask with the head of its settlement, false if it was not open.
func (a *asks) close(id session.AskID, at time.Time) (openAsk, bool) {
	o, ok := a.open[id]
	o.head.At = at
	delete(a.open, id)
	return o, ok
}

// withdraw settles an ask as cancelled. why is as in [session.Settled].
func (a *asks) withdraw(id session.AskID, why string, at time.Time) {
	if o, ok := a.close(id, at); ok {
		a.rec.Emit(session.Settled{Head: o.head, Ask: id, How: session.SettledCancelled, Why: why})
	}
}

// withdrawAll settles the asks that match.
func (a *asks) withdrawAll(why string, at time.Time, match func(openAsk) bool) {
	for _, id := range slices.Sorted(maps.Keys(a.open)) {
		if match(a.open[id]) {
			a.withdraw(id, why, at)
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

// ask maps a request for a permission, a question or a plan; the driver handles the other control requests. An agent that
// is unknown or has ended gets no ask, and the caller denies its request.
func (m *Mapper) ask(l line, at time.Time) {
	var r request
	if json.Unmarshal(l.Request, &r) != nil && r.Subtype == "" || r.Subtype != "can_use_tool" {
		return
	}
	id := session.AskID(l.RequestID)
	if _, open := m.asks.open[id]; open || id == "" {
		return
	}
	child, ok := m.children.byTaskID(r.Agent)
	if !ok {
		m.rec.Count("ask of an unknown agent")
		return
	}
	e := session.Asked{Head: m.rec.In(child, at), Ask: id, Call: session.CallID(r.CallID)}
	switch r.Tool {
	case "AskUserQuestion":
		e.Kind, e.Question = session.AskQuestion, questionOf(r.Input)
	case "ExitPlanMode":
		e.Kind, e.Plan = session.AskPlan, planOf(r.Input)
		if t := m.calls.Find(e.Call); e.Plan.Plan == "" && t != nil { // the request may only name the plan's file
			e.Plan.Plan = planOf(t.With.input).Plan
		}
	default:
		e.Kind, e.Permission = session.AskPermission, permissionOf(r)
	}
	m.asks.add(e, child)
}

// Answered records the answer to an ask and returns its settlement, nil if the ask was not open.
func (m *Mapper) Answered(ask session.AskID, a session.Answer, how session.Settlement, at time.Time) []session.Event {
	o, ok := m.asks.close(ask, at)
	if !ok {
		return nil
	}
	if t := m.calls.Find(o.call); t != nil {
		t.With.denied = a.Decision == session.Deny
		t.Began = at // the wait for the answer does not count
	}
	return []session.Event{session.Settled{Head: o.head, Ask: ask, How: how, Answer: a}}
}

// Withdraw settles an ask as cancelled and returns its settlement, nil if the ask was not open.
func (m *Mapper) Withdraw(ask session.AskID, why string, at time.Time) []session.Event {
	m.asks.withdraw(ask, why, at)
	return m.rec.Take()
}

// Open opens an ask that the caller fills in but for its head: a request for input, or a question of one of parley's tools, in the name
// of its call. agent is the child agent that makes a call which has not been announced. Nothing is opened for an agent that is
// unknown or has ended, nor a question outside of a turn.
func (m *Mapper) Open(e session.Asked, agent string, at time.Time) []session.Event {
	child, ok := m.children.byTaskID(agent)
	e.Head = m.rec.In(child, at)
	if t := m.calls.Find(e.Call); t != nil {
		child, ok, e.Head = t.Child, !t.Ended, m.calls.Head(t, at)
	}
	if ok && (e.Turn != "" || e.Kind == session.AskElicitation) {
		m.asks.add(e, child)
	}
	return m.rec.Take()
}

// DropAsk removes an ask that was never shown.
func (m *Mapper) DropAsk(id session.AskID) { m.asks.close(id, time.Time{}) }

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

// jargon matches reasons that name a node of the runtime's command parser. They mean nothing to a user.
var jargon = lazyregexp.New(`^(Contains [a-z]+(_[a-z]+)*|Unhandled node type: .*)$`)

// plainReason returns the runtime's reason to ask, empty if it is jargon.
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
