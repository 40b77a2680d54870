package builtin

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"parley/internal/crash"
	"parley/internal/nearest"
	"parley/session"
	"parley/session/builtin/role"
	"parley/session/builtin/tool"
	"parley/session/builtin/wire"
)

const (
	// maxChildren bounds the children that run at the same time.
	maxChildren = 24
	// maxSaid bounds the final words of a child that its parent reads, in bytes.
	maxSaid = 32 << 10
)

// children are the child agents of a conversation. It is safe for concurrent use.
type children struct {
	mu  sync.Mutex
	all map[session.ChildID]*child
	// turns counts the turns that the conversation began itself; the conversation's lock guards it.
	turns int
}

// child is one child agent: a run that goes on until it ends, and may be continued later.
type child struct {
	id    session.ChildID
	call  session.CallID
	role  *role.Role
	title string
	model string
	loop  *loop
	// given are the tools of the agent that started it: it has no others.
	given []*tool.Tool
	runs  int

	mu  sync.Mutex
	now *shift // the newest, nil before the first
}

// shift is one run of a child, which may be continued as soon as its end is reported. Its child's lock guards over and back.
type shift struct {
	cancel  context.CancelCauseFunc
	over    bool
	done    chan struct{} // closed when it has ended
	back    bool          // it works in the background
	toBack  chan struct{} // closed when it goes there
	told    chan struct{} // closed when the end of its call was emitted
	outcome tool.Outcome
}

func newChildren() *children { return &children{all: map[session.ChildID]*child{}} }

func (ch *child) ended() bool {
	ch.mu.Lock()
	defer ch.mu.Unlock()
	return ch.now == nil || ch.now.over
}

// inBackground reports whether a shift, the newest for nil, works in the background.
func (ch *child) inBackground(s *shift) bool {
	ch.mu.Lock()
	defer ch.mu.Unlock()
	return cmp.Or(s, ch.now).back
}

// add adds a child and reports false if too many run.
func (cs *children) add(ch *child) bool {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	n := 0
	for _, other := range cs.all {
		if !other.ended() {
			n++
		}
	}
	if n >= maxChildren {
		return false
	}
	cs.all[ch.id] = ch
	return true
}

// find returns the child that a test accepts, nil if there is none.
func (cs *children) find(is func(ch *child) bool) *child {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	for _, ch := range cs.all {
		if is(ch) {
			return ch
		}
	}
	return nil
}

// running returns the running child of a call, nil if there is none.
func (cs *children) running(call session.CallID) *child {
	return cs.find(func(ch *child) bool { return ch.call == call && !ch.ended() })
}

// Delegate starts a child and, unless it works in the background, waits for its end.
func (h host) Delegate(ctx context.Context, id session.CallID, e tool.Errand) tool.Outcome {
	l := h.l
	r := l.c.kinds.Named(e.Role)
	if r == nil {
		names := l.c.kinds.Names()
		return tool.Failed("There is no kind of agent %q. There are: %s.%s", e.Role, strings.Join(names, ", "), meant(e.Role, names))
	}
	if wrong := l.c.wrongModel(ctx, e.Model); wrong != "" {
		return tool.Failed("%s", wrong)
	}
	ch := &child{id: session.ChildID(id), call: id, role: r, title: e.Title, model: cmp.Or(e.Model, r.Pick(l.c.models(ctx))), given: l.tools()}
	ch.loop = newLoop(l.c, r, newWorkspace(l.c.o, l.c.open, l.c))
	ch.loop.attach(ch, l)
	var s *shift
	inOrder(ctx, func() { s = l.c.start(ch, l, session.Prompt{Text: e.Prompt}, e.Background, false) })
	if s == nil {
		return tool.Failed("The limit of %d running agents is reached. Wait until some have ended, or do it yourself.", maxChildren)
	}
	return ch.wait(ctx, s)
}

// wait returns once the child has ended or works in the background, and in the first case its outcome. It decides once which
// of the two it is, because exactly one of the call and the child reports the end.
func (ch *child) wait(ctx context.Context, s *shift) tool.Outcome {
	if !ch.inBackground(s) {
		select {
		case <-s.done:
		case <-s.toBack:
		case <-ctx.Done():
			if !ch.inBackground(s) {
				s.cancel(context.Cause(ctx))
				<-s.done
				if !ch.inBackground(s) {
					return tool.Cancelled
				}
			}
		}
	}
	if ch.inBackground(s) {
		return s.goesOn(ch.call)
	}
	return s.outcome
}

// attach makes the loop that of a child below another.
func (l *loop) attach(ch *child, parent *loop) {
	l.child, l.job, l.parent, l.depth, l.spent = ch.id, ch, parent, parent.depth+1, parent.spent
	l.play(ch.role, ch.given)
	l.ws.Child = ch.id
}

// goesOn returns the outcome of the call of a child that goes on.
func (s *shift) goesOn(call session.CallID) tool.Outcome {
	return tool.Outcome{How: session.ToolOK, Reported: sync.OnceFunc(func() { close(s.told) }), Result: session.ToolResult{Background: true, Summary: "in the background",
		Text: fmt.Sprintf("The agent works in the background (call %s). You will read its answer when it has ended; do not wait for it "+
			"or look for it, and do not do its work yourself.", call)}}
}

