package sessiontest

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"sync"
	"time"

	"parley/session"
)

// Turn is one turn in the hands of a test. Its events go out in the order of the calls.
type Turn struct {
	ID     session.TurnID
	Prompt session.Prompt
	Origin session.Origin

	c      *Conversation
	ctx    context.Context
	cancel context.CancelFunc

	mu    sync.Mutex
	n     int
	ended bool
	// steered holds the prompts sent into the turn that the test has not looked at.
	steered chan session.Prompt
	err     error
	over    chan struct{}
}

// Conversation returns the conversation the turn belongs to.
func (t *Turn) Conversation() *Conversation { return t.c }

// Context ends when the turn is interrupted or over.
func (t *Turn) Context() context.Context { return t.ctx }

// Emit emits events as they are, with the empty fields of their heads filled in.
func (t *Turn) Emit(events ...session.Event) {
	for _, e := range events {
		t.c.Options.Emit(withHead(e, session.Head{Session: t.c.Options.Session, Turn: t.ID, Gen: t.c.Options.Gen}))
	}
}

// id returns a new id within the turn.
func (t *Turn) id(kind string) string {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.n++
	return fmt.Sprintf("%s-%s-%d", t.ID, kind, t.n)
}

// Text streams a part of text, one delta for each fragment, and ends it.
func (t *Turn) Text(fragments ...string) session.PartID {
	id := t.OpenPart(session.PartText, fragments...)
	t.Emit(session.PartEnded{Part: id})
	return id
}

// Reasoning streams a part of reasoning and ends it after the given time, which is only told, not waited for.
func (t *Turn) Reasoning(took time.Duration, fragments ...string) session.PartID {
	id := t.OpenPart(session.PartReasoning, fragments...)
	t.Emit(session.PartEnded{Part: id, Duration: took})
	return id
}

// OpenPart streams the beginning of a part and leaves it open.
func (t *Turn) OpenPart(kind session.PartKind, fragments ...string) session.PartID {
	id := session.PartID(t.id("part"))
	t.Emit(session.PartStarted{Part: id, Kind: kind})
	for _, f := range fragments {
		t.Emit(session.PartDelta{Part: id, Text: f})
	}
	return id
}

// StartTool announces a call with its whole input, given as JSON text.
func (t *Turn) StartTool(name, input string) session.CallID {
	id := session.CallID(t.id("call"))
	t.Emit(session.ToolStarted{Call: id, Name: name}, session.ToolReady{Call: id, Input: json.RawMessage(input)})
	return id
}

// Tool plays a whole call that gives the result as text.
func (t *Turn) Tool(name, input, result string) session.CallID {
	id := t.StartTool(name, input)
	t.Emit(session.ToolEnded{Call: id, Outcome: session.ToolOK, Result: session.ToolResult{Text: result}})
	return id
}

// Ask puts a question to the user and returns its id and a channel that gets the answer, or is closed when the turn ends
// without one. Session, turn, id and, if empty, Kind of the question are filled in.
func (t *Turn) Ask(q session.Asked) (session.AskID, <-chan session.Answer) {
	if q.Ask == "" {
		q.Ask = session.AskID(t.id("ask"))
	}
	if q.Kind == "" {
		q.Kind = kindOf(q)
	}
	q = withHead(q, session.Head{Session: t.c.Options.Session, Turn: t.ID, Gen: t.c.Options.Gen}).(session.Asked)
	a := &ask{asked: q, answer: make(chan session.Answer, 1)}
	t.c.mu.Lock()
	t.c.asks[q.Ask] = a
	t.c.mu.Unlock()
	t.c.Options.Emit(q)
	return q.Ask, a.answer
}

// AskPermission asks whether a tool may run a command.
func (t *Turn) AskPermission(tool, command string) (session.AskID, <-chan session.Answer) {
	return t.Ask(session.Asked{Permission: &session.PermissionAsk{Tool: tool, Command: command}})
}

func mustJSON(v any) json.RawMessage {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return b
}

func kindOf(q session.Asked) session.AskKind {
	switch {
	case q.Question != nil:
		return session.AskQuestion
	case q.Plan != nil:
		return session.AskPlan
	case q.Elicitation != nil:
		return session.AskElicitation
	}
	return session.AskPermission
}

// End ends the turn, once, settling its open asks as cancelled, and makes Send return.
func (t *Turn) End(outcome session.TurnOutcome) { t.EndWith(session.TurnEnded{Outcome: outcome}) }

// EndWith ends the turn as e says.
func (t *Turn) EndWith(e session.TurnEnded) {
	if !t.finish(nil) {
		return
	}
	t.c.mu.Lock()
	t.c.turn = nil
	var open []*ask
	for id, a := range t.c.asks {
		if a.asked.Turn == t.ID {
			open = append(open, a)
			delete(t.c.asks, id)
		}
	}
	t.c.mu.Unlock()
	for _, a := range open {
		t.Emit(session.Settled{Head: a.asked.Head, Ask: a.asked.Ask, How: session.SettledCancelled})
		close(a.answer)
	}
	t.Emit(e)
	close(t.over)
}

// Fail makes Send return an error without an end of the turn, as if nothing had been delivered.
func (t *Turn) Fail(err error) {
	if t.finish(err) {
		t.c.mu.Lock()
		t.c.turn = nil
		t.c.mu.Unlock()
		close(t.over)
	}
}

func (t *Turn) finish(err error) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.ended {
		return false
	}
	t.ended, t.err = true, err
	return true
}

func (t *Turn) result() error {
	<-t.over
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.err
}

// withHead fills the empty fields of an event's head.
func withHead(e session.Event, h session.Head) session.Event {
	v := reflect.New(reflect.TypeOf(e)).Elem()
	v.Set(reflect.ValueOf(e))
	head := v.FieldByName("Head").Addr().Interface().(*session.Head)
	if head.Session == "" {
		head.Session = h.Session
	}
	if head.Turn == "" {
		head.Turn = h.Turn
	}
	if head.Gen == 0 {
		head.Gen = h.Gen
	}
	if head.At.IsZero() {
		head.At = time.Now()
	}
	return v.Interface().(session.Event)
}
