package session

import (
	"context"
	"slices"
)

// RemoteState is the state of work at a service. A service may use others, which are shown as they are.
type RemoteState string

// The states of work at a service.
const (
	RemoteQueued    RemoteState = "queued"
	RemoteRunning   RemoteState = "in_progress"
	RemoteIdle      RemoteState = "idle"
	RemoteWaiting   RemoteState = "waiting_for_user"
	RemoteCompleted RemoteState = "completed"
	RemoteFailed    RemoteState = "failed"
	RemoteCancelled RemoteState = "cancelled"
	RemoteTimedOut  RemoteState = "timed_out"
)

// Ended reports whether work in this state goes on only with another prompt.
func (s RemoteState) Ended() bool {
	return slices.Contains([]RemoteState{RemoteIdle, RemoteCompleted, RemoteFailed, RemoteCancelled, RemoteTimedOut}, s)
}

// Remote describes work that an agent does at a service, not on this machine.
type Remote struct {
	State RemoteState `json:"state"`
	// Repository is "owner/name"; Branch is the branch with the work and Base the one it began from. Each may be empty.
	Repository string `json:"repository,omitempty"`
	Branch     string `json:"branch,omitempty"`
	Base       string `json:"base,omitempty"`
	// URL is the web page of the work, empty if unknown.
	URL    string `json:"url,omitempty"`
	Pull   *Pull  `json:"pull,omitempty"` // nil until there is one
	Checks Checks `json:"checks,omitzero"`
	// Problem says in a sentence why the work failed; empty if it did not.
	Problem string `json:"problem,omitempty"`
}

// Pull is a pull request.
type Pull struct {
	Number int    `json:"number"`
	Title  string `json:"title,omitempty"`
	URL    string `json:"url,omitempty"`
	State  string `json:"state,omitempty"` // "open", "closed" or "merged"
	Draft  bool   `json:"draft,omitempty"`
}

// Checks counts the checks of a pull request by their state.
type Checks struct {
	Passed  int `json:"passed,omitempty"`
	Failed  int `json:"failed,omitempty"`
	Pending int `json:"pending,omitempty"`
}

// RemoteChanged replaces what is known of the session's work at a service.
type RemoteChanged struct {
	Head
	Remote Remote `json:"remote"`
}

// SessionLister is a [Replayer] whose stored sessions are at a service.
type SessionLister interface {
	Replayer
	// Refresh asks the service for the list that Sessions returns at once from memory or disk. It may take as long as ctx.
	Refresh(ctx context.Context) error
}
