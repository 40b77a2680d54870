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
)

// pendingAsk is a request of the runtime that waits for the user.
type pendingAsk struct {
	kind  session.AskKind
	turn  session.TurnID
	child bool // a child agent asks, which may outlive the turn
	input json.RawMessage
	perm  *session.PermissionAsk
	// suggestions are what the runtime would remember if this were allowed for the session.
	suggestions []json.RawMessage
	schema      json.RawMessage // of an elicitation
}

// canUseTool is the runtime's request to let a tool act.
type canUseTool struct {
	Tool  string          `json:"tool_name"`
	Input json.RawMessage `json:"input"`
	Agent string          `json:"agent_id"`
}

// verdict is the answer to it. UpdatedInput is always sent along with an allowance: 2.1.112 fails the call without it.
type verdict struct {
	Behavior    string `json:"behavior"`
	Input       any    `json:"updatedInput,omitempty"`
	Permissions []any  `json:"updatedPermissions,omitempty"`
	Message     string `json:"message,omitempty"`
}

func deny(message string) verdict { return verdict{Behavior: "deny", Message: message} }

// asked registers a request and returns the events that put it before the user, or the answer if nobody needs to be
// asked. The waiter is registered before anybody can see the ask, so that no answer comes too early. The lock is held.
func (c *conversation) asked(e *engine, r driver.Request, j guard.Judgement, now time.Time) (reply any, events []session.Event) {
	if r.Subtype == "elicitation" {
		return c.elicited(e, r, now)
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

// answerTime is how long Answer waits for an answer to be written. Most take no time; one that repeats the content of a
// large file waits for the runtime to read it, and whoever gives it may be the screen.
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
	if rule, ok := guard.RuleOf(p.perm, a); ok {
		c.rules = append(c.rules, rule)
	}
	if mode := p.grants(a); mode != "" {
		c.granted = mode
	}
	// The mapper learns of the answer before the runtime does, whose next line may be what came of it.
	c.out.Put(c.settleAs(e, ask, a, session.SettledAnswered)...)
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
		return nil // it is on its way, and if the runtime ends before, the turn tells
	}
}

// settleAs closes an open ask. The lock is held.
func (c *conversation) settleAs(e *engine, ask session.AskID, a session.Answer, how session.Settlement) []session.Event {
	if e.asks[ask] == nil {
		return nil
	}
	delete(e.asks, ask)
	return e.m.Answered(ask, a, how, c.a.o.Now())
}

// interrupted is the answer to a request that nobody answers any more because the turn was interrupted.
func (p *pendingAsk) interrupted() any {
	if p.kind == session.AskElicitation {
		return filled{Action: "cancel"}
	}
	return deny(mapper.RefusedByAbort)
}

// reply words an answer for the runtime.
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

// answered carries the answers by the text of their questions, those of one question joined with commas, as the runtime's
// own screen does. A form nobody has filled in is a refusal.
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

// grants returns the mode that an answer makes the runtime change to, empty if it changes none. Only an approved plan
// does: what is allowed for the session is a rule of parley's, and no mode goes along with it.
func (p *pendingAsk) grants(a session.Answer) session.Mode {
	if p.kind != session.AskPlan || a.Decision != session.Allow || strings.TrimSpace(a.Message) != "" {
		return ""
	}
	return cmp.Or(a.Mode, session.ModeDefault)
}

// approved lets the plan be carried out, in the mode the user chose. Words of the user count more than an approval: they
// say what should be different. The mode goes along with the answer, because the runtime waits for that and for nothing
// else.
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

// planAsWritten is the input of an approved plan without the plan that the runtime put in from its file. Sent back, it
// would tell the model that the user had edited the plan. The path stays, because an empty input counts as none was sent.
// A plan of the model's own words has no file and stays too.
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
