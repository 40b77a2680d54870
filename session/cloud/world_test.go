package cloud

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"parley/copilot"
	service "parley/copilot/cloud"
	"parley/copilot/login"
	"parley/copilot/sim/cloud"
	"parley/session"
)

// world is a simulated service without a network, with what this machine keeps. Its clock is that of the test's bubble.
type world struct {
	t     *testing.T
	sim   *cloud.Service
	dir   string
	here  string // the directory of this run
	repo  string // of every directory
	mu    sync.Mutex
	asked []asked
	fail  func(path string) (status int, err error)
}

// asked is a request that the service got.
type asked struct {
	at     time.Time
	method string
	path   string
	status int
}

func newWorld(t *testing.T) *world {
	return &world{t: t, sim: cloud.New(cloud.Options{}), dir: t.TempDir(), here: filepath.FromSlash("/home/me/greet"), repo: "octo/greet"}
}

// RoundTrip answers a request as the service does.
func (w *world) RoundTrip(r *http.Request) (*http.Response, error) {
	var body []byte
	if r.Body != nil {
		var err error
		if body, err = io.ReadAll(r.Body); err != nil {
			return nil, err
		}
	}
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	w.mu.Lock()
	fail := w.fail
	w.mu.Unlock()
	a := cloud.Answer{}
	if fail != nil {
		status, err := fail(r.URL.Path)
		if err != nil {
			return nil, err
		}
		a.Status = status
	}
	if a.Status == 0 {
		a = w.sim.Answer(cloud.Request{Method: r.Method, Path: r.URL.Path, Query: r.URL.Query(), Header: r.Header, Body: body})
	}
	w.mu.Lock()
	w.asked = append(w.asked, asked{time.Now(), r.Method, r.URL.Path, a.Status})
	w.mu.Unlock()
	resp := &http.Response{StatusCode: a.Status, Header: http.Header{}, Body: io.NopCloser(bytes.NewReader(a.Body)), Request: r}
	for k, v := range a.Header {
		resp.Header.Set(k, v)
	}
	return resp, nil
}

// failing makes requests fail from now on: with a status, or an error for a status below 0. A status of 0 answers.
func (w *world) failing(f func(path string) int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.fail = func(path string) (int, error) {
		if status := f(path); status >= 0 {
			return status, nil
		}
		return 0, errors.New("connection refused")
	}
}

// requests returns the requests so far.
func (w *world) requests() []asked {
	w.mu.Lock()
	defer w.mu.Unlock()
	return append([]asked(nil), w.asked...)
}

// kinds are those of the errors of the service that the tests meet.
var kinds = map[copilot.Kind]session.Kind{copilot.KindForbidden: session.KindForbidden, copilot.KindAuth: session.KindAuth,
	copilot.KindNetwork: session.KindNetwork, copilot.KindServer: session.KindServer, copilot.KindCancelled: session.KindCancelled, copilot.KindBadRequest: session.KindBadRequest}

// agent returns the agent of a machine whose state is in a directory of the world.
func (w *world) agent(machine string) *Agent {
	w.t.Helper()
	api, err := copilot.New(copilot.Options{GitHubAPIURL: "http://127.0.0.1:1", CopilotAPIURL: "http://127.0.0.1:1", HTTP: &http.Client{Transport: w},
		Credential: login.Credential{Token: login.NewSecret("gho_" + strings.Repeat("t", 36)), Host: "github.com"}, LoginStamp: func() string { return "" }})
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(api.Close)
	return New(Options{Service: service.New(api), Dir: filepath.Join(w.dir, machine, "data"), Cache: filepath.Join(w.dir, machine, "cache"), Here: w.here,
		Repository: func(context.Context, string) string { return w.repo },
		Error: func(err error) error {
			if e, ok := errors.AsType[*copilot.Error](err); ok {
				return &session.Error{Op: "ask GitHub", Kind: kinds[e.Kind], Err: err, RetryAfter: e.RetryAfter}
			}
			return err
		}})
}

// chat is an open conversation with everything it emitted.
type chat struct {
	session.Conversation
	w      *world
	id     session.ID
	mu     sync.Mutex
	events []session.Event
}

// open opens a conversation, after what is replayed of it.
func (w *world) open(a *Agent, id session.ID, past ...session.Event) *chat {
	w.t.Helper()
	c := &chat{w: w, id: id, events: past}
	var history *session.Transcript
	if len(past) > 0 {
		history = session.Fold(past)
	}
	conv, err := a.Open(w.t.Context(), session.OpenOptions{Session: id, Gen: 1, Dir: w.here, History: history, Emit: func(e session.Event) {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.events = append(c.events, e)
	}})
	if err != nil {
		w.t.Fatal(err)
	}
	c.Conversation = conv
	return c
}

// send delivers a prompt as the manager does, and returns the end of its turn.
func (c *chat) send(ctx context.Context, turn session.TurnID, text string) session.TurnEnded {
	c.w.t.Helper()
	p := session.Prompt{ID: session.PromptID(turn), Text: text}
	c.mu.Lock()
	c.events = append(c.events, session.TurnStarted{Head: session.Head{Session: c.id, Turn: turn, Gen: 1, At: time.Now()}, Prompt: p, Origin: session.OriginUser})
	c.mu.Unlock()
	if err := c.Send(ctx, turn, p, session.OriginUser); err != nil {
		c.w.t.Fatalf("send %q: %v", text, err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, e := range c.events {
		if end, ok := e.(session.TurnEnded); ok && end.Turn == turn {
			return end
		}
	}
	c.w.t.Fatalf("the turn of %q did not end", text)
	return session.TurnEnded{}
}

// transcript folds everything so far.
func (c *chat) transcript() *session.Transcript {
	c.mu.Lock()
	defer c.mu.Unlock()
	return session.Fold(c.events)
}

// seen returns everything so far.
func (c *chat) seen() []session.Event {
	c.mu.Lock()
	defer c.mu.Unlock()
	return append([]session.Event(nil), c.events...)
}

// remotes returns the states that were reported, without repetitions.
func (c *chat) remotes() string {
	var out []string
	for _, e := range c.seen() {
		if r, ok := e.(session.RemoteChanged); ok {
			line := string(r.Remote.State)
			if r.Remote.Pull != nil {
				line += "#" + string(rune('0'+r.Remote.Pull.Number))
			}
			if n := len(out); n == 0 || out[n-1] != line {
				out = append(out, line)
			}
		}
	}
	return strings.Join(out, " ")
}

// close closes the conversation.
func (c *chat) close() {
	c.w.t.Helper()
	if err := c.Close(context.Background()); err != nil {
		c.w.t.Error(err)
	}
}
