package cloud

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"parley/copilot"
	"parley/copilot/login"
	"parley/copilot/sim"
	"parley/copilot/sim/cloud"
	"parley/copilot/sim/script"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// fixture is a simulated service with a fixed clock, and its client.
type fixture struct {
	*sim.Server
	c *Client
}

func newFixture(t *testing.T, o cloud.Options) *fixture {
	t.Helper()
	o.Frozen = true
	s, err := sim.Start(sim.Options{Token: "gho_" + strings.Repeat("t", 36), Cloud: o})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	api, err := copilot.New(copilot.Options{GitHubAPIURL: s.GitHubURL(), Getenv: func(string) string { return "" },
		Credential: login.Credential{Token: login.NewSecret(s.Token()), Source: "GH_TOKEN", Host: "github.com"}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(api.Close)
	return &fixture{s, New(api)}
}

// must returns the value of a call that must not fail.
func must[T any](t *testing.T, v T, err error) T {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestTaskFromJobToComment(t *testing.T) {
	f, ctx := newFixture(t, cloud.Options{}), t.Context()
	v, err := f.c.Start(ctx, NewJob{Owner: "octo", Repo: "greet", Problem: "Greet by name", Base: "develop", Agent: "translator"})
	job := must(t, v, err)
	if job.Status != Queued || job.Session == "" || job.PullNumber != 0 || job.Actor != "sim-user" {
		t.Fatalf("the job is %+v", job)
	}
	f.Cloud().Advance(time.Minute)
	v, err = f.c.Job(ctx, "octo", "greet", job.ID)
	if job = must(t, v, err); job.Status != Completed || job.PullNumber != 1 {
		t.Errorf("the job is %+v", job)
	}
	one, err := f.c.Session(ctx, job.Session)
	s := must(t, one, err)
	if s.State != Completed || s.Name != "Greet by name" || s.Resource == 0 || s.Node == "" || s.PremiumRequests != 1 || s.Completed.IsZero() {
		t.Errorf("the session is %+v", s)
	}
	pulls, err := f.c.Pulls(ctx, []string{s.Node, "PR_unknown"})
	if len(must(t, pulls, err)) != 1 {
		t.Fatalf("the pull requests are %+v", pulls)
	}
	p := pulls[0]
	if p.Repository != "octo/greet" || p.Number != 1 || p.State != "open" || !p.Draft || p.Base != "develop" || p.Head != "copilot/greet-by-name" ||
		p.Checks != (Checks{Passed: 3}) || p.URL != "https://github.com/octo/greet/pull/1" || p.ID != s.Resource {
		t.Errorf("the pull request is %+v", p)
	}
	if got := pullNode(s.Repo, s.Resource); got != s.Node {
		t.Errorf("the node is %s, computed %s", s.Node, got)
	}
	comment, err := f.c.Comment(ctx, p, "@copilot in German, please")
	if c := must(t, comment, err); c.Author != "sim-user" || c.URL == "" {
		t.Errorf("the comment is %+v", c)
	}
	comments, err := f.c.Comments(ctx, p, s.Created)
	if len(must(t, comments, err)) != 1 {
		t.Errorf("the comments are %+v", comments)
	}
	list, err := f.c.SessionsOf(ctx, p.ID)
	if must(t, list, err); len(list) != 2 || list[0].Name != "in German, please" || list[1].ID != s.ID {
		t.Errorf("the sessions of the pull request are %+v", list)
	}
	page, err := f.c.Sessions(ctx, 1)
	if must(t, page, err); len(page) != 2 || page[0].EventURL != comment.URL {
		t.Errorf("the sessions are %+v", page)
	}
	repo, err := f.c.Repository(ctx, "octo/greet")
	if must(t, repo, err) != (Repository{Name: "octo/greet", Default: "main"}) {
		t.Errorf("the repository is %+v", repo)
	}
	if body := string(f.Requests()[1].Body); !strings.Contains(body, `"base_ref":"refs/heads/develop"`) || !strings.Contains(body, `"custom_agent":"translator"`) {
		t.Errorf("the job was asked for with %s", body)
	}
	for _, r := range f.Requests() {
		if strings.HasPrefix(r.Path, "/agents/") && (r.Header.Get("X-GitHub-Api-Version") != apiVersion || r.Header.Get("Copilot-Integration-Id") == "") {
			t.Errorf("%s has the header %v", r.Path, r.Header)
		}
	}
}

func TestLogIsAskedForConditionally(t *testing.T) {
	for _, o := range []cloud.Options{{}, {NoTags: true}} {
		f, ctx := newFixture(t, o), t.Context()
		v, err := f.c.Start(ctx, NewJob{Owner: "octo", Repo: "greet", Problem: "x"})
		id := must(t, v, err).Session
		f.Cloud().Advance(1200 * time.Millisecond)
		l, err := f.c.Log(ctx, id, "")
		first := must(t, l, err)
		l, err = f.c.Log(ctx, id, first.Tag)
		if again := must(t, l, err); again.Unchanged != !o.NoTags || !again.Unchanged && string(again.Text) != string(first.Text) {
			t.Errorf("%+v: the same log is %+v", o, again)
		}
		f.Cloud().Advance(time.Second)
		l, err = f.c.Log(ctx, id, first.Tag)
		if grown := must(t, l, err); !strings.HasPrefix(string(grown.Text), string(first.Text)) || len(grown.Text) == len(first.Text) {
			t.Errorf("%+v: the log did not grow: %d bytes after %d", o, len(grown.Text), len(first.Text))
		}
	}
}

func TestRedirectLeavesTheTokenBehind(t *testing.T) {
	var sim *cloud.Service
	var mu sync.Mutex
	var seen []http.Header
	blobs := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		seen = append(seen, r.Header.Clone())
		if strings.HasPrefix(r.URL.Path, "/loop/") {
			http.Redirect(w, r, r.URL.Path, http.StatusFound)
			return
		}
		_, _ = w.Write(sim.LogAt(strings.TrimPrefix(r.URL.Path, "/")))
	}))
	t.Cleanup(blobs.Close)
	f, ctx := newFixture(t, cloud.Options{LogsAt: blobs.URL}), t.Context()
	sim = f.Cloud()
	v, err := f.c.Start(ctx, NewJob{Owner: "octo", Repo: "greet", Problem: "x"})
	id := must(t, v, err).Session
	f.Cloud().Advance(time.Minute)
	l, err := f.c.Log(ctx, id, "")
	if len(must(t, l, err).Text) == 0 || len(seen) != 1 {
		t.Fatalf("a log of %d bytes after %d requests", len(l.Text), len(seen))
	}
	for name, values := range seen[0] {
		if strings.Contains(strings.Join(values, " "), f.Token()) || name == "Authorization" || name == "Copilot-Integration-Id" {
			t.Errorf("the other host got %s: %s", name, values)
		}
	}
	loop := newFixture(t, cloud.Options{LogsAt: blobs.URL + "/loop"})
	v, err = loop.c.Start(ctx, NewJob{Owner: "octo", Repo: "greet", Problem: "x"})
	if _, err := loop.c.Log(ctx, must(t, v, err).Session, ""); copilot.KindOf(err) != copilot.KindProtocol {
		t.Errorf("redirects without end are %v", err)
	}
}

