package claude

import (
	"bytes"
	"encoding/json"

	"parley/session/claude/mapper"
)

// peeked is what decides which turn a line belongs to, read before the line is mapped.
type peeked struct {
	Type    string `json:"type"`
	Subtype string `json:"subtype"`
	// State is of session_state_changed ("idle", "running", "requires_action") and of command_lifecycle.
	State    string `json:"state"`
	UUID     string `json:"uuid"`
	IsReplay bool   `json:"isReplay"`
	Parent   string `json:"parent_tool_use_id"`
	// Command is the prompt a command_lifecycle message is about.
	Command string `json:"command_uuid"`
	// Prompts are the prompts a result answers, where the runtime says so.
	Prompts []string `json:"user_message_uuids"`
	// TaskID and Patch, what of it has changed, are of messages about background work; Tasks is all of it.
	TaskID string `json:"task_id"`
	Patch  struct {
		Status string `json:"status"`
	} `json:"patch"`
	Tasks []json.RawMessage `json:"tasks"`
	// Stop, Terminal and Failed are of results.
	Stop     string `json:"stop_reason"`
	Terminal string `json:"terminal_reason"`
	Failed   bool   `json:"is_error"`
}

// unworked is [Unworked], before the line is mapped.
func (p peeked) unworked() bool { return mapper.Unworked(p.Subtype, p.Failed, p.Stop, p.Terminal) }

// streamed is how the lines begin that come by the thousand and decide nothing once a turn runs. Runtimes that order their
// fields otherwise only cost more.
var streamed = []byte(`{"type":"stream_event"`)

// peek reads a line as far as needed.
func peek(line []byte) peeked {
	if bytes.HasPrefix(line, streamed) {
		return peeked{Type: "stream_event"}
	}
	var p peeked
	if json.Unmarshal(line, &p) != nil {
		// One field of an unexpected shape hides no other.
		var known struct {
			Type     string `json:"type"`
			Subtype  string `json:"subtype"`
			UUID     string `json:"uuid"`
			IsReplay bool   `json:"isReplay"`
		}
		if json.Unmarshal(line, &known) == nil {
			p = peeked{Type: known.Type, Subtype: known.Subtype, UUID: known.UUID, IsReplay: known.IsReplay}
		}
	}
	return p
}

// takenUp are the prompts that the runtime has begun to work on, as far as this line tells. The echo of a prompt comes
// before the result of its turn, interrupted or not, in 2.1.112 and 2.1.197; newer versions also say it in other ways.
func (p peeked) takenUp() []string {
	switch {
	case p.Type == "user" && p.IsReplay && p.UUID != "":
		return []string{p.UUID}
	case p.Type == "command_lifecycle" && (p.State == "started" || p.State == "completed"):
		return []string{p.Command}
	case p.Type == "result":
		return p.Prompts
	}
	return nil
}

// dropped is the prompt that the runtime says it will not work on.
func (p peeked) dropped() string {
	if p.Type == "command_lifecycle" && (p.State == "cancelled" || p.State == "discarded") {
		return p.Command
	}
	return ""
}

// speaks reports whether the line begins or belongs to work of the top level on a prompt.
func (p peeked) speaks() bool {
	switch p.Type {
	case "stream_event", "assistant", "result":
		return p.Parent == ""
	case "system":
		return p.Subtype == "init"
	}
	return false
}

// idle reports whether the runtime says that it has nothing more to do.
func (p peeked) idle() bool {
	return p.Type == "system" && p.Subtype == "session_state_changed" && p.State == "idle"
}
