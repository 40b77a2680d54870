package mapper

import (
	"cmp"
	"encoding/json"
	"fmt"
	"time"

	"parley/internal/errmark"
	"parley/session"
	"parley/session/process/record"
)

// children holds the child agents of a process. A child has the id of the call that started it.
type children struct {
	*record.Children[childState]
	rec   *record.Recorder
	calls *calls
	asks  *asks
	tasks map[string]session.ChildID // by task id
	// former are the starts of tasks that go on with children of an earlier process, by task id: the next line of such a child names it.
	former map[string]line
}

// child is an announced child agent. One in the background outlives its call.
type child = record.Child[childState]

// childState describes a child as far as it is known here.
type childState struct {
	summary string         // of a failure, from a notification before the result of the call
	blocks  map[string]int // blocks so far, by message id
}

func newChildren(rec *record.Recorder, calls *calls, asks *asks) *children {
	return &children{Children: record.NewChildren[childState](rec), rec: rec, calls: calls, asks: asks, tasks: map[string]session.ChildID{}, former: map[string]line{}}
}

// startsChild reports whether a tool starts child agents. The runtimes list it as Task and call it Agent.
func startsChild(tool string) bool { return tool == "Agent" || tool == "Task" }

// announce reports a child agent, once. An empty kind or description comes from the input of its call.
func (c *children) announce(call session.CallID, kind, description string, at time.Time) {
	id := session.ChildID(call)
	if call == "" || c.Find(id) != nil {
		return
	}
	var in struct {
		Description string `json:"description"`
		Kind        string `json:"subagent_type"`
		Background  bool   `json:"run_in_background"`
	}
	k := &child{Turn: c.rec.Turn, With: childState{blocks: map[string]int{}}}
	if t := c.calls.Find(call); t != nil {
		json.Unmarshal(t.With.input, &in) // a field that is missing stays empty
		k.Turn, k.Parent = t.Turn, t.Child
	}
	k.Started = session.ChildStarted{ID: id, Call: call, Name: cmp.Or(kind, in.Kind, "agent"),
		Description: cmp.Or(description, in.Description), Background: in.Background}
	c.Announce(k, at)
}

// end ends a child and its open asks, once.
func (c *children) end(id session.ChildID, o session.TurnOutcome, summary string, at time.Time) {
	if k := c.Running(id); k != nil {
		c.asks.withdrawAll(session.WhyAgentEnded, at, func(a openAsk) bool { return a.child == id })
		c.End(k, o, cmp.Or(summary, k.With.summary), at)
	}
}

// endAll ends every child as cancelled.
func (c *children) endAll(at time.Time) {
	for _, k := range c.AtWork() {
		c.end(k.Started.ID, session.TurnCancelled, "", at)
	}
}

// over reports whether a child has ended. The top level and unknown children count as ended.
func (c *children) over(id session.ChildID) bool { return c.Running(id) == nil }

// byTaskID returns a running child; an empty id means the top level.
func (c *children) byTaskID(task string) (id session.ChildID, ok bool) {
	if task == "" {
		return "", true
	}
	id, ok = c.tasks[task]
	return id, ok && !c.over(id)
}

// launched reports whether a result only announces that the child works in the background, where a notification reports its
// end. raw is the tool's own result.
func (c *children) launched(call session.CallID, raw json.RawMessage, at time.Time) bool {
	var r struct {
		IsAsync bool   `json:"isAsync"`
		Status  string `json:"status"`
	}
	k := c.Find(session.ChildID(call))
	if k == nil || json.Unmarshal(raw, &r) != nil || !r.IsAsync && r.Status != "async_launched" {
		return false
	}
	if !k.Started.Background && !k.Ended { // newer runtimes move children there on their own
		k.Started.Background = true
		c.Publish(k, at)
	}
	return true
}

// continues is the tool with which a model goes on with a child that has ended. The child keeps its task and the call that its lines name;
// the task starts again with this call.
const continues = "SendMessage"

// taskStarted announces the child agent of a task, or reports that it goes on. A shell command is a task too; it only gets its task id.
func (c *children) taskStarted(l line, at time.Time) {
	call := session.CallID(l.ToolUseID)
	t := c.calls.Find(call)
	agent := l.TaskType == "local_agent" || l.TaskType == "" && (t == nil || startsChild(t.Name))
	if !agent || call == "" {
		if t != nil {
			t.With.task = l.TaskID
		}
		return
	}
	if k := c.Find(c.tasks[l.TaskID]); k != nil && k.Started.Call != call {
		c.goOn(k, at)
		return
	}
	if t != nil && t.Name == continues {
		c.former[l.TaskID] = l
		return
	}
	c.tasks[l.TaskID] = session.ChildID(call)
	c.announce(call, l.AgentKind, l.Description, at)
	c.calls.early.release(l.ToolUseID, at)
}

// goOn reports that a child goes on after its end, which it does in the background.
func (c *children) goOn(k *child, at time.Time) {
	if !k.Ended {
		return
	}
	k.Ended = false
	k.Started.Background, k.Started.Resumed = true, true
	c.Publish(k, at)
	k.Started.Resumed = false
}

// recall announces the child of an earlier process that a line is of, if a task goes on with it. Versions that do not name the task in the
// line name what it is about.
func (c *children) recall(l line, at time.Time) {
	for task, f := range c.former {
		if l.AgentID != task && (l.AgentID != "" || l.AgentKind != f.AgentKind || l.AgentTask != f.Description) {
			continue
		}
		delete(c.former, task)
		id := session.ChildID(l.ParentID)
		c.tasks[task] = id
		k := &child{Turn: c.rec.Turn, With: childState{blocks: map[string]int{}}}
		k.Started = session.ChildStarted{ID: id, Call: session.CallID(l.ParentID), Name: cmp.Or(f.AgentKind, "agent"), Description: f.Description,
			Background: true, Resumed: true}
		c.Announce(k, at)
		k.Started.Resumed = false
		return
	}
}

// taskEnded ends a child in the background and returns the news for the next turn. A child in the foreground ends with the
// result of its call, which may follow the notification.
func (c *children) taskEnded(l line, at time.Time) (news string) {
	id := c.tasks[l.TaskID]
	k := c.Find(id)
	if k == nil {
		return ""
	}
	if k.Started.Background {
		news = newsOf(k, l)
	}
	t := c.calls.Running(session.CallID(id))
	if !k.Started.Background && t != nil {
		if l.Summary != t.Name && l.Status != "completed" {
			k.With.summary = l.Summary
		}
		return news
	}
	c.end(id, outcomeOfTask(l.Status), l.Summary, at)
	return news
}

// newsOf names the child and its outcome. Runtimes whose summary is the child's report write the same into their
// transcripts.
func newsOf(k *child, l line) string {
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
	return fmt.Sprintf("Agent %q %s", cmp.Or(k.Started.Description, k.Started.Name), how)
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
	k := c.Find(session.ChildID(call))
	if k == nil {
		return
	}
	n := k.With.blocks[message]
	k.With.blocks[message]++
	switch b.Type {
	case "text", "thinking":
		if text := b.words(); text != "" {
			part := session.PartID(fmt.Sprintf("%s/%s:%d", call, message, n))
			c.rec.Emit(session.PartReplaced{Head: c.rec.In(session.ChildID(call), at), Part: part, Kind: partKind(b.Type), Text: text})
		}
	case "tool_use":
		c.calls.start(b, call, at)
		c.calls.ready(session.CallID(b.ID), b.Input, at)
	}
}
