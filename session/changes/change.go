package changes

import (
	"time"

	"parley/session"
	"parley/session/changes/snapshot"
)

// ChangeID names a change within its session, in the order of the log.
type ChangeID int

// Change describes the effect of one call on one file.
type Change struct {
	ID    ChangeID        `json:"id"`
	Call  session.CallID  `json:"call,omitempty"`
	Turn  session.TurnID  `json:"turn,omitempty"`
	Child session.ChildID `json:"child,omitempty"`
	// Tool is the name of the tool as the agent gives it. Command is the command line, for changes found by comparing.
	Tool    string    `json:"tool,omitempty"`
	Command string    `json:"command,omitempty"`
	Model   string    `json:"model,omitempty"`
	At      time.Time `json:"at"`
	// Path is the file, absolute, with the links of its directories resolved; of a file edited through a link it is that of
	// the file.
	Path   string         `json:"path"`
	Before snapshot.State `json:"before"`
	After  snapshot.State `json:"after"`
	// Dirs are directories that the call created above Path, outermost first.
	Dirs []string `json:"dirs,omitempty"`
	// Unsure says why Before is not surely what stood there just before the call; "" if it is. Then it is not put back.
	Unsure string `json:"unsure,omitempty"`

	// Status is the state in which the user's choices left the change. It follows from the steps of the log.
	Status Status `json:"-"`
}

// Status is the state in which the user's choices left a change.
type Status string

// The statuses of a change.
const (
	Open     Status = "open"     // made, and not judged
	Accepted Status = "accepted" // made, and accepted
	Undone   Status = "undone"   // taken back
)
