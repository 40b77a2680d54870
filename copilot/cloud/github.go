package cloud

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/cli/go-gh/v2/pkg/api"

	"parley/copilot"
)

// batch is the number of pull requests that one query asks for.
const batch = 50

// pullQuery asks for pull requests by the ids of their nodes.
const pullQuery = `query PullRequestsOfTasks($ids: [ID!]!) {
  nodes(ids: $ids) {
    __typename
    ... on PullRequest {
      id fullDatabaseId number title state url body isDraft headRefName baseRefName updatedAt
      repository { nameWithOwner }
      commits(last: 1) { nodes { commit { statusCheckRollup { contexts(first: 1) {
        checkRunCountsByState { state count }
        statusContextCountsByState { state count }
      } } } } }
    }
  }
}`

// wirePull is a pull request as GraphQL returns it.
type wirePull struct {
	Type       string    `json:"__typename"`
	Node       string    `json:"id"`
	ID         string    `json:"fullDatabaseId"`
	Number     int       `json:"number"`
	Title      string    `json:"title"`
	State      string    `json:"state"`
	URL        string    `json:"url"`
	Body       string    `json:"body"`
	Draft      bool      `json:"isDraft"`
	Head       string    `json:"headRefName"`
	Base       string    `json:"baseRefName"`
	Updated    time.Time `json:"updatedAt"`
	Repository struct {
		Name string `json:"nameWithOwner"`
	} `json:"repository"`
	Commits struct {
		Nodes []struct {
			Commit struct {
				Rollup struct {
					Contexts struct {
						Runs     []wireCount `json:"checkRunCountsByState"`
						Statuses []wireCount `json:"statusContextCountsByState"`
					} `json:"contexts"`
				} `json:"statusCheckRollup"`
			} `json:"commit"`
		} `json:"nodes"`
	} `json:"commits"`
}

// wireCount is the number of checks in a state.
type wireCount struct {
	State string `json:"state"`
	Count int    `json:"count"`
}

// pull returns the pull request as a plain value.
func (w wirePull) pull() Pull {
	id, _ := strconv.ParseInt(w.ID, 10, 64)
	p := Pull{ID: id, Node: w.Node, Repository: w.Repository.Name, Number: w.Number, Title: w.Title, Body: w.Body, URL: w.URL,
		State: strings.ToLower(w.State), Draft: w.Draft, Head: w.Head, Base: w.Base, Updated: w.Updated}
	for _, n := range w.Commits.Nodes {
		c := n.Commit.Rollup.Contexts
		for _, count := range append(c.Runs, c.Statuses...) {
			switch count.State {
			case "SUCCESS", "NEUTRAL", "SKIPPED":
				p.Checks.Passed += count.Count
			case "FAILURE", "ERROR", "ACTION_REQUIRED", "CANCELLED", "STARTUP_FAILURE", "TIMED_OUT", "STALE":
				p.Checks.Failed += count.Count
			default:
				p.Checks.Pending += count.Count
			}
		}
	}
	return p
}

// Pulls returns pull requests by the ids of their nodes, with their checks. Unknown ones, and those that the token may not
// see, are left out.
func (c *Client) Pulls(ctx context.Context, nodes []string) ([]Pull, error) {
	var out []Pull
	for len(nodes) > 0 {
		part := nodes[:min(batch, len(nodes))]
		nodes = nodes[len(part):]
		var answer struct{ Nodes []wirePull }
		err := c.onGitHub(ctx, opPulls, func(o api.ClientOptions) error {
			client, err := api.NewGraphQLClient(o)
			if err != nil {
				return err
			}
			err = client.DoWithContext(ctx, pullQuery, map[string]any{"ids": part}, &answer)
			if partial, ok := errors.AsType[*api.GraphQLError](err); ok && len(answer.Nodes) > 0 && !onlyRefused(partial) {
				err = nil // a node that does not exist any more
			}
			return err
		})
		if err != nil {
			return nil, err
		}
		for _, w := range answer.Nodes {
			if w.Type == "PullRequest" {
				out = append(out, w.pull())
			}
		}
	}
	return out, nil
}

// onlyRefused reports whether GitHub refused a whole query.
func onlyRefused(e *api.GraphQLError) bool {
	for _, item := range e.Errors {
		if item.Type == "NOT_FOUND" || len(item.Path) > 0 {
			return false
		}
	}
	return true
}

// wireComment is a comment as the REST API returns it.
type wireComment struct {
	ID      int64     `json:"id"`
	URL     string    `json:"html_url"`
	Body    string    `json:"body"`
	Created time.Time `json:"created_at"`
	User    struct {
		Login string `json:"login"`
	} `json:"user"`
}

func (w wireComment) comment() Comment {
	return Comment{ID: w.ID, URL: w.URL, Author: w.User.Login, Body: w.Body, Created: w.Created}
}

