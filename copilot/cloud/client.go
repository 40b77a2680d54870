package cloud

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"parley/copilot"
)

// apiVersion is the version of the Copilot API with the cloud agent.
const apiVersion = "2026-01-09"

// maxLog bounds a log, in bytes.
const maxLog = 256 << 20

// pageSize is the number of sessions in a page.
const pageSize = 50

// The operations of errors.
const (
	opStart    = "start the task"
	opJob      = "read the job"
	opList     = "list tasks"
	opSession  = "read the task"
	opLog      = "read the task's log"
	opPulls    = "read the pull request"
	opComment  = "comment on the pull request"
	opComments = "read the comments"
	opRepo     = "read the repository"
)

// Client talks to the service. It is safe for concurrent use.
type Client struct{ api *copilot.Client }

// New returns a client that uses the credential and the endpoint of another.
func New(api *copilot.Client) *Client { return &Client{api} }

// Start starts a job. Its pull request is usually not there yet; [Client.Job] has it later.
func (c *Client) Start(ctx context.Context, n NewJob) (Job, error) {
	in := map[string]any{"problem_statement": n.Problem, "event_type": "gh_cli"}
	if n.Agent != "" {
		in["custom_agent"] = n.Agent
	}
	if n.Base != "" {
		in["pull_request"] = map[string]any{"base_ref": "refs/heads/" + n.Base}
	}
	body, err := json.Marshal(in)
	if err != nil {
		return Job{}, &copilot.Error{Op: opStart, Kind: copilot.KindBadRequest, Err: err}
	}
	return c.job(ctx, copilot.Call{Op: opStart, Method: http.MethodPost, Path: "/agents/swe/v1/jobs/" + url.PathEscape(n.Owner) + "/" + url.PathEscape(n.Repo), Body: body})
}

// Job returns a job by its id.
func (c *Client) Job(ctx context.Context, owner, repo, id string) (Job, error) {
	return c.job(ctx, copilot.Call{Op: opJob, Method: http.MethodGet,
		Path: "/agents/swe/v1/jobs/" + url.PathEscape(owner) + "/" + url.PathEscape(repo) + "/" + url.PathEscape(id)})
}

func (c *Client) job(ctx context.Context, r copilot.Call) (Job, error) {
	var w wireJob
	if err := c.get(ctx, r, &w); err != nil {
		return Job{}, err
	}
	if w.ID == "" {
		return Job{}, malformed(r.Op, errors.New("the job has no id"))
	}
	return w.job(), nil
}

// Sessions returns a page of the viewer's sessions, counted from 1, most recently updated first. A page with fewer than
// [pageSize] is the last one.
func (c *Client) Sessions(ctx context.Context, page int) ([]Session, error) {
	q := url.Values{"page_size": {strconv.Itoa(pageSize)}, "page_number": {strconv.Itoa(page)}, "sort": {"last_updated_at,desc"}}
	var list struct {
		Sessions []wireSession `json:"sessions"`
	}
	if err := c.get(ctx, copilot.Call{Op: opList, Method: http.MethodGet, Path: "/agents/sessions?" + q.Encode()}, &list); err != nil {
		return nil, err
	}
	out := make([]Session, 0, len(list.Sessions))
	for _, w := range list.Sessions {
		out = append(out, w.session())
	}
	return out, nil
}

// Session returns a session by its id.
func (c *Client) Session(ctx context.Context, id string) (Session, error) {
	var w wireSession
	if err := c.get(ctx, copilot.Call{Op: opSession, Method: http.MethodGet, Path: "/agents/sessions/" + url.PathEscape(id)}, &w); err != nil {
		return Session{}, err
	}
	return w.session(), nil
}

// SessionsOf returns the sessions of a pull request, by its database id, most recently updated first. Only their ids, names,
// states and times of change are known.
func (c *Client) SessionsOf(ctx context.Context, pull int64) ([]Session, error) {
	var w wireResource
	if err := c.get(ctx, copilot.Call{Op: opList, Method: http.MethodGet, Path: fmt.Sprintf("/agents/resource/pull/%d", pull)}, &w); err != nil {
		return nil, err
	}
	out := make([]Session, 0, len(w.Sessions))
	for _, s := range w.Sessions {
		one := Session{ID: s.ID, Name: s.Name, State: State(s.State), User: w.User, Resource: w.Resource, Node: w.Node}
		if s.Updated != 0 {
			one.Updated = time.Unix(s.Updated, 0).UTC()
		}
		out = append(out, one)
	}
	return out, nil
}

// Log returns the log of a session. With the tag of an earlier log, one that has not grown is only reported as unchanged.
func (c *Client) Log(ctx context.Context, id, tag string) (Log, error) {
	r := copilot.Call{Op: opLog, Method: http.MethodGet, Path: "/agents/sessions/" + url.PathEscape(id) + "/logs", Header: header(), Limit: maxLog}
	if tag != "" {
		r.Header.Set("If-None-Match", tag)
	}
	r.Header.Set("Accept", "*/*")
	a, err := c.api.Call(ctx, r)
	if err != nil {
		return Log{}, err
	}
	if a.Status == http.StatusNotModified {
		return Log{Tag: tag, Unchanged: true}, nil
	}
	return Log{Text: a.Body, Tag: a.Header.Get("ETag")}, nil
}

// header is added to every request to the Copilot API.
func header() http.Header { return http.Header{"X-Github-Api-Version": {apiVersion}} }

// get sends a request and decodes the answer.
func (c *Client) get(ctx context.Context, r copilot.Call, into any) error {
	r.Header = header()
	a, err := c.api.Call(ctx, r)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(a.Body, into); err != nil {
		return malformed(r.Op, err)
	}
	return nil
}

// malformed returns the error for an answer that cannot be decoded.
func malformed(op string, err error) error {
	return &copilot.Error{Op: op, Kind: copilot.KindProtocol, Status: http.StatusOK, Err: fmt.Errorf("the service sent something else than expected: %w", err)}
}
