package session

import (
	"strings"
	"time"
)

// Meta describes a stored session.
type Meta struct {
	ID      ID        `json:"id"`
	Parent  ID        `json:"parent,omitempty"` // what it is a copy of
	Agent   string    `json:"agent"`
	Dir     string    `json:"dir"`
	Dirs    []string  `json:"dirs,omitempty"`
	Branch  string    `json:"branch,omitempty"`
	Title   string    `json:"title,omitempty"`
	First   string    `json:"first,omitempty"` // the first prompt, shortened
	Model   string    `json:"model,omitempty"`
	Turns   int       `json:"turns,omitempty"`
	Created time.Time `json:"created"`
	Updated time.Time `json:"updated"`
	// Tags, Pinned and Archived are how the user sorted the session. Tags are in small letters and in order; they are replaced, never changed.
	Tags     []string `json:"tags,omitempty"`
	Pinned   bool     `json:"pinned,omitempty"`
	Archived bool     `json:"archived,omitempty"`
	// Deleted is when the session came into the bin, zero for one that is not there.
	Deleted time.Time `json:"deleted,omitzero"`
	// Remote is the work at a service as the newest list has it, nil for sessions on this machine. It is replaced, never changed.
	Remote *Remote `json:"remote,omitempty"`
}

// Headline returns one line for lists: the title, else the first prompt, else a text that there is none.
func (m Meta) Headline() string {
	for _, s := range []string{m.Title, m.First} {
		if line := strings.Join(strings.Fields(s), " "); line != "" {
			return line
		}
	}
	return "(no prompt yet)"
}
