package cloud

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"parley/internal/lazyregexp"
)

// The viewer's ids.
const (
	viewerID = 583231
	userNode = "U_kgDOAAjmPw"
)

// repo is a repository. Every name exists.
type repo struct {
	id, owner int64
	name      string // owner/name
	branch    string // the default branch
	numbers   int    // of pull requests so far
}

// job is a request for a session.
type job struct {
	id      string
	work    *work
	repo    *repo
	problem string
	agent   string
	base    string
	event   string
}

// work is a session.
type work struct {
	id, name string
	problem  string
	repo     *repo
	pull     *pull // nil until there is one
	base     string
	plan     Plan
	created  time.Time
	event    string
	eventURL string
	run      int64

	state   string
	entries int
	updated time.Time
	ended   time.Time // zero while it works
	log     []byte
	written int // entries in log
}

// repository returns a repository by its name. The lock is held.
func (s *Service) repository(owner, name string) *repo {
	key := strings.ToLower(owner + "/" + name)
	r := s.repos[key]
	if r == nil {
		r = &repo{id: s.id(), owner: s.id(), name: owner + "/" + name, branch: "main"}
		s.repos[key] = r
	}
	return r
}

func (s *Service) id() int64 {
	s.next++
	return s.next
}

// settle brings everything up to the present. The lock is held.
func (s *Service) settle() {
	now := s.now()
	for _, w := range s.sessions {
		if !w.ended.IsZero() {
			continue
		}
		state, entries, pull := w.plan.progress(now.Sub(w.created))
		if state != w.state || entries != w.entries {
			w.updated = now
		}
		w.state, w.entries = state, entries
		if pull && w.pull == nil {
			w.pull = s.openPull(w, now)
		}
		if state != stateQueued && state != stateInProgress {
			w.ended = w.created.Add(w.plan.Queued + w.plan.duration())
			w.updated = w.ended
			if w.pull != nil {
				w.pull.finish(w)
			}
		}
	}
}

// start begins a session. The lock is held.
func (s *Service) start(r *repo, problem, base, event, eventURL string, p *pull) *work {
	w := &work{id: uuid(), name: firstLine(problem), problem: problem, repo: r, pull: p, base: base, plan: s.o.Plan(problem), created: s.now(),
		event: event, eventURL: eventURL, run: s.id(), state: stateQueued}
	if w.plan.Entries == nil {
		title := w.name
		if p != nil {
			title = p.title
		}
		w.plan.Entries = ordinary(r.name, problem, title, w.created)
	}
	w.updated = w.created
	s.sessions = append(s.sessions, w)
	return w
}

var plainName = lazyregexp.New(`^[A-Za-z0-9_.-]+$`)

func (s *Service) createJob(owner, name string, body []byte) Answer {
	var in struct {
		Problem string `json:"problem_statement"`
		Agent   string `json:"custom_agent"`
		Event   string `json:"event_type"`
		Pull    struct {
			Base string `json:"base_ref"`
		} `json:"pull_request"`
	}
	switch err := json.Unmarshal(body, &in); {
	case err != nil:
		return refuse(http.StatusBadRequest, "the body is not JSON")
	case strings.TrimSpace(in.Problem) == "":
		return refuse(http.StatusUnprocessableEntity, "problem_statement is required")
	case !plainName.MatchString(owner) || !plainName.MatchString(name):
		return refuse(http.StatusNotFound, "repository not found")
	case name == "no-agent":
		return refuse(http.StatusForbidden, "Copilot coding agent is not enabled for this repository")
	}
	base, ok := strings.CutPrefix(in.Pull.Base, "refs/heads/")
	if in.Pull.Base != "" && !ok {
		return refuse(http.StatusUnprocessableEntity, "base_ref must begin with refs/heads/")
	}
	if base == "no-such-branch" {
		return refuse(http.StatusUnprocessableEntity, "base_ref does not exist")
	}
	r := s.repository(owner, name)
	j := &job{id: uuid(), repo: r, problem: in.Problem, agent: in.Agent, base: base, event: in.Event}
	if base == "" {
		base = r.branch
	}
	j.work = s.start(r, in.Problem, base, in.Event, "", nil)
	s.jobs = append(s.jobs, j)
	return encode(http.StatusCreated, s.describeJob(j))
}

func (s *Service) getJob(owner, name, id string) Answer {
	for _, j := range s.jobs {
		if j.id == id && strings.EqualFold(j.repo.name, owner+"/"+name) {
			return encode(http.StatusOK, s.describeJob(j))
		}
	}
	return refuse(http.StatusNotFound, "job not found")
}

