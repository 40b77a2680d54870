package claude

import (
	"bytes"
	"encoding/json"

	"parley/session/claude/mapper"
)

// peeked holds the fields that decide which turn a line belongs to, read before the line is mapped.
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
	// TaskID and Patch, its change, are of messages about background work; Tasks lists all of it.
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

// withoutModel is [mapper.WithoutModel] of the line.
func (p peeked) withoutModel() bool {
	return mapper.WithoutModel(p.Subtype, p.Failed, p.Stop, p.Terminal)
}

// streamed is the prefix of the most frequent lines, which decide nothing within a turn. Lines with another order of fields
// only take longer.
var streamed = []byte(`{"type":"stream_event"`)

// peek reads the deciding fields of a line.
func peek(line []byte) peeked {
	if bytes.HasPrefix(line, streamed) {
		return peeked{Type: "stream_event"}
	}
	var p peeked
	if json.Unmarshal(line, &p) != nil {
		// A field of an unexpected shape does not hide the others.
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

// takenUp returns the prompts that the line reports as taken up. In 2.1.112 and 2.1.197 the echo of a prompt comes before
// the result of its turn, interrupted or not; newer versions also report it in other ways.
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

// dropped returns the prompt that the runtime will not work on, empty for none.
func (p peeked) dropped() string {
	if p.Type == "command_lifecycle" && (p.State == "cancelled" || p.State == "discarded") {
		return p.Command
	}
	return ""
}

// speaks reports whether the line belongs to work of the top level on a prompt.
func (p peeked) speaks() bool {
	switch p.Type {
	case "stream_event", "assistant", "result":
		return p.Parent == ""
	case "system":
		return p.Subtype == "init"
	}
	return false
}

// idle reports whether the runtime became idle.
func (p peeked) idle() bool {
	return p.Type == "system" && p.Subtype == "session_state_changed" && p.State == "idle"
}
