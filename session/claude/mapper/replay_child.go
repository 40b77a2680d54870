package mapper

import (
	"encoding/json"
	"regexp"
	"strings"
	"time"

	"parley/session"
	"parley/session/claude/transcript"
)

// child tells what the child agent that a call started did, once: as the children of live conversations are told, nested
// under the call.
func (r *replayer) child(call string) {
	i, ok := r.linked[call]
	if !ok || r.told[i] {
		return
	}
	r.told[i] = true
	c := &r.children[i]
	at := c.Entries[0].Time
	r.m.child(call, c.Description, at)
	for n := range c.Entries {
		e := &c.Entries[n]
		switch e.Type {
		case "user":
			r.toolResults(e, call)
		case "assistant":
			r.childSaid(call, e)
		}
	}
}

func (r *replayer) childSaid(call string, e *transcript.Entry) {
	for _, b := range e.Blocks {
		r.m.childBlock(session.CallID(call), e.MessageID, blockFrom(b), e.Time)
	}
}

// taskNote is the notice that a background task has ended.
type taskNote struct{ task, call, status, summary string }

// taskEnded ends a child agent that worked in the background. The runtime then begins a turn of its own. Versions that do
// not yet note the call beside the child's transcript go on with the turn, whose result they have held back until now.
func (r *replayer) taskEnded(n taskNote, at time.Time) {
	if t := r.m.tools[session.CallID(n.call)]; t != nil && t.behind {
		r.m.shellEnded(t, n.status, n.summary, "", at)
	}
	r.m.endChild(session.CallID(n.call), outcomeOfTask(n.status), n.summary, at)
	i, ok := r.linked[n.call]
	if heldBack := ok && r.children[i].Call == ""; r.orphans == 0 && !heldBack {
		r.end()
	}
	r.m.cause = because(r.m.cause, n.summary)
}

var taskFields = regexp.MustCompile(`(?s)<(task-id|tool-use-id|status|summary)>(.*?)</`)

// noteOf reads the notice of a background task out of an entry: a user line or a queued command, by version.
func noteOf(e *transcript.Entry) (taskNote, bool) {
	text := ""
	switch e.Type {
	case "user":
		text = onlyText(e)
	case "attachment":
		if q, ok := queuedIn(e); ok && len(q.blocks) == 1 {
			text = q.blocks[0].Text
		}
	}
	var n taskNote
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

// queuedCommand is what was sent while a turn ran and was taken into it.
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

// hookedIn returns the call that a hook has blocked before it was made, as 2.1.112 attaches it; empty if none.
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

var commandParts = regexp.MustCompile(`(?s)<command-(name|args)>(.*?)</command-`)

// commandOf reads a command back out of its echo: "/name arguments".
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
