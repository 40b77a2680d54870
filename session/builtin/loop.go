package builtin

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"sync/atomic"

	"parley/session"
	"parley/session/builtin/budget"
	"parley/session/builtin/form"
	"parley/session/builtin/hook"
	"parley/session/builtin/mapper"
	"parley/session/builtin/role"
	"parley/session/builtin/todo"
	"parley/session/builtin/tool"
	"parley/session/builtin/vain"
	"parley/session/builtin/wire"
	"parley/session/permission"
	"parley/session/toolview"
)

// loop is the run of one agent: it asks the model, runs the tools that it calls, and repeats. The conversation has one at the
// top, and each child another. Policy, asks, events and connection are the conversation's.
type loop struct {
	c *conversation
	// part is what the agent is, which changes only between turns and at the top.
	part atomic.Pointer[part]
	// asked is the id of the model of the newest request.
	asked atomic.Value
	// child is the agent in the heads of events, empty at the top; name begins the ids of the parts of this run. parent and job
	// are those of a child; depth counts the agents above.
	child  session.ChildID
	name   string
	parent *loop
	job    *child
	depth  int
	ws     *tool.Workspace
	// modes decides what the model reads about the permission mode. Only the running turn uses it.
	modes form.Notes
	inbox inbox
	hooks *hook.Agent
	// goesOn is the text in which the next answer goes on, nil for none. Only the running turn uses it.
	goesOn *mapper.Block
	// lent is what a skill asked for, nil for nothing.
	lent atomic.Pointer[lent]
	// spent counts what the loop uses; all loops of a conversation share it.
	spent *budget.Spending
	todos todo.List
	vain  vain.Watch
	// past holds the pieces of the history from before the conversation was opened.
	past []wire.Piece
	room room
}

// newLoop returns the loop of an agent that works at ws.
func newLoop(c *conversation, r *role.Role, ws *tool.Workspace) *loop {
	l := &loop{c: c, ws: ws, spent: &budget.Spending{}}
	l.play(r, c.has.own)
	ws.Hidden = func(ctx context.Context) func(path, real string) permission.Ruling { return c.hidden(ctx, ws) }
	l.hooks = hooksOf(l)
	ws.Shell.Export(c.hooks.Environ())
	ws.Ended, ws.Host, ws.Jobs = l.endedLater, host{l}, c.jobs
	return l
}

// part is the role of a loop, and the tools that its model is offered, in its order.
type part struct {
	role  *role.Role
	tools []*tool.Tool
	given []*tool.Tool // those of which the tools were chosen
}

// named returns a tool, nil for any other name.
func (p *part) named(name string) *tool.Tool {
	for _, same := range []func(a, b string) bool{func(a, b string) bool { return a == b }, strings.EqualFold} { // models write "read", too
		for _, t := range p.tools {
			if same(t.Name, name) {
				return t
			}
		}
	}
	return nil
}

// repair returns the input of a call as the schema of its tool describes it, where it can mean nothing else.
func (p *part) repair(name string, input json.RawMessage) json.RawMessage {
	if t := p.named(name); t != nil {
		return t.Repair(input)
	}
	return input
}

// besideOthers reports whether a call may run beside others: it only reads, or starts a child.
func (p *part) besideOthers(c mapper.Call) bool {
	t := p.named(c.Name)
	return t != nil && (t.Kind == toolview.Read || t.Kind == toolview.Search || t.Kind == toolview.Agent)
}

// play makes the loop an agent of a role that has no tool but those given.
func (l *loop) play(r *role.Role, given []*tool.Tool) {
	l.part.Store(&part{r, r.Offered(given, l.depth), given})
}

func (l *loop) role() *role.Role { return l.part.Load().role }

func (l *loop) tools() []*tool.Tool { return l.part.Load().tools }

// head returns the head of an event of the loop: in the running turn, unless it works in the background.
func (l *loop) head() session.Head {
	if l.behind() {
		return l.between()
	}
	h := l.c.head()
	h.Child = l.child
	return h
}

// between returns the head of an event of the loop outside of any turn.
func (l *loop) between() session.Head {
	h := l.c.between()
	h.Child = l.child
	return h
}

// behind reports whether the agent or one above it works in the background.
func (l *loop) behind() bool {
	for ; l != nil; l = l.parent {
		if l.job != nil && l.job.inBackground(nil) {
			return true
		}
	}
	return false
}

// awake returns the loop, or the next one above it that has not ended.
func (l *loop) awake() *loop {
	for l.job != nil && l.job.ended() {
		l = l.parent
	}
	return l
}

// boundary runs before each request, after the calls of the answer before. What arrived meanwhile becomes events, from which
// the request is built.
func (l *loop) boundary(ctx context.Context) {
	if l.child == "" {
		l.c.hooks.Look(ctx)
	}
	for _, n := range l.inbox.take() {
		if n.prompt != nil {
			l.c.out.emit(session.Steered{Head: l.head(), Prompt: n.prompt.ID, Said: n.prompt})
			continue
		}
		l.remind(n.text)
	}
	if note := l.spent.Low(l.c.o.Now()); note != "" {
		l.remind(remind(note))
	}
	if note := l.todos.Reminder(); note != "" {
		l.remind(remind(note))
	}
}

// SetTodos replaces the list of tasks. That of a child is not the session's, so the user sees it only in the child's calls.
func (h host) SetTodos(list []session.Todo) {
	l := h.l
	l.todos.Set(list)
	if l.child == "" {
		l.c.out.emit(session.TodosChanged{Head: l.head(), Todos: list})
	}
}

// remind puts a text before the model, in the history of the loop.
func (l *loop) remind(text string) { l.c.out.emit(session.Reminded{Head: l.head(), Text: text}) }

// pieces returns the conversation so far, built from all events.
func (l *loop) pieces() []wire.Piece {
	var pieces []wire.Piece
	l.c.out.read(func(t *session.Transcript) {
		if l.child == "" {
			pieces = wire.Pieces(t.Turns, true)
		} else if c := t.FindChild(l.child); c != nil {
			pieces = wire.ChildPieces(c)
		}
	})
	pieces = append(slices.Clip(l.past), pieces...)
	if l.child != "" {
		wire.Number(pieces, session.TurnID(l.child))
	}
	return pieces
}