func (s *Service) describeJob(j *job) map[string]any {
	w := j.work
	out := map[string]any{"job_id": j.id, "session_id": w.id, "problem_statement": j.problem, "event_type": j.event,
		"content_filter_mode": "hidden_characters", "status": w.state, "result": "",
		"actor":      map[string]any{"id": viewerID, "login": s.o.Login},
		"created_at": w.created, "updated_at": w.updated}
	if j.agent != "" {
		out["custom_agent"] = j.agent
	}
	if w.pull != nil {
		out["pull_request"] = map[string]any{"id": w.pull.id, "number": w.pull.number}
		out["workflow_run"] = map[string]any{"id": strconv.FormatInt(w.run, 10)}
	}
	if w.state == stateFailed {
		out["error"] = map[string]any{"message": w.plan.Problem, "response_status_code": "500", "service": "sweagentd"}
	}
	return out
}

func (s *Service) describe(w *work) map[string]any {
	out := map[string]any{"id": w.id, "name": w.name, "user_id": viewerID, "agent_id": 1143301, "logs": "", "state": w.state,
		"owner_id": w.repo.owner, "repo_id": w.repo.id, "resource_type": "", "resource_id": 0, "last_updated_at": w.updated,
		"created_at": w.created, "event_type": w.event, "event_url": w.eventURL, "premium_requests": 0, "workflow_run_id": w.run}
	if w.state != stateQueued {
		out["premium_requests"] = 1
	}
	if w.pull != nil {
		out["resource_type"], out["resource_id"], out["resource_global_id"] = "pull", w.pull.id, w.pull.node()
	}
	if !w.ended.IsZero() {
		out["completed_at"] = w.ended
	}
	if w.state == stateFailed {
		out["error"] = map[string]any{"code": w.plan.Code, "message": w.plan.Problem}
	}
	return out
}

// newest returns the sessions by the time of their last change, newest first.
func (s *Service) newest() []*work {
	out := slices.Clone(s.sessions)
	slices.SortStableFunc(out, func(a, b *work) int { return b.updated.Compare(a.updated) })
	return out
}

func (s *Service) listSessions(q url.Values) Answer {
	size, _ := strconv.Atoi(q.Get("page_size"))
	page, _ := strconv.Atoi(q.Get("page_number"))
	if size <= 0 || size > 100 {
		size = 30
	}
	all := s.newest()
	from := min(max(page-1, 0)*size, len(all))
	list := []map[string]any{}
	for _, w := range all[from:min(from+size, len(all))] {
		list = append(list, s.describe(w))
	}
	return encode(http.StatusOK, map[string]any{"sessions": list})
}

// find returns a session, nil for an unknown id.
func (s *Service) find(id string) *work {
	for _, w := range s.sessions {
		if w.id == id {
			return w
		}
	}
	return nil
}

func (s *Service) getSession(id string) Answer {
	if w := s.find(id); w != nil {
		return encode(http.StatusOK, s.describe(w))
	}
	return notFound()
}

func (s *Service) getResource(kind, id string) Answer {
	n, _ := strconv.ParseInt(id, 10, 64)
	var p *pull
	for _, known := range s.pulls {
		if known.id == n && kind == "pull" {
			p = known
		}
	}
	if p == nil {
		return notFound()
	}
	list := []map[string]any{}
	var last *work
	for _, w := range s.newest() {
		if w.pull != p {
			continue
		}
		if last == nil {
			last = w
		}
		list = append(list, map[string]any{"id": w.id, "name": w.name, "state": w.state, "last_updated_at": w.updated.Unix()})
	}
	return encode(http.StatusOK, map[string]any{"id": fmt.Sprintf("%s-%d", kind, p.id), "user_id": viewerID, "resource_type": kind,
		"resource_id": p.id, "resource_global_id": p.node(), "session_count": len(list), "last_updated_at": last.updated.Unix(),
		"state": last.state, "resource_state": p.state, "sessions": list})
}

func (s *Service) getLog(id string) Answer {
	w := s.find(id)
	switch {
	case w == nil:
		return notFound()
	case s.o.LogsAt != "":
		return Answer{Status: http.StatusFound, Header: map[string]string{"Location": s.o.LogsAt + "/" + id}}
	}
	return Answer{Status: http.StatusOK, Type: "text/event-stream", Body: w.text()}
}

// LogAt returns the log of a session for the address that [Options.LogsAt] names, nil for an unknown one.
func (s *Service) LogAt(id string) []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.settle()
	if w := s.find(id); w != nil {
		return w.text()
	}
	return nil
}

// text returns the log so far.
func (w *work) text() []byte {
	for ; w.written < w.entries; w.written++ {
		w.log = append(w.log, "data: "+w.plan.Entries[w.written]+"\n\n"...)
	}
	return w.log[:len(w.log):len(w.log)]
}

// firstLine returns the first line of a text, shortened.
func firstLine(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	if runes := []rune(line); len(runes) > 70 {
		return string(runes[:69]) + "…"
	}
	return line
}
