package session

import "context"

// RemoteTarget is where and from what work at a service begins. The first prompt of a session carries it. An empty field means the default.
type RemoteTarget struct {
	// Repository is "owner/name"; the default is the repository of the session's directory.
	Repository string `json:"repository,omitempty"`
	// Base is the branch to begin from; the default is the default branch of the repository.
	Base string `json:"base,omitempty"`
	// Agent is the name of a custom agent of the repository; the default is none.
	Agent string `json:"agent,omitempty"`
}

// RemoteAgent is an [Agent] whose sessions work at a service and go on without parley. A turn that still runs there when a
// session is closed ends with [TurnElsewhere], and the session continues it when it is resumed: Send, for the id of a turn
// that the service already has, delivers nothing and follows the turn.
type RemoteAgent interface {
	Agent
	SessionLister
	// Target returns the defaults for a directory, with the name of the default branch if it is known. Errors are of kind
	// [KindNotFound] if the directory has no repository at the service.
	Target(ctx context.Context, dir string) (RemoteTarget, error)
	// Message returns the text that reaches the service when a prompt goes to work that has begun, such as a comment on its
	// pull request.
	Message(p Prompt) string
}
