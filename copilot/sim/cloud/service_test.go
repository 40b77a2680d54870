package cloud

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"
)

// client sends requests to a service whose clock is stopped.
type client struct {
	t *testing.T
	s *Service
}

func newClient(t *testing.T, o Options) client {
	o.Frozen, o.Now = true, func() time.Time { return time.Unix(1790000000, 0) }
	return client{t, New(o)}
}

// call returns the answer, and its body as an object.
func (c client) call(method, path, body string, header ...string) (Answer, map[string]any) {
	c.t.Helper()
	u, err := url.Parse(path)
	if err != nil {
		c.t.Fatal(err)
	}
	h := http.Header{"Copilot-Integration-Id": {"test"}}
	for i := 0; i+1 < len(header); i += 2 {
		h.Set(header[i], header[i+1])
	}
	a := c.s.Answer(Request{Method: method, Path: u.Path, Query: u.Query(), Header: h, Body: []byte(body)})
	out := map[string]any{}
	_ = json.Unmarshal(a.Body, &out) // a log is not an object
	return a, out
}

func (c client) start(problem string) (session string) {
	c.t.Helper()
	a, job := c.call("POST", "/agents/swe/v1/jobs/o/r", `{"problem_statement":`+quoted(problem)+`,"event_type":"gh_cli"}`)
	if a.Status != http.StatusCreated || job["status"] != "queued" || job["pull_request"] != nil {
		c.t.Fatalf("the job is %d %v", a.Status, job)
	}
	return job["session_id"].(string)
}

func quoted(s string) string {
	b, _ := json.Marshal(s)
	return string(b)
}

func TestTaskGoesThroughItsStates(t *testing.T) {
	for problem, end := range map[string]string{
		"do it": "completed", "simulate failed": "failed", "simulate cancelled": "cancelled", "simulate timed out": "timed_out", "simulate waiting": "waiting_for_user",
	} {
		c := newClient(t, Options{})
		id := c.start(problem)
		var states []string
		size := 0
		for range 200 {
			_, session := c.call("GET", "/agents/sessions/"+id, "")
			if state := session["state"].(string); len(states) == 0 || states[len(states)-1] != state {
				states = append(states, state)
			}
			log, _ := c.call("GET", "/agents/sessions/"+id+"/logs", "")
			if len(log.Body) < size {
				t.Fatalf("%s: the log shrank from %d to %d bytes", problem, size, len(log.Body))
			}
			size = len(log.Body)
			c.s.Advance(50 * time.Millisecond)
		}
		if got := strings.Join(states, " "); got != "queued in_progress "+end || size == 0 {
			t.Errorf("%s: states %q, a log of %d bytes", problem, got, size)
		}
	}
}

func TestAnswersAreConditional(t *testing.T) {
	c := newClient(t, Options{})
	path := "/agents/sessions/" + c.start("do it") + "/logs"
	c.s.Advance(time.Second)
	first, _ := c.call("GET", path, "")
	again, _ := c.call("GET", path, "", "If-None-Match", first.Header["ETag"])
	if again.Status != http.StatusNotModified || len(again.Body) > 0 {
		t.Errorf("unchanged: %d with %d bytes", again.Status, len(again.Body))
	}
	c.s.Advance(time.Second)
	if a, _ := c.call("GET", path, "", "If-None-Match", first.Header["ETag"]); a.Status != http.StatusOK || len(a.Body) <= len(first.Body) {
		t.Errorf("grown: %d with %d bytes after %d", a.Status, len(a.Body), len(first.Body))
	}
}

func TestCommentBeginsAnotherSession(t *testing.T) {
	c := newClient(t, Options{})
	c.start("do it")
	c.s.Advance(time.Minute)
	if a, _ := c.call("POST", "/repos/o/r/issues/1/comments", `{"body":"nice"}`); a.Status != http.StatusCreated {
		t.Fatalf("a comment: %d", a.Status)
	}
	if a, _ := c.call("POST", "/repos/o/r/issues/1/comments", `{"body":"@copilot and a test"}`); a.Status != http.StatusCreated {
		t.Fatalf("a comment: %d", a.Status)
	}
	_, list := c.call("GET", "/agents/sessions?page_size=1&page_number=1", "")
	newest := list["sessions"].([]any)[0].(map[string]any)
	_, resource := c.call("GET", "/agents/resource/pull/"+c.s.pulls[0].idText(), "")
	if newest["name"] != "and a test" || resource["session_count"] != 2.0 {
		t.Errorf("the newest session is %v, %v of them", newest["name"], resource["session_count"])
	}
}

// idText returns the id as it is written in a path.
func (p *pull) idText() string {
	b, _ := json.Marshal(p.id)
	return string(b)
}

func TestGraphQLReturnsWhatIsAskedFor(t *testing.T) {
	c := newClient(t, Options{})
	c.start("do it")
	c.s.Advance(time.Minute)
	c.call("GET", "/user", "")
	ask := func(query string) string {
		a, _ := c.call("POST", "/graphql", `{"query":`+quoted(query)+`,"variables":{"ids":["`+c.s.pulls[0].node()+`","U_kgDOAAjmPw","unknown"],"n":1}}`)
		return string(a.Body)
	}
	for query, want := range map[string]string{
		`query Q($ids:[ID!]!){nodes(ids: $ids){__typename ... on PullRequest{number,isDraft} ... on User{login}}}`: `{"data":{"nodes":[{"__typename":"PullRequest","isDraft":true,"number":1},{"__typename":"User","login":"sim-user"},null]}}`,
		`{repository(owner:"o",name:"r"){pullRequest(number:$n){state: state fullDatabaseId}}}`:                    `{"data":{"repository":{"pullRequest":{"fullDatabaseId":"` + c.s.pulls[0].idText() + `","state":"OPEN"}}}}`,
		`{viewer{shoeSize}}`: `{"errors":[{"message":"Field 'shoeSize' doesn't exist on type 'User'"}]}`,
		`{viewer}`:           `{"errors":[{"message":"Field of type User must have a selection of subfields"}]}`,
		`{viewer{login`:      `{"errors":[{"message":"Unexpected end of document"}]}`,
	} {
		if got := ask(query); got != want {
			t.Errorf("%s:\n got %s\nwant %s", query, got, want)
		}
	}
	checks := ask(`{nodes(ids:$ids){... on PullRequest{commits(last:1){nodes{commit{statusCheckRollup{contexts(first:100){checkRunCountsByState{state count}}}}}}}}}`)
	if !strings.Contains(checks, `[{"count":3,"state":"SUCCESS"}]`) {
		t.Errorf("the checks are %s", checks)
	}
}

func FuzzGraphQL(f *testing.F) {
	f.Add(`query Q($ids:[ID!]!){nodes(ids: ["a", $ids]){__typename ... on User{login(x:"\"")}}}`)
	f.Add(strings.Repeat("{a", 100))
	c := New(Options{})
	f.Fuzz(func(t *testing.T, query string) {
		if a := c.Answer(Request{Method: "POST", Path: "/graphql", Body: []byte(`{"query":` + quoted(query) + `}`)}); !json.Valid(a.Body) {
			t.Errorf("the answer is %q", a.Body)
		}
	})
}