// Comment adds a comment to a pull request.
func (c *Client) Comment(ctx context.Context, p Pull, body string) (Comment, error) {
	var w wireComment
	err := c.rest(ctx, opComment, http.MethodPost, fmt.Sprintf("repos/%s/issues/%d/comments", repoPath(p.Repository), p.Number), map[string]string{"body": body}, &w)
	return w.comment(), err
}

// Comments returns the first hundred comments on a pull request since a time, oldest first.
func (c *Client) Comments(ctx context.Context, p Pull, since time.Time) ([]Comment, error) {
	q := url.Values{"per_page": {"100"}}
	if !since.IsZero() {
		q.Set("since", since.UTC().Format(time.RFC3339))
	}
	var list []wireComment
	err := c.rest(ctx, opComments, http.MethodGet, fmt.Sprintf("repos/%s/issues/%d/comments?%s", repoPath(p.Repository), p.Number, q.Encode()), nil, &list)
	out := make([]Comment, 0, len(list))
	for _, w := range list {
		out = append(out, w.comment())
	}
	return out, err
}

// Repository returns a repository by its name, "owner/name".
func (c *Client) Repository(ctx context.Context, name string) (Repository, error) {
	var w struct {
		Name    string `json:"full_name"`
		Default string `json:"default_branch"`
	}
	err := c.rest(ctx, opRepo, http.MethodGet, "repos/"+repoPath(name), nil, &w)
	return Repository{Name: w.Name, Default: w.Default}, err
}

// repoPath escapes "owner/name" for a path.
func repoPath(name string) string {
	owner, repo, _ := strings.Cut(name, "/")
	return url.PathEscape(owner) + "/" + url.PathEscape(repo)
}

// rest sends a request to the REST API. in is the body, nil for none.
func (c *Client) rest(ctx context.Context, op, method, path string, in, into any) error {
	var body []byte
	if in != nil {
		var err error
		if body, err = json.Marshal(in); err != nil {
			return &copilot.Error{Op: op, Kind: copilot.KindBadRequest, Err: err}
		}
	}
	return c.onGitHub(ctx, op, func(o api.ClientOptions) error {
		client, err := api.NewRESTClient(o)
		if err != nil {
			return err
		}
		return client.DoWithContext(ctx, method, path, bytes.NewReader(body), into)
	})
}

// onGitHub calls do with the options of gh's clients for the current credential, and converts its error.
func (c *Client) onGitHub(ctx context.Context, op string, do func(api.ClientOptions) error) error {
	return c.api.OnGitHub(ctx, func(g copilot.GitHub) error {
		if g.Server {
			return &copilot.Error{Op: op, Kind: copilot.KindForbidden, Err: fmt.Errorf("%s is a GitHub Enterprise Server, which has no cloud agent", g.Host)}
		}
		transport := g.Transport
		if g.Override != "" {
			transport = redirected{g.Override, g.Transport}
		}
		err := do(api.ClientOptions{Host: g.Host, AuthToken: g.Token.Reveal(), Transport: transport, LogIgnoreEnv: true,
			Headers:       map[string]string{"User-Agent": g.UserAgent},
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }})
		if err == nil {
			return nil
		}
		if e, ok := errors.AsType[*api.HTTPError](err); ok {
			return c.api.GitHubError(ctx, op, e.StatusCode, e.Message, e.Headers, nil)
		}
		if e, ok := errors.AsType[*api.GraphQLError](err); ok {
			return &copilot.Error{Op: op, Kind: kindOf(e), Status: http.StatusOK, Message: e.Error()}
		}
		if isDecoding(err) {
			return malformed(op, err)
		}
		return c.api.GitHubError(ctx, op, 0, "", nil, err)
	})
}

// kindOf returns the kind of an error of GraphQL.
func kindOf(e *api.GraphQLError) copilot.Kind {
	for _, item := range e.Errors {
		switch item.Type {
		case "RATE_LIMITED":
			return copilot.KindRateLimit
		case "FORBIDDEN", "INSUFFICIENT_SCOPES", "NOT_FOUND":
			return copilot.KindForbidden
		}
	}
	return copilot.KindServer
}

// isDecoding reports whether an answer could not be decoded.
func isDecoding(err error) bool {
	_, syntax := errors.AsType[*json.SyntaxError](err)
	_, typ := errors.AsType[*json.UnmarshalTypeError](err)
	return syntax || typ
}

// redirected sends the requests of a host to a loopback address in its place.
type redirected struct {
	base string
	next http.RoundTripper
}

// RoundTrip sends one request.
func (t redirected) RoundTrip(r *http.Request) (*http.Response, error) {
	to, err := url.Parse(t.base + r.URL.Path)
	if err != nil {
		return nil, err
	}
	to.RawQuery = r.URL.RawQuery
	out := r.Clone(r.Context())
	out.URL, out.Host = to, to.Host
	return t.next.RoundTrip(out)
}
