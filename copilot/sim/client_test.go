package sim

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"parley/copilot/sim/script"
)

// fakeClock is a clock whose sleeps pass at once and are remembered.
type fakeClock struct {
	mu    sync.Mutex
	now   time.Time
	slept []time.Duration
}

func newFakeClock() *fakeClock {
	return &fakeClock{now: time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)}
}

func (c *fakeClock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *fakeClock) Sleep(ctx context.Context, d time.Duration) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
	c.slept = append(c.slept, d)
	return ctx.Err()
}

// start runs a server on a fake clock until the test ends.
func start(t *testing.T, o Options) *Server {
	t.Helper()
	if o.Clock == nil {
		o.Clock = newFakeClock()
	}
	s, err := Start(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		http.DefaultClient.CloseIdleConnections()
	})
	return s
}

// parseScript parses a script of a test.
func parseScript(t *testing.T, text string) *script.Script {
	t.Helper()
	sc, err := script.Parse(strings.NewReader(text), "test.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return sc
}

// reply is a response read to its end.
type reply struct {
	status int
	header http.Header
	body   string
	err    error // of reading the body
	events []event
}

// event is one server-sent event.
type event struct {
	name string
	data string
}

// request makes an authenticated request.
func request(t *testing.T, s *Server, method, path, body string) *http.Request {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, s.CopilotURL()+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+s.Token())
	r.Header.Set("Copilot-Integration-Id", "parley-test")
	r.Header.Set("User-Agent", "parley-test/1")
	return r
}

// do sends r and reads the whole answer. A failure before the header is in err.
func do(t *testing.T, r *http.Request) reply {
	t.Helper()
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		return reply{err: err}
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	return reply{status: resp.StatusCode, header: resp.Header, body: string(data), err: err, events: parseEvents(data)}
}

func get(t *testing.T, s *Server, path string) reply {
	t.Helper()
	return do(t, request(t, s, http.MethodGet, path, ""))
}

func post(t *testing.T, s *Server, body string) reply {
	t.Helper()
	return do(t, request(t, s, http.MethodPost, "/v1/messages", body))
}

// parseEvents is a plain reader of server-sent events.
func parseEvents(data []byte) []event {
	var out []event
	ev := event{}
	sc := bufio.NewScanner(bytes.NewReader(data))
	sc.Buffer(nil, 16<<20)
	for sc.Scan() {
		line := sc.Text()
		switch {
		case line == "":
			if ev != (event{}) {
				out = append(out, ev)
			}
			ev = event{}
		case strings.HasPrefix(line, "event: "):
			ev.name = line[len("event: "):]
		case strings.HasPrefix(line, "data: "):
			ev.data = line[len("data: "):]
		}
	}
	return out
}

// text joins the text deltas of a stream.
func (r reply) text() string { return r.joined("text_delta", "text") }

func (r reply) joined(kind, field string) string {
	var b strings.Builder
	for _, ev := range r.events {
		var d struct {
			Delta map[string]any `json:"delta"`
		}
		if json.Unmarshal([]byte(ev.data), &d) == nil && d.Delta["type"] == kind {
			b.WriteString(d.Delta[field].(string))
		}
	}
	return b.String()
}

// names lists the event names, with runs of deltas and pings left out.
func (r reply) names() string {
	var out []string
	for _, ev := range r.events {
		if ev.name == "ping" || len(out) > 0 && out[len(out)-1] == ev.name {
			continue
		}
		out = append(out, ev.name)
	}
	return strings.Join(out, " ")
}

// object decodes a JSON body.
func (r reply) object(t *testing.T) map[string]any {
	t.Helper()
	var v map[string]any
	if err := json.Unmarshal([]byte(r.body), &v); err != nil {
		t.Fatalf("body is not JSON: %v\n%s", err, r.body)
	}
	return v
}

// ask is the body of a streaming request with one prompt.
func ask(prompt string) string {
	return string(mustJSON(map[string]any{"model": "claude-sonnet-5", "max_tokens": 1000, "stream": true,
		"messages": []any{map[string]any{"role": "user", "content": prompt}}}))
}

// dig walks into decoded JSON.
func dig(v any, path ...any) any {
	for _, p := range path {
		switch p := p.(type) {
		case string:
			m, _ := v.(map[string]any)
			v = m[p]
		case int:
			l, _ := v.([]any)
			if p >= len(l) {
				return nil
			}
			v = l[p]
		}
	}
	return v
}