// start announces a child and runs it. It returns nil if too many run or the conversation is closed.
func (c *conversation) start(ch *child, parent *loop, p session.Prompt, background, resumed bool) *shift {
	ctx, cancel := context.WithCancelCause(c.life)
	s := &shift{cancel: cancel, back: background, done: make(chan struct{}), toBack: make(chan struct{}), told: make(chan struct{})}
	ch.mu.Lock()
	ch.now = s
	ch.mu.Unlock()
	if !c.children.add(ch) {
		cancel(nil)
		return nil
	}
	c.mu.Lock()
	if c.closed {
		c.mu.Unlock()
		cancel(nil)
		return nil
	}
	ch.runs++
	ch.loop.name = fmt.Sprintf("%s.%d.%d", ch.id, c.open.Gen, ch.runs)
	begin := make(chan struct{})
	c.busy.Go(crash.Guarded(func() {
		defer cancel(nil)
		<-begin
		ch.run(ctx, s, resumed)
	}))
	c.mu.Unlock()
	head := ch.loop.head()
	head.Child = parent.child
	c.out.emit(session.ChildStarted{Head: head, ID: ch.id, Call: ch.call, Name: ch.role.Name, Description: ch.title,
		Background: background, Resumed: resumed})
	p.ID = cmp.Or(p.ID, session.PromptID(ch.loop.name))
	ch.loop.inbox.open()
	ch.loop.inbox.steer(p)
	close(begin)
	return s
}

// run runs the child and reports its end: to the call that waits for it or, in the background, to the agent above.
func (ch *child) run(ctx context.Context, s *shift, resumed bool) {
	l := ch.loop
	l.lent.Store(nil)
	done := l.c.has.crew.Use(ch.role.Custom())
	if !resumed {
		hear(l, l.hooks.Start(ctx))
	}
	how, problem := l.run(ctx)
	l.inbox.close()
	if done(); len(ch.role.Servers()) > 0 {
		l.c.has.kit.Renew(l.c.life) // its servers end
	}
	l.c.jobs.StopAgent(ch.id) // nothing could be told of them
	out := ch.result(ctx, how, problem)
	ch.mu.Lock()
	s.over, s.outcome = true, out
	back := s.back
	ch.mu.Unlock()
	head := l.head()
	head.Child = l.parent.child
	l.c.out.emit(session.ChildEnded{Head: head, ID: ch.id, Outcome: how, Summary: summaryOf(out)})
	close(s.done)
	because := fmt.Sprintf("agent %q ended", ch.title)
	switch {
	case resumed:
		l.parent.awake().report(ch.call, out, because)
	case back:
		<-s.told // the call always ends, also when the conversation does
		l.c.hooks.Notify("agent_completed", because)
		l.parent.endedLater(ch.call, out, because)
	}
}

// result returns what the agent above reads of the end.
func (ch *child) result(ctx context.Context, how session.TurnOutcome, problem *session.Problem) tool.Outcome {
	said := ch.lastWords()
	if len(said) > maxSaid {
		said = strings.ToValidUTF8(said[:maxSaid], "") + "\n(cut here: the answer is longer)"
	}
	if how == session.TurnCompleted {
		if strings.TrimSpace(said) == "" {
			said = "The agent ended without an answer. Look at what it did, or do it yourself."
		}
		return tool.Outcome{How: session.ToolOK, Result: session.ToolResult{Text: said}}
	}
	why := "it was interrupted"
	switch {
	case errors.Is(context.Cause(ctx), errStopped):
		why = "the user stopped it. Do not start it again unless they ask for it"
	case problem != nil:
		why = problem.What
	}
	text := "The agent did not finish: " + strings.TrimSuffix(why, ".") + "."
	if strings.TrimSpace(said) != "" {
		text += "\n\nWhat it said last:\n" + said
	}
	if how == session.TurnCancelled {
		return tool.Outcome{How: session.ToolCancelled, Result: session.ToolResult{Text: text}}
	}
	return tool.Failed("%s\n\nDo the rest yourself, or give a smaller task to another agent.", text)
}

// summaryOf returns the beginning of a result.
func summaryOf(out tool.Outcome) string {
	line, _, _ := strings.Cut(strings.TrimSpace(out.Result.Text), "\n")
	if runes := []rune(line); len(runes) > 200 {
		line = string(runes[:200]) + "…"
	}
	return line
}

// lastWords returns the text of the newest answer that has any.
func (ch *child) lastWords() string {
	var words string
	ch.loop.c.out.read(func(t *session.Transcript) {
		if c := t.FindChild(ch.id); c != nil {
			words = wire.LastWords(c.Entries)
		}
	})
	return words
}

// wrongModel returns what is wrong with a model for a child, "" for nothing. Without a list of models all are accepted.
func (c *conversation) wrongModel(ctx context.Context, id string) string {
	models := c.models(ctx)
	if id == "" || len(models) == 0 {
		return ""
	}
	var ids []string
	for _, m := range models {
		if m.ID == id && m.Unusable != "" {
			return fmt.Sprintf("The model %q cannot be used: %s. Leave model out to use the session's.", id, m.Unusable)
		}
		if m.Unusable == "" {
			ids = append(ids, m.ID)
		}
	}
	if slices.Contains(ids, id) {
		return ""
	}
	return fmt.Sprintf("There is no model %q.%s There are: %s. Leave model out to use the session's.", id, meant(id, ids), strings.Join(ids, ", "))
}

// meant returns a sentence with the name that was probably meant, "" if none is close.
func meant(name string, names []string) string {
	if n := nearest.Of(name, names); n != "" {
		return fmt.Sprintf(" Did you mean %q?", n)
	}
	return ""
}
