package transcript_test

import (
	"time"

	"parley/session"
)

// A recording is an archive: live.jsonl is what the runtime printed, interleaved with notes of what the host did at that
// moment; the other files are what the runtime wrote below its projects folder meanwhile. Notes are objects with the
// field "host".
type note struct {
	Host   string         `json:"host"` // begin, deliver, answered, interrupt, exit
	Turn   session.TurnID `json:"turn,omitempty"`
	Prompt string         `json:"prompt,omitempty"`
	Ask    session.AskID  `json:"ask,omitempty"`
	Allow  bool           `json:"allow,omitempty"`
}

// epoch is when every recording begins.
var epoch = time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)
