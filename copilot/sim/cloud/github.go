package cloud

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// pull is a pull request.
type pull struct {
	id       int64
	number   int
	repo     *repo
	title    string
	body     string
	draft    bool
	state    string // "open", "closed" or "merged"
	head     string
	base     string
	created  time.Time
	updated  time.Time
	comments []comment

	checksFrom time.Time // when the checks began; zero before
	checks     time.Duration
	failing    int
}

// comment is a comment on a pull request.
type comment struct {
	id      int64
	author  string
	body    string
	created time.Time
}

// checkCount is the number of checks of a pull request.
const checkCount = 3

// node returns the id for GraphQL, in the form that GitHub uses: a list of numbers in MessagePack.
func (p *pull) node() string { return "PR_" + nodeID(p.repo.id, p.id) }

// nodeID encodes the numbers of a node.
func nodeID(numbers ...int64) string {
	buf := []byte{0x90 | byte(len(numbers)+1), 0}
	for _, n := range numbers {
		switch {
		case n < 1<<7:
			buf = append(buf, byte(n))
		case n < 1<<8:
			buf = append(buf, 0xcc, byte(n))
		case n < 1<<16:
			buf = append(buf, 0xcd, byte(n>>8), byte(n))
		default:
			buf = append(buf, 0xce, byte(n>>24), byte(n>>16), byte(n>>8), byte(n))
		}
	}
	return base64.RawURLEncoding.EncodeToString(buf)
}

func (p *pull) url(web string) string {
	return fmt.Sprintf("%s/%s/pull/%d", web, p.repo.name, p.number)
}

// openPull opens the pull request of a session. The lock is held.
func (s *Service) openPull(w *work, now time.Time) *pull {
	w.repo.numbers++
	p := &pull{id: 2_900_000_000 + s.id(), number: w.repo.numbers, repo: w.repo, title: "[WIP] " + w.name, draft: true, state: "open",
		head: "copilot/" + slug(w.name), base: w.base, created: now, updated: now}
	p.body = "Thanks for asking me to work on this.\n\n<!-- START COPILOT CODING AGENT SUFFIX -->\n\n<details>\n\n<summary>Original prompt</summary>\n\n> " +
		strings.ReplaceAll(strings.TrimSpace(w.problem), "\n", "\n> ") + "\n\n</details>\n"
	s.pulls = append(s.pulls, p)
	return p
}

// finish records the end of a session in its pull request.
func (p *pull) finish(w *work) {
	p.updated = w.ended
	if w.state != stateCompleted {
		return
	}
	p.title = strings.TrimPrefix(p.title, "[WIP] ")
	p.checksFrom, p.checks, p.failing = w.ended, w.plan.Checks, w.plan.FailedChecks
}

// counts returns the numbers of checks by their state, as GraphQL names them.
func (p *pull) counts(now time.Time) []any {
	count := func(state string, n int) any {
		return object{"__typename": "CheckRunStateCount", "state": state, "count": n}
	}
	switch {
	case p.checksFrom.IsZero():
		return []any{}
	case now.Sub(p.checksFrom) < p.checks:
		return []any{count("IN_PROGRESS", checkCount-1), count("QUEUED", 1)}
	case p.failing > 0:
		return []any{count("FAILURE", p.failing), count("SUCCESS", checkCount-p.failing)}
	}
	return []any{count("SUCCESS", checkCount)}
}

// slug returns the words of a name for the name of a branch.
func slug(name string) string {
	words := strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') })
	if len(words) == 0 {
		return "fix"
	}
	return strings.Join(words[:min(len(words), 6)], "-")
}

// rest answers GitHub's REST API for a repository.
func (s *Service) rest(r Request, owner, name string, part []string) Answer {
	if !plainName.MatchString(owner) || !plainName.MatchString(name) || name == "no-such-repo" {
		return notFound()
	}
	repo := s.repository(owner, name)
	path := strings.Join(part, "/")
	switch {
	case path == "" && r.Method == http.MethodGet:
		return encode(http.StatusOK, map[string]any{"id": repo.id, "name": name, "full_name": repo.name, "default_branch": repo.branch, "private": false})
	case len(part) == 3 && part[0] == "issues" && part[2] == "comments":
		p := s.pullNumber(repo, part[1])
		switch {
		case p == nil:
			return notFound()
		case r.Method == http.MethodGet:
			return s.listComments(p)
		case r.Method == http.MethodPost:
			return s.addComment(p, r.Body)
		}
	}
	return notFound()
}

func (s *Service) pullNumber(r *repo, number string) *pull {
	n, _ := strconv.Atoi(number)
	for _, p := range s.pulls {
		if p.repo == r && p.number == n {
			return p
		}
	}
	return nil
}

func (s *Service) describeComment(p *pull, c comment) map[string]any {
	return map[string]any{"id": c.id, "body": c.body, "created_at": c.created, "updated_at": c.created,
		"html_url": fmt.Sprintf("%s#issuecomment-%d", p.url(s.o.Web), c.id), "user": map[string]any{"login": c.author, "id": viewerID}}
}

func (s *Service) listComments(p *pull) Answer {
	list := []map[string]any{}
	for _, c := range p.comments {
		list = append(list, s.describeComment(p, c))
	}
	return encode(http.StatusOK, list)
}

// addComment adds a comment, which begins another session if it mentions the agent.
func (s *Service) addComment(p *pull, body []byte) Answer {
	var in struct{ Body string }
	if json.Unmarshal(body, &in) != nil || strings.TrimSpace(in.Body) == "" {
		return encode(http.StatusUnprocessableEntity, map[string]any{"message": "Validation Failed"})
	}
	c := comment{id: s.id(), author: s.o.Login, body: in.Body, created: s.now()}
	p.comments = append(p.comments, c)
	p.updated = c.created
	described := s.describeComment(p, c)
	if rest, ok := strings.CutPrefix(strings.TrimSpace(in.Body), "@copilot"); ok {
		s.start(p.repo, strings.TrimSpace(rest), p.base, "issue_comment", described["html_url"].(string), p)
	}
	return encode(http.StatusCreated, described)
}
