package claude

import (
	"cmp"
	"encoding/json"
	"strings"
	"time"

	"parley/internal/crash"
	"parley/session"
	"parley/session/claude/driver"
	"parley/session/claude/guard"
	"parley/session/claude/mapper"
	"parley/session/process"
)

// pendingAsk is a request of the runtime without an answer.
type pendingAsk struct {
	kind  session.AskKind
	turn  session.TurnID
	child bool       // of a child agent, which may outlive the turn
	call  guard.Call // not of an elicitation
	perm  *session.PermissionAsk
	// offers are the changes to its permissions that the runtime suggests.
	offers []guard.Offer
	schema json.RawMessage      // of an elicitation
	form   *session.QuestionAsk // of a question
	tool   bool                 // a tool of parley asks, and not the runtime
}

// verdict is the answer to a permission request. An allowance always has the input: 2.1.112 fails the call without it.
type verdict struct {
	Behavior    string `json:"behavior"`
	Input       any    `json:"updatedInput,omitempty"`
	Permissions []any  `json:"updatedPermissions,omitempty"`
	Message     string `json:"message,omitempty"`
}

func deny(message string) verdict { return verdict{Behavior: "deny", Message: message} }

// asked registers a request and returns its events, or the reply if the user need not be asked. The ask is registered
// before its event is emitted, so that no answer comes too early. The lock is held.
func (e *engine) asked(r driver.Request, q guard.Call, j guard.Judgement, now time.Time) (reply any, events []session.Event) {
	switch {
	case q.Tool == "":
		return deny(mapper.RefusedNoQuestion), nil
	case e.m.Turn() == "" && q.Agent == "":
		return deny(mapper.RefusedNoTurn), nil
	case j.Denied != "":
		return deny(j.Denied), nil
	case j.Ruled:
		e.calls.replace(q.ID, j.Run)
		return verdict{Behavior: "allow", Input: j.Input}, nil
	}
	events = e.m.Map(r.Line, now)
	for i, event := range events {
		a, ok := event.(session.Asked)
		if !ok || string(a.Ask) != r.ID {
			continue
		}
		p := &pendingAsk{kind: a.Kind, turn: a.Turn, child: a.Child != "", call: q, perm: a.Permission, form: a.Question}
		if a.Kind == session.AskQuestion && len(a.Question.Questions) == 0 {
			e.m.DropAsk(a.Ask)
			return deny(mapper.RefusedNoQuestion), events[:i:i]
		}
		if a.Kind == session.AskPermission {
			perm := *a.Permission
			perm.Tool = cmp.Or(q.Client, perm.Tool)
			if perm.Reason == q.Asked { // parley's own, which the judgement has if it says enough
				perm.Reason = ""
			}
			perm.Rules, perm.Parts, p.offers = j.Rules, j.Parts, j.Offers
			perm.Caution, perm.Dangerous = j.Care.Why, j.Care.Danger
			perm.Reason = cmp.Or(j.Reason, perm.Reason, j.Purpose)
			a.Permission, p.perm = &perm, &perm
			events[i] = a
		}
		e.asks.Open(a.Ask, p.perm, p)
		return nil, events
	}
	return deny(mapper.RefusedNoTurn), events
}

// Answer answers an open ask. It waits for no write: the caller may be the screen, and an answer with the content of a large file
// waits for the runtime to read it. If the runtime ends first, the turn fails.
func (c *conversation) Answer(ask session.AskID, a session.Answer) error {
	c.Mu.Lock()
	e := c.Link
	open := c.asks.Find(ask)
	if e == nil || open == nil {
		c.Mu.Unlock()
		return process.NotOpen()
	}
	p := open.With
	if mode := p.grants(a); mode != "" {
		c.granted = mode
	}
	if a.Decision == session.Allow && p.kind != session.AskElicitation {
		e.calls.note(p.call.ID, a.Message)
	}
	// The mapper gets the answer before the runtime, whose next line may depend on it.
	c.Out.Put(e.settle(ask, a, c.a.o.Now())...)
	c.Work.Add(1)
	c.Mu.Unlock()
	c.Out.Deliver()
	crash.Go(func() {
		defer c.Work.Done()
		if err := permissionAnswered(c, e, ask, p, a); err != nil {
			c.a.o.Log.Debug("an answer was not written", "error", err)
		}
		if lasts(a) {
			reconsider(c, e)
		}
	})
	return nil
}

// permissionAnswered sends an answer to the runtime. The user may have changed the files of an allowed call since its hook.
func permissionAnswered(c *conversation, e *engine, ask session.AskID, p *pendingAsk, a session.Answer) error {
	switch {
	case p.tool:
		return nil
	case p.kind != session.AskPermission:
	case a.Decision == session.Allow:
		return allowCall(c, e, ask, p.call, p.reply(a))
	default:
		dropImages(c, p.call.ID)
	}
	return e.p.Reply(string(ask), p.reply(a))
}

// allowCall sends an allowance to the runtime, after the images of the files that the call may change.
func allowCall(c *conversation, e *engine, ask session.AskID, call guard.Call, reply any) error {
	if f, ok := fileCall(c, e, call); ok {
		c.o.Files.Before(c.Life, f)
	}
	return e.p.Reply(string(ask), reply)
}

// settle closes an open ask with its answer, and keeps the rule that it grants. The lock is held.
func (e *engine) settle(ask session.AskID, a session.Answer, at time.Time) []session.Event {
	if !e.close(ask, process.Answered(a)) {
		return nil
	}
	return e.m.Answered(ask, a, session.SettledAnswered, at)
}

