package mapper

import (
	"cmp"
	"encoding/json"
	"fmt"
	"time"

	"parley/internal/errmark"
	"parley/session"
)

// children holds the child agents of a process. A child has the id of the call that started it.
type children struct {
	rec   *recorder
	calls *calls
	asks  *asks
	known map[session.CallID]*child
	tasks map[string]session.CallID // task id to call
}

type child struct {
	parent  session.CallID       // the child that started it, empty for the top level
	started session.ChildStarted // its announcement; a child in the background outlives its call
	turn    session.TurnID       // the turn that announced it
	ended   bool
	summary string         // of a failure, from a notification before the result of the call
	blocks  map[string]int // blocks so far, by message id
}

func newChildren(rec *recorder, calls *calls, asks *asks) *children {
	return &children{rec: rec, calls: calls, asks: asks, known: map[session.CallID]*child{}, tasks: map[string]session.CallID{}}
}

// startsChild reports whether a tool starts child agents. The runtimes list it as Task and call it Agent.
func startsChild(tool string) bool { return tool == "Agent" || tool == "Task" }

// announce reports a child agent, once. An empty kind or description comes from the input of its call.
func (c *children) announce(call session.CallID, kind, description string, at time.Time) {
	if call == "" || c.known[call] != nil {
		return
	}
	var in struct {
		Description string `json:"description"`
		Kind        string `json:"subagent_type"`
		Background  bool   `json:"run_in_background"`
	}
	k := &child{turn: c.rec.turn, blocks: map[string]int{}}
	if t := c.calls.known[call]; t != nil {
		json.Unmarshal(t.input, &in) // a field that is missing stays empty
		k.turn, k.parent = t.turn, t.child
	}
	k.started = session.ChildStarted{ID: session.ChildID(call), Call: call, Name: cmp.Or(kind, in.Kind, "agent"),
		Description: cmp.Or(description, in.Description), Background: in.Background}
	c.known[call], c.rec.childTurns[call] = k, k.turn
	c.publish(k, at)
}

// publish reports a child agent: a new one, or one that moved to the background.
func (c *children) publish(k *child, at time.Time) {
	e := k.started
	e.Head = c.rec.in(k.parent, at)
	e.Head.Turn = k.turn
	c.rec.emit(e)
}

// end ends a child and its open asks, once.
func (c *children) end(call session.CallID, o session.TurnOutcome, summary string, at time.Time) {
	k := c.known[call]
	if k == nil || k.ended {
		return
	}
	k.ended = true
	c.asks.withdrawAll(session.WhyAgentEnded, at, func(a openAsk) bool { return a.child == call })
	h := c.rec.in(k.parent, at)
	h.Turn = k.turn
	c.rec.emit(session.ChildEnded{Head: h, ID: session.ChildID(call), Outcome: o, Summary: cmp.Or(summary, k.summary)})
}

// endAll ends every child as cancelled.
func (c *children) endAll(at time.Time) {
	for _, call := range sortedKeys(c.known) {
		c.end(call, session.TurnCancelled, "", at)
	}
}

// over reports whether a child has ended. The top level and unknown children count as ended.
func (c *children) over(call session.CallID) bool {
	k := c.known[call]
	return k == nil || k.ended
}

// byTaskID returns the call of a running child; an empty id means the top level.
func (c *children) byTaskID(id string) (call session.CallID, ok bool) {
	if id == "" {
		return "", true
	}
	call, ok = c.tasks[id]
	k := c.known[call]
	return call, ok && (k == nil || !k.ended)
}

// launched reports whether a result only says that the child works in the background, where a notification reports its
// end. raw is the tool's own result.
func (c *children) launched(call session.CallID, raw json.RawMessage, at time.Time) bool {
	var r struct {
		IsAsync bool   `json:"isAsync"`
		Status  string `json:"status"`
	}
	k := c.known[call]
	if k == nil || json.Unmarshal(raw, &r) != nil || !r.IsAsync && r.Status != "async_launched" {
		return false
	}
	if !k.started.Background && !k.ended { // newer runtimes move children there on their own
		k.started.Background = true
		c.publish(k, at)
	}
	return true
}

// taskStarted announces the child agent of a task. A shell command is a task too; it only gets its task id.
func (c *children) taskStarted(l line, at time.Time) {
	call := session.CallID(l.ToolUseID)
	t := c.calls.known[call]
	agent := l.TaskType == "local_agent" || l.TaskType == "" && (t == nil || startsChild(t.name))
	if !agent || call == "" {
		if t != nil {
			t.task = l.TaskID
		}
		return
	}
	c.tasks[l.TaskID] = call
	c.announce(call, l.AgentKind, l.Description, at)
	c.calls.early.release(l.ToolUseID, at)
}

// taskEnded ends a child in the background and returns the news for the next turn. A child in the foreground ends with the
// result of its call, which may follow the notification.
func (c *children) taskEnded(l line, at time.Time) (news string) {
	call, ok := c.tasks[l.TaskID]
	k := c.known[call]
	if !ok || k == nil {
		return ""
	}
	if k.started.Background {
		news = k.news(l)
	}
	t := c.calls.known[call]
	if !k.started.Background && t != nil && !t.ended {
		if l.Summary != t.name && l.Status != "completed" {
			k.summary = l.Summary
		}
		return news
	}
	c.end(call, outcomeOfTask(l.Status), l.Summary, at)
	return news
}

// news names the child and its outcome. Runtimes whose summary is the child's report write the same into their
// transcripts.
func (k *child) news(l line) string {
	if !l.IsReport {
		return l.Summary
	}
	how := "failed"
	switch outcomeOfTask(l.Status) {
	case session.TurnCompleted:
		how = "finished"
	case session.TurnCancelled:
		how = "was stopped"
	}
	return fmt.Sprintf("Agent %q %s", cmp.Or(k.started.Description, k.started.Name), how)
}

// message maps a whole message of a child. Its parts have the child's name and numbers of the message's blocks.
func (c *children) message(l line, msg message, at time.Time) {
	call := session.CallID(l.ParentID)
	c.announce(call, l.AgentKind, "", at)
	for _, b := range msg.blocks() {
		if l.Error != "" {
			b.Text, _, _ = errmark.Strip(b.Text)
		}
		c.block(call, msg.ID, b, at)
	}
}

// block maps the next block of a message of a known child.
func (c *children) block(call session.CallID, message string, b block, at time.Time) {
	k := c.known[call]
	if k == nil {
		return
	}
	n := k.blocks[message]
	k.blocks[message]++
	switch b.Type {
	case "text", "thinking":
		if text := b.words(); text != "" {
			part := session.PartID(fmt.Sprintf("%s/%s:%d", call, message, n))
			c.rec.emit(session.PartReplaced{Head: c.rec.in(call, at), Part: part, Kind: partKind(b.Type), Text: text})
		}
	case "tool_use":
		c.calls.start(b, call, at)
		c.calls.ready(session.CallID(b.ID), b.Input, at)
	}
}

func childOutcome(o session.ToolOutcome) session.TurnOutcome {
	switch o {
	case session.ToolOK:
		return session.TurnCompleted
	case session.ToolFailed:
		return session.TurnFailed
	default:
		return session.TurnCancelled
	}
}
