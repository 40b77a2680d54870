package copilot

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"parley/copilot/login"
)

// testToken is what must never be seen outside an Authorization header.
const testToken = "gho_0123456789SecretToken"

// patience bounds waiting for something that must happen; a test that reaches it has failed.
const patience = 20 * time.Second

// received is one request as a server got it.
type received struct {
	method, path string
	header       http.Header
	body         []byte
}

// fake is GitHub and Copilot in one server.
type fake struct {
	*httptest.Server
	mu       sync.Mutex
	requests []received
	routes   map[string]http.HandlerFunc
}

// newFake starts a server which answers discovery with itself as the endpoint; other routes are set with on.
func newFake(t testing.TB) *fake {
	t.Helper()
	f := &fake{routes: map[string]http.HandlerFunc{}}
	f.Server = httptest.NewServer(http.HandlerFunc(f.serve))
	t.Cleanup(f.Server.Close)
	f.on("/copilot_internal/user", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintf(w, `{"login":"mona","copilot_plan":"individual","endpoints":{"api":%q}}`, f.URL)
	})
	return f
}

func (f *fake) serve(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	f.mu.Lock()
	f.requests = append(f.requests, received{r.Method, r.URL.Path, r.Header.Clone(), body})
	h := f.routes[r.URL.Path]
	f.mu.Unlock()
	if h == nil {
		http.NotFound(w, r)
		return
	}
	h(w, r)
}

// on sets what a path answers.
func (f *fake) on(path string, h http.HandlerFunc) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.routes[path] = h
}

// got lists the requests to a path so far.
func (f *fake) got(path string) []received {
	f.mu.Lock()
	defer f.mu.Unlock()
	var out []received
	for _, r := range f.requests {
		if r.path == path {
			out = append(out, r)
		}
	}
	return out
}

const (
	pathUser     = "/copilot_internal/user"
	pathModels   = "/models"
	pathMessages = "/v1/messages"
)

// client makes a client that discovers through the fake. change may adjust its options.
func (f *fake) client(t testing.TB, change ...func(*Options)) *Client {
	t.Helper()
	o := Options{
		Credential:   login.Credential{Token: login.NewSecret(testToken), Source: "GH_TOKEN", Host: "github.com"},
		GitHubAPIURL: f.URL,
	}
	for _, c := range change {
		c(&o)
	}
	c, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

// clock is a clock that stands still until told.
type clock struct {
	mu sync.Mutex
	t  time.Time
}

func newClock() *clock { return &clock{t: time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)} }

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.t
}

func (c *clock) advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.t = c.t.Add(d)
}

// await waits for a channel to be closed or to give something.
func await[T any](t testing.TB, ch <-chan T, what string) T {
	t.Helper()
	select {
	case v := <-ch:
		return v
	case <-time.After(patience):
		t.Fatalf("waited in vain for %s", what)
		panic("unreachable")
	}
}

// sse answers with a stream.
func sse(frames ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, strings.Join(frames, ""))
	}
}

// answer answers with a status and a body.
func answer(status int, contentType, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", contentType)
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

// inTurn answers with one handler after the other; the last one stays.
func inTurn(handlers ...http.HandlerFunc) http.HandlerFunc {
	var mu sync.Mutex
	n := 0
	return func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		h := handlers[min(n, len(handlers)-1)]
		n++
		mu.Unlock()
		h(w, r)
	}
}

// frame writes an event the way the service does.
func frame(event, data string) string { return "event: " + event + "\ndata: " + data + "\n\n" }

const (
	frameStart = "event: message_start\ndata: {\"type\":\"message_start\",\"message\":{\"id\":\"msg_1\"," +
		"\"model\":\"claude-opus-4-6\",\"usage\":{\"input_tokens\":7}}}\n\n"
	frameStop = "event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n"
)

// delta is a frame of text.
func delta(text string) string {
	return frame("content_block_delta",
		fmt.Sprintf(`{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":%q}}`, text))
}

// drain reads a stream to its end and returns the events' names and the error other than io.EOF.
func drain(s *Stream) ([]string, error) {
	var names []string
	for {
		f, err := s.Next()
		if err == io.EOF {
			return names, nil
		}
		if err != nil {
			return names, err
		}
		names = append(names, f.Event)
	}
}

func noEnv(string) string { return "" }
