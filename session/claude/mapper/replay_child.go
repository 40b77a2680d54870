package mapper

import (
	"bytes"
	"cmp"
	"encoding/json"
	"strings"
	"time"

	"parley/internal/lazyregexp"
	"parley/session"
	"parley/session/claude/transcript"
)

// child replays the child agent that a call started, once, nested under the call.
func (r *replayer) child(call string) {
	i, ok := r.linked[call]
	if !ok || r.replayed[i] {
		return
	}
	r.replayed[i] = true
	c := &r.children[i]
	at := c.Entries[0].Time
	r.m.children.announce(session.CallID(call), "", c.Description, at)
	for n := range c.Entries {
		e := &c.Entries[n]
		switch e.Type {
		case "user":
			r.toolResults(e, call)
		case "assistant":
			for _, b := range e.Blocks {
				r.m.children.block(session.CallID(call), e.MessageID, blockFrom(b), e.Time)
			}
		}
	}
}

// startOf returns the call that started a child agent, by the runtime's id of that, "" for an unknown one.
func (r *replayer) startOf(agent string) string {
	for call, i := range r.linked {
		if agent != "" && r.children[i].Agent == agent {
			return call
		}
	}
	return ""
}

// wentOn reports that a child goes on after its end, if the result of a call says so.
func (r *replayer) wentOn(raw json.RawMessage, at time.Time) {
	var result struct {
		Agent string `json:"resumedAgentId"`
	}
	if !bytes.Contains(raw, []byte(`"resumedAgentId"`)) || json.Unmarshal(raw, &result) != nil {
		return
	}
	if k := r.m.children.Find(session.ChildID(r.startOf(result.Agent))); k != nil {
		r.m.children.goOn(k, at)
	}
}

// taskEnding is the notice of the end of a background task.
type taskEnding struct{ task, call, status, summary string }

// taskEnded ends a background task, after which the runtime begins an autonomous turn. Versions that do not write the call
// beside the child's transcript hold the result back, and continue the same turn.
func (r *replayer) taskEnded(n taskEnding, at time.Time) {
	if _, ok := r.linked[n.call]; !ok { // of a child that went on, the notice names the call that it went on with
		n.call = cmp.Or(r.startOf(n.task), n.call)
	}
	i, ok := r.linked[n.call]
	if heldBack := ok && r.children[i].Call == ""; r.turn.orphans == 0 && !heldBack {
		r.end()
	}
	if c := r.m.background.commands[session.CallID(n.call)]; c != nil && !c.over {
		r.m.background.end(c, n.status, n.summary, "", at)
	}
	r.m.children.end(session.ChildID(n.call), outcomeOfTask(n.status), n.summary, at)
	r.m.cause.Add(session.CallID(n.call), n.summary)
}

var taskFields = lazyregexp.New(`(?s)<(task-id|tool-use-id|status|summary)>(.*?)</`)

// endingOf returns the notice in an entry, which is a user line or a queued command, by version.
func endingOf(e *transcript.Entry) (taskEnding, bool) {
	text := ""
	switch e.Type {
	case "user":
		text = onlyText(e)
	case "attachment":
		if q, ok := queuedIn(e); ok && len(q.blocks) == 1 {
			text = q.blocks[0].Text
		}
	}
	var n taskEnding
	if !strings.HasPrefix(text, "<task-notification>") {
		return n, false
	}
	for _, m := range taskFields.FindAllStringSubmatch(text, -1) {
		switch m[1] {
		case "task-id":
			n.task = m[2]
		case "tool-use-id":
			n.call = m[2]
		case "status":
			n.status = m[2]
		case "summary":
			n.summary = m[2]
		}
	}
	return n, true
}

// queuedCommand is a prompt that was taken into the running turn.
type queuedCommand struct {
	mode, source string
	blocks       []transcript.Block
}

func queuedIn(e *transcript.Entry) (queuedCommand, bool) {
	var a struct {
		Type   string          `json:"type"`
		Prompt json.RawMessage `json:"prompt"`
		Source string          `json:"source_uuid"`
		Mode   string          `json:"commandMode"`
	}
	if e.Type != "attachment" || json.Unmarshal(e.Attachment, &a) != nil || a.Type != "queued_command" {
		return queuedCommand{}, false
	}
	return queuedCommand{a.Mode, a.Source, transcript.Blocks(a.Prompt)}, true
}

// hookedIn returns the call that a hook blocked, as 2.1.112 attaches it; empty if none.
func hookedIn(e *transcript.Entry) session.CallID {
	var a struct {
		Type  string `json:"type"`
		Event string `json:"hookEvent"`
		Call  string `json:"toolUseID"`
	}
	if e.Type != "attachment" || json.Unmarshal(e.Attachment, &a) != nil || a.Type != "hook_blocking_error" || a.Event != "PreToolUse" {
		return ""
	}
	return session.CallID(a.Call)
}

var commandParts = lazyregexp.New(`(?s)<command-(name|args)>(.*?)</command-`)

// commandOf returns the command in an echo, "/name arguments".
func commandOf(e *transcript.Entry) (string, bool) {
	text := onlyText(e)
	if !strings.Contains(text, "<command-name>") || !strings.HasPrefix(strings.TrimSpace(text), "<command-") {
		return "", false
	}
	var name, args string
	for _, m := range commandParts.FindAllStringSubmatch(text, -1) {
		if m[1] == "name" {
			name = m[2]
		} else {
			args = m[2]
		}
	}
	return strings.TrimSpace(name + " " + args), name != ""
}
