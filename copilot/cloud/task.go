package cloud

import (
	"slices"
	"time"
)

// State is the state of a job or session. The service may use others than those below.
type State string

// The known states.
const (
	Queued         State = "queued"
	InProgress     State = "in_progress"
	Completed      State = "completed"
	Failed         State = "failed"
	Cancelled      State = "cancelled"
	TimedOut       State = "timed_out"
	Idle           State = "idle"
	WaitingForUser State = "waiting_for_user"
)

// Over reports whether a session in this state does nothing more. An unknown state is not over.
func (s State) Over() bool {
	return slices.Contains([]State{Completed, Failed, Cancelled, TimedOut, Idle, WaitingForUser}, s)
}

// NewJob is a job to start.
type NewJob struct {
	Owner, Repo string
	// Problem is the statement of the work, as markdown.
	Problem string
	// Base is the branch to begin from, without "refs/heads/"; empty for the default branch.
	Base string
	// Agent is the name of a custom agent of the repository, empty for none.
	Agent string
}

// Job is a request for work, and the session that does it.
type Job struct {
	ID, Session string
	Status      State
	Result      string
	// Actor is the login of the user who started it.
	Actor            string
	Created, Updated time.Time
	// PullID and PullNumber are 0 until there is a pull request.
	PullID     int64
	PullNumber int
	// Problem is the reason why the job failed, empty if it did not.
	Problem string
}

// Session is one piece of work, from a prompt to its end. Zero fields are unknown.
type Session struct {
	ID, Name string
	State    State
	User     int64
	// Owner and Repo are the database ids of the repository and its owner.
	Owner, Repo int64
	// Resource is the database id of the pull request, 0 until there is one; Node is its id for GraphQL.
	Resource                    int64
	Node                        string
	Created, Updated, Completed time.Time
	// Event is the kind of event that began the session, EventURL its page.
	Event, EventURL string
	PremiumRequests float64
	// Code and Problem say why it failed.
	Code, Problem string
}

// Pull is a pull request.
type Pull struct {
	// ID is the database id, Node the id for GraphQL.
	ID   int64
	Node string
	// Repository is "owner/name".
	Repository  string
	Number      int
	Title, Body string
	URL         string
	// State is "open", "closed" or "merged".
	State string
	Draft bool
	// Head is the branch with the work, Base the one that it goes to.
	Head, Base string
	Checks     Checks
	Updated    time.Time
}

// Checks counts the checks of the newest commit of a pull request by their state.
type Checks struct{ Passed, Failed, Pending int }

// Comment is a comment on a pull request.
type Comment struct {
	ID      int64
	URL     string
	Author  string
	Body    string
	Created time.Time
}

// Repository is a repository as the service describes it.
type Repository struct {
	// Name is "owner/name", Default the name of its default branch.
	Name, Default string
}

// Log is the log of a session, which only grows.
type Log struct {
	// Text is the whole log: lines of server-sent events. It is nil if it has not changed.
	Text []byte
	// Tag identifies the content for the next request; empty if the service gives none.
	Tag string
	// Unchanged reports whether the service answered that the log is still the one with the tag of the request.
	Unchanged bool
}
