package protocol

import (
	"encoding/json"
	"time"
)

// Event is the envelope of one event of a session, as in the notification "session.event" and in a line of events.jsonl.
type Event struct {
	ID        string    `json:"id"`
	Timestamp time.Time `json:"timestamp"`
	ParentID  string    `json:"parentId,omitempty"`
	// Ephemeral events are not stored.
	Ephemeral bool `json:"ephemeral,omitempty"`
	// Agent is the id of the child agent that acts, empty at the top level.
	Agent string `json:"agentId,omitempty"`
	Type  string `json:"type"`
	// Data is decoded by the reader of the type.
	Data json.RawMessage `json:"data,omitempty"`
}
