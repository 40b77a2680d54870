package builtin

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"parley/session/builtin/wire"
)

// fakeService is an endpoint that answers requests one after the other as it was told, and keeps what it got.
type fakeService struct {
	t      testing.TB
	server *httptest.Server

	mu      sync.Mutex
	replies []reply
	bodies  []string
	headers []http.Header
	held    chan struct{} // gets one for each reply that hangs
}

// reply writes one answer.
type reply func(w http.ResponseWriter, r *http.Request)

func newService(t testing.TB, replies ...reply) *fakeService {
	s := &fakeService{t: t, replies: replies, held: make(chan struct{}, 1000)}
	s.server = httptest.NewServer(s)
	t.Cleanup(s.server.Close)
	return s
}

func (s *fakeService) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	s.mu.Lock()
	s.bodies = append(s.bodies, string(body))
	s.headers = append(s.headers, r.Header)
	var next reply
	if len(s.replies) > 0 {
		next, s.replies = s.replies[0], s.replies[1:]
	}
	s.mu.Unlock()
	if r.URL.Path != "/v1/messages" || r.Method != http.MethodPost {
		s.t.Errorf("%s %s", r.Method, r.URL)
	}
	if next == nil {
		next = fault(500, `{"type":"error","error":{"type":"api_error","message":"the script is over"}}`)
	}
	next(w, r.WithContext(context.WithValue(r.Context(), bodyKey{}, string(body))))
}

// bodyKey finds the body of a request in its context.
type bodyKey struct{}

func (s *fakeService) add(replies ...reply) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.replies = append(s.replies, replies...)
}

// requests returns the bodies so far.
func (s *fakeService) requests() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string{}, s.bodies...)
}

// messages returns the messages of the n-th request, from 0.
func (s *fakeService) messages(n int) []wire.Message {
	s.t.Helper()
	all := s.requests()
	if n >= len(all) {
		s.t.Fatalf("there were only %d requests", len(all))
	}
	var body struct{ Messages []wire.Message }
	if err := json.Unmarshal([]byte(all[n]), &body); err != nil {
		s.t.Fatal(err)
	}
	return body.Messages
}

// stream answers with frames. The last message delta and stop are the caller's.
func stream(frames ...string) reply {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		io.WriteString(w, strings.Join(frames, ""))
	}
}

// hang answers with frames and then stays silent until the client goes away.
func (s *fakeService) hang(frames ...string) reply {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		io.WriteString(w, strings.Join(frames, ""))
		w.(http.Flusher).Flush()
		s.held <- struct{}{}
		<-r.Context().Done()
	}
}

// fault answers with an error.
func fault(status int, body string, header ...string) reply {
	return func(w http.ResponseWriter, r *http.Request) {
		for i := 0; i+1 < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		w.WriteHeader(status)
		io.WriteString(w, body)
	}
}

// cut answers with frames and then breaks the connection.
func cut(frames ...string) reply {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		io.WriteString(w, strings.Join(frames, ""))
		w.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	}
}

func frame(kind string, fields string) string {
	return fmt.Sprintf("event: %s\ndata: {\"type\":%q%s}\n\n", kind, kind, fields)
}

func start(id string) string {
	return frame("message_start", fmt.Sprintf(`,"message":{"id":%q,"type":"message","role":"assistant","content":[],`+
		`"model":"claude-test","stop_reason":null,"usage":{"input_tokens":10,"cache_read_input_tokens":100,"output_tokens":1}}`, id))
}

func quoted(s string) string {
	b, _ := json.Marshal(s)
	return string(b)
}

func delta(i int, fields string) string {
	return frame("content_block_delta", fmt.Sprintf(`,"index":%d,"delta":{%s}`, i, fields))
}

func stopBlock(i int) string { return frame("content_block_stop", fmt.Sprintf(`,"index":%d`, i)) }

func text(i int, chunks ...string) string {
	out := frame("content_block_start", fmt.Sprintf(`,"index":%d,"content_block":{"type":"text","text":""}`, i))
	for _, c := range chunks {
		out += delta(i, `"type":"text_delta","text":`+quoted(c))
	}
	return out + stopBlock(i)
}

func think(i int, signature string, chunks ...string) string {
	out := frame("content_block_start", fmt.Sprintf(`,"index":%d,"content_block":{"type":"thinking","thinking":"","signature":""}`, i))
	for _, c := range chunks {
		out += delta(i, `"type":"thinking_delta","thinking":`+quoted(c))
	}
	return out + delta(i, `"type":"signature_delta","signature":`+quoted(signature)) + stopBlock(i)
}

func use(i int, id, name, input string) string {
	out := frame("content_block_start", fmt.Sprintf(`,"index":%d,"content_block":{"type":"tool_use","id":%q,"name":%q,"input":{}}`, i, id, name))
	half := len(input) / 2
	return out + delta(i, `"type":"input_json_delta","partial_json":`+quoted(input[:half])) +
		delta(i, `"type":"input_json_delta","partial_json":`+quoted(input[half:])) + stopBlock(i)
}

func end(reason string) string {
	return frame("message_delta", fmt.Sprintf(`,"delta":{"stop_reason":%q,"stop_sequence":null},"usage":{"output_tokens":20},`+
		`"copilot_usage":{"total_nano_aiu":1500}`, reason)) + frame("message_stop", "")
}

// says is a whole answer of words.
func says(words string) reply { return stream(start("m"), text(0, words), end("end_turn")) }

// calls is a whole answer of calls, each as id, name, input.
func callsReply(calls ...[3]string) reply {
	out := start("m")
	for i, c := range calls {
		out += use(i, c[0], c[1], c[2])
	}
	return stream(out, end("tool_use"))
}