// withdraw closes an open ask without an answer. why is as in [session.Settled]. The lock is held.
func (e *engine) withdraw(ask session.AskID, why string, at time.Time) []session.Event {
	if !e.close(ask, process.Verdict{How: session.SettledCancelled, Why: why}) {
		return nil
	}
	return e.m.Withdraw(ask, why, at)
}

// close closes an ask, and reports false if it is not open. The lock is held.
func (e *engine) close(ask session.AskID, v process.Verdict) bool {
	a := e.asks.Close(ask, v)
	if a == nil {
		return false
	}
	a.End(v) // for a tool of parley
	return true
}

// interrupted returns the reply to a request whose turn was interrupted.
func (p *pendingAsk) interrupted() any {
	if p.kind == session.AskElicitation {
		return filled{Action: "cancel"}
	}
	return deny(mapper.RefusedByAbort)
}

// reply returns an answer in the form of the runtime.
func (p *pendingAsk) reply(a session.Answer) any {
	switch p.kind {
	case session.AskQuestion:
		return p.answered(a)
	case session.AskPlan:
		return p.approved(a)
	case session.AskElicitation:
		return p.filledIn(a)
	}
	if a.Decision != session.Allow {
		return deny(mapper.Refused(orElse(a.Message, mapper.RefusedByUser)))
	}
	v := verdict{Behavior: "allow", Input: p.call.Input}
	if o := p.chosen(a); o != nil {
		v.Permissions = []any{o.Update}
	}
	return v
}

// chosen returns the runtime's offer that an allowance names, nil if it names none.
func (p *pendingAsk) chosen(a session.Answer) *guard.Offer {
	if a.Decision != session.Allow || a.Rule == nil || a.Rule.Destination == "" {
		return nil
	}
	for i := range p.offers {
		if p.offers[i].Rule.Is(*a.Rule) {
			return &p.offers[i]
		}
	}
	return nil
}

// answered returns the answers by the text of their questions. Several answers are joined with commas, as on the runtime's
// own screen. An empty form is a refusal.
func (p *pendingAsk) answered(a session.Answer) any {
	answers := map[string]string{}
	for question, choices := range a.Choices {
		if text := strings.Join(choices, ", "); strings.TrimSpace(text) != "" {
			answers[question] = text
		}
	}
	if a.Decision != session.Allow || len(answers) == 0 {
		return deny(mapper.Refused(orElse(a.Message, mapper.RefusedUnanswered)))
	}
	input := map[string]any{}
	if json.Unmarshal(p.call.Input, &input) != nil {
		return deny(mapper.RefusedNoQuestion)
	}
	input["answers"] = answers
	if notes := p.annotations(a); len(notes) > 0 {
		input["annotations"] = notes
	}
	return verdict{Behavior: "allow", Input: input}
}

// annotation is the addition that the runtime passes on with the answer to a question: the preview of the chosen option, which need not be
// a part of its label, and the user's note.
type annotation struct {
	Preview string `json:"preview,omitempty"`
	Notes   string `json:"notes,omitempty"`
}

// annotations returns the annotations of an answer by the text of their questions.
func (p *pendingAsk) annotations(a session.Answer) map[string]annotation {
	out := map[string]annotation{}
	if p.form == nil {
		return out
	}
	for _, q := range p.form.Questions {
		n := annotation{Notes: strings.TrimSpace(a.Notes[q.Text])}
		for _, o := range q.Options {
			if !q.Multi && len(a.Choices[q.Text]) == 1 && a.Choices[q.Text][0] == o.Label {
				n.Preview = o.Preview
			}
		}
		if n != (annotation{}) {
			out[q.Text] = n
		}
	}
	return out
}

// grants returns the mode that an answer makes the runtime change to, empty for none: an approved plan ends the mode plan,
// and the runtime may offer another mode.
func (p *pendingAsk) grants(a session.Answer) session.Mode {
	if o := p.chosen(a); o != nil {
		return o.Mode
	}
	if p.kind != session.AskPlan || a.Decision != session.Allow {
		return ""
	}
	return cmp.Or(a.Mode, session.ModeDefault)
}

// approved returns the approval of a plan with the mode that the user chose. The mode is part of the reply because the runtime
// waits for nothing else.
func (p *pendingAsk) approved(a session.Answer) any {
	if a.Decision != session.Allow {
		return deny(mapper.Refused(orElse(a.Message, mapper.RefusedKeepPlan)))
	}
	v := verdict{Behavior: "allow", Input: planAsWritten(p.call.Input)}
	if strings.TrimSpace(a.Plan) != "" {
		v.Input = planAsEdited(p.call.Input, a.Plan)
	}
	if a.Mode != "" {
		v.Permissions = []any{map[string]any{"type": "setMode", "mode": string(a.Mode), "destination": "session"}}
	}
	return v
}

// planAsWritten returns the input of an approved plan without the text that the runtime read from the plan's file: the
// model would take it for an edit by the user. The path stays because an empty input counts as missing.
func planAsWritten(input json.RawMessage) any {
	in, path := map[string]json.RawMessage{}, ""
	if json.Unmarshal(input, &in) != nil || json.Unmarshal(in["planFilePath"], &path) != nil || path == "" {
		return input
	}
	delete(in, "plan")
	return in
}

// planAsEdited returns the input of an approved plan with the user's text. The runtime writes it to the plan's file, and the
// model reads that the user has edited it.
func planAsEdited(input json.RawMessage, plan string) any {
	in := map[string]any{}
	_ = json.Unmarshal(input, &in) // only the text counts
	if in == nil {
		in = map[string]any{}
	}
	in["plan"] = plan
	return in
}

func orElse(text, otherwise string) string {
	if strings.TrimSpace(text) == "" {
		return otherwise
	}
	return text
}