func TestErrorsSayWhatFailed(t *testing.T) {
	f, ctx := newFixture(t, cloud.Options{}), t.Context()
	start := func(owner, repo, base string) error {
		_, err := f.c.Start(ctx, NewJob{Owner: owner, Repo: repo, Problem: "x", Base: base})
		return err
	}
	session := func() error { _, err := f.c.Session(ctx, "unknown"); return err }
	repo := func() error { _, err := f.c.Repository(ctx, "octo/no-such-repo"); return err }
	pulls := func() error { _, err := f.c.Pulls(ctx, []string{"PR_x"}); return err }
	fault := func(route string, status int, body string) {
		if err := f.Inject(script.Fault{Kind: script.FaultStatus, Status: status, Route: route, Body: body, Times: 3}); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		what, route, body string
		status            int
		do                func() error
		kind              copilot.Kind
		text              string
	}{
		{what: "forbidden", do: func() error { return start("octo", "no-agent", "") }, kind: copilot.KindForbidden, text: "Copilot coding agent is not enabled"},
		{what: "a bad branch", do: func() error { return start("octo", "greet", "no-such-branch") }, kind: copilot.KindBadRequest, text: "start the task failed: 422 Unprocessable Entity: base_ref does not exist"},
		{what: "unknown", do: session, kind: copilot.KindBadRequest, text: "404 Not Found"},
		{what: "a hidden repository", do: repo, kind: copilot.KindForbidden, text: "read the repository failed: 404 Not Found"},
		{what: "no JSON", route: "/agents/sessions/unknown", status: 401, do: session, kind: copilot.KindAuth, text: "401"},
		{what: "an echo", route: "/graphql", status: 500, body: `{"message":"bad ` + f.Token() + `"}`, do: pulls, kind: copilot.KindServer, text: "read the pull request failed: 500"},
		{what: "a limit", route: "/repos/*", status: 429, do: repo, kind: copilot.KindRateLimit, text: "429"},
	} {
		if c.status != 0 {
			fault(c.route, c.status, c.body)
		}
		err := c.do()
		if copilot.KindOf(err) != c.kind || !strings.Contains(err.Error(), c.text) || strings.Contains(err.Error(), f.Token()) {
			t.Errorf("%s: %q of kind %q, want %q of kind %q", c.what, err, copilot.KindOf(err), c.text, c.kind)
		}
		f.ClearFaults()
	}
	ended, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := f.c.Repository(ended, "octo/greet"); copilot.KindOf(err) != copilot.KindCancelled {
		t.Errorf("after the end of its context: %v", err)
	}
}
