package cloud

import (
	"context"
	"errors"
	"time"

	"parley/copilot/cloud"
	"parley/session"
)

// Service is GitHub's cloud agent with its pull requests, for one login. Implementations are safe for concurrent use.
type Service interface {
	// Start starts a job.
	Start(ctx context.Context, n cloud.NewJob) (cloud.Job, error)
	// Job returns a job of a repository.
	Job(ctx context.Context, owner, repo, id string) (cloud.Job, error)
	// Sessions returns a page of up to fifty sessions of the viewer, counted from 1, most recently updated first.
	Sessions(ctx context.Context, page int) ([]cloud.Session, error)
	// Session returns a session with all its fields.
	Session(ctx context.Context, id string) (cloud.Session, error)
	// SessionsOf returns ids, names and states of the sessions of a pull request.
	SessionsOf(ctx context.Context, pull int64) ([]cloud.Session, error)
	// Log returns the log of a session, or that it has not changed since the one with a tag.
	Log(ctx context.Context, id, tag string) (cloud.Log, error)
	// Pulls returns pull requests by the ids of their nodes, without those that it cannot find.
	Pulls(ctx context.Context, nodes []string) ([]cloud.Pull, error)
	// Comment adds a comment to a pull request.
	Comment(ctx context.Context, p cloud.Pull, body string) (cloud.Comment, error)
	// Comments returns comments on a pull request since a time, oldest first.
	Comments(ctx context.Context, p cloud.Pull, since time.Time) ([]cloud.Comment, error)
	// Repository returns a repository by its name, "owner/name".
	Repository(ctx context.Context, name string) (cloud.Repository, error)
}

// unasked is a service that is not asked.
type unasked struct{}

// errUnasked is the error of every request to it.
var errUnasked error = &session.Error{Op: "ask GitHub", Kind: session.KindUnsupported, Err: errors.New("GitHub is not asked here; open the session in the chat")}

func (unasked) Start(context.Context, cloud.NewJob) (cloud.Job, error) {
	return cloud.Job{}, errUnasked
}

func (unasked) Job(context.Context, string, string, string) (cloud.Job, error) {
	return cloud.Job{}, errUnasked
}

func (unasked) Sessions(context.Context, int) ([]cloud.Session, error) { return nil, errUnasked }

func (unasked) Session(context.Context, string) (cloud.Session, error) {
	return cloud.Session{}, errUnasked
}

func (unasked) SessionsOf(context.Context, int64) ([]cloud.Session, error) { return nil, errUnasked }

func (unasked) Log(context.Context, string, string) (cloud.Log, error) {
	return cloud.Log{}, errUnasked
}

func (unasked) Pulls(context.Context, []string) ([]cloud.Pull, error) { return nil, errUnasked }

func (unasked) Comment(context.Context, cloud.Pull, string) (cloud.Comment, error) {
	return cloud.Comment{}, errUnasked
}

func (unasked) Comments(context.Context, cloud.Pull, time.Time) ([]cloud.Comment, error) {
	return nil, errUnasked
}

func (unasked) Repository(context.Context, string) (cloud.Repository, error) {
	return cloud.Repository{}, errUnasked
}
