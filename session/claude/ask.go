package claude

import (
	"cmp"
	"encoding/json"
	"errors"
	"maps"
	"strings"
	"time"

	"parley/session"
	"parley/session/claude/driver"
	"parley/session/claude/guard"
	"parley/session/claude/mapper"
	"parley/session/permission"
)

// pendingAsk is a request of the runtime without an answer.
type pendingAsk struct {
	kind  session.AskKind
	turn  session.TurnID
	child bool // of a child agent, which may outlive the turn
	input json.RawMessage
	perm  *session.PermissionAsk
	// suggestions are the rules that the runtime would add for a grant of the session.
	suggestions []json.RawMessage
	schema      json.RawMessage // of an elicitation
}

// canUseTool is the runtime's request to let a tool act.
type canUseTool struct {
	Tool  string          `json:"tool_name"`
	Input json.RawMessage `json:"input"`
	Agent string          `json:"agent_id"`
}

// verdict is the answer to it. An allowance always has the input: 2.1.112 fails the call without it.
type verdict struct {
	Behavior    string `json:"behavior"`
	Input       any    `json:"updatedInput,omitempty"`
	Permissions []any  `json:"updatedPermissions,omitempty"`
	Message     string `json:"message,omitempty"`
}

func deny(message string) verdict { return verdict{Behavior: "deny", Message: message} }

// asked registers a request and returns its events, or the reply if the user need not be asked. The ask is registered
// before its event is emitted, so that no answer comes too early. The lock is held.
func (e *engine) asked(r driver.Request, j guard.Judgement, now time.Time) (reply any, events []session.Event) {
	if r.Subtype == "elicitation" {
		return e.elicited(r, now)
	}
	var q canUseTool
	if json.Unmarshal(r.Raw, &q) != nil || q.Tool == "" {
		return deny(mapper.RefusedNoQuestion), nil
	}
	q.Input = json.RawMessage(strings.Clone(string(q.Input)))
	if e.m.Turn() == "" && q.Agent == "" {
		return deny(mapper.RefusedNoTurn), nil
	}
	if j.Ruled {
		return verdict{Behavior: "allow", Input: q.Input}, nil
	}
	events = e.m.Map(r.Line, now)
	for i, event := range events {
		a, ok := event.(session.Asked)
		if !ok || string(a.Ask) != r.ID {
			continue
		}
		p := &pendingAsk{kind: a.Kind, turn: a.Turn, child: a.Child != "", input: q.Input, perm: a.Permission}
		if a.Kind == session.AskQuestion && len(a.Question.Questions) == 0 {
			e.m.DropAsk(a.Ask)
			return deny(mapper.RefusedNoQuestion), events[:i:i]
		}
		if a.Kind == session.AskPermission {
			perm := *a.Permission
			perm.Rules, p.suggestions = j.Rules, j.Suggestions
			perm.Reason = orElse(j.Reason, perm.Reason)
			a.Permission, p.perm = &perm, &perm
			events[i] = a
		}
		e.asks[a.Ask] = p
		return nil, events
	}
	return deny(mapper.RefusedNoTurn), events
}

// answerTime is how long Answer waits for the write. An answer with the content of a large file waits for the runtime to
// read it, and the caller may be the screen.
const answerTime = 20 * time.Millisecond

// Answer answers an open ask.
func (c *conversation) Answer(ask session.AskID, a session.Answer) error {
	c.mu.Lock()
	e := c.rt
	var p *pendingAsk
	if e != nil {
		p = e.asks[ask]
	}
	if p == nil {
		c.mu.Unlock()
		return &session.Error{Op: "answer", Kind: session.KindNotFound, Err: errors.New("nothing is asked under this id any more")}
	}
	if rule, ok := permission.GrantedBy(p.perm, a, session.ScopeSession); ok {
		c.rules = append(c.rules, rule)
	}
	if mode := p.grants(a); mode != "" {
		c.granted = mode
	}
	// The mapper gets the answer before the runtime, whose next line may depend on it.
	c.out.Put(e.settle(ask, a, session.SettledAnswered, c.a.o.Now())...)
	c.work.Add(1)
	c.mu.Unlock()
	c.out.Deliver()
	written := make(chan error, 1)
	go func() {
		defer c.work.Done()
		written <- e.p.Reply(string(ask), p.reply(a))
	}()
	timer := time.NewTimer(answerTime)
	defer timer.Stop()
	select {
	case err := <-written:
		return err
	case <-timer.C:
		return nil // if the runtime ends first, the turn fails
	}
}

// settle closes an open ask. The lock is held.
func (e *engine) settle(ask session.AskID, a session.Answer, how session.Settlement, at time.Time) []session.Event {
	if e.asks[ask] == nil {
		return nil
	}
	delete(e.asks, ask)
	return e.m.Answered(ask, a, how, at)
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
		return deny(orElse(a.Message, mapper.RefusedByUser))
	}
	v := verdict{Behavior: "allow", Input: p.input}
	if a.Scope == session.ScopeSession {
		v.Permissions = guard.ForSession(p.suggestions)
	}
	return v
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
		return deny(orElse(a.Message, mapper.RefusedUnanswered))
	}
	input := map[string]any{}
	if json.Unmarshal(p.input, &input) != nil {
		return deny(mapper.RefusedNoQuestion)
	}
	input["answers"] = maps.Clone(answers)
	return verdict{Behavior: "allow", Input: input}
}

// grants returns the mode that an answer makes the runtime change to, empty for none. Only an approved plan changes it: a
// grant for the session is a rule of parley.
func (p *pendingAsk) grants(a session.Answer) session.Mode {
	if p.kind != session.AskPlan || a.Decision != session.Allow || strings.TrimSpace(a.Message) != "" {
		return ""
	}
	return cmp.Or(a.Mode, session.ModeDefault)
}

// approved returns the approval of a plan with the mode that the user chose. A message makes it a refusal: it says what
// should be different. The mode is part of the reply because the runtime waits for nothing else.
func (p *pendingAsk) approved(a session.Answer) any {
	if a.Decision != session.Allow || strings.TrimSpace(a.Message) != "" {
		return deny(orElse(a.Message, mapper.RefusedKeepPlan))
	}
	v := verdict{Behavior: "allow", Input: planAsWritten(p.input)}
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

func orElse(text, otherwise string) string {
	if strings.TrimSpace(text) == "" {
		return otherwise
	}
	return text
}
