package translate

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/anthropics/anthropic-sdk-go"
	"github.com/google/go-cmp/cmp"
)

const askResponses = `{"model":"gpt-5.4","max_tokens":100,"stream":true,"thinking":{"type":"adaptive"},` +
	`"tools":[{"name":"read","input_schema":{"type":"object"}}],"messages":[{"role":"user","content":"x"}]}`

// makeRequest translates a request for the API named.
func makeRequest(t testing.TB, a api, body []byte) *Request {
	t.Helper()
	do, model := RequestToChat, gemini
	if a == apiResponses {
		do, model = RequestToResponses, gpt
	}
	if body == nil {
		body = []byte(askResponses)
	}
	r, err := do(body, model)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// event is one event of the service.
type event struct{ name, data string }

// readEvents reads the events of a golden file: a line each, the data behind the name, if there is one.
func readEvents(text []byte) []event {
	var out []event
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		name, data, ok := strings.Cut(line, " ")
		if !ok || strings.HasPrefix(line, "{") {
			name, data = "", line
		}
		out = append(out, event{name, data})
	}
	return out
}

// play feeds events and returns what came out, frame by frame.
func play(t testing.TB, s *Stream, events []event) (frames []event, err error) {
	keep := func(list []Frame) {
		for _, f := range list {
			if !json.Valid(f.Data) {
				t.Errorf("a frame is not JSON: %s", f.Data)
			}
			frames = append(frames, event{f.Event, string(f.Data)})
		}
	}
	for _, e := range events {
		list, err := s.Feed(e.name, []byte(e.data))
		keep(list)
		if err != nil {
			return frames, err
		}
	}
	list, err := s.Close()
	keep(list)
	return frames, err
}

// checkOrder fails if the frames break the order that Anthropic's SDKs demand. It returns whether the message ended.
func checkOrder(t testing.TB, frames []event) (ended bool) {
	t.Helper()
	next, open, begun, delta := 0, false, false, false
	for i, f := range frames {
		var v struct {
			Type  string
			Index int
		}
		if err := json.Unmarshal([]byte(f.data), &v); err != nil || v.Type != f.name {
			t.Fatalf("frame %d: event %q with data %s", i, f.name, f.data)
		}
		ok := begun && !ended && !delta
		switch f.name {
		case "message_start":
			ok = !begun && !ended
			begun = true
		case "content_block_start":
			ok = ok && !open && v.Index == next
			open = true
		case "content_block_delta":
			ok = ok && open && v.Index == next
		case "content_block_stop":
			ok = ok && open && v.Index == next
			open = false
			next++
		case "message_delta":
			ok = ok && !open
			delta = true
		case "message_stop":
			ok = delta && !ended
			ended = true
		case "error":
			ok = !ended && i == len(frames)-1
		default:
			ok = false
		}
		if !ok {
			t.Fatalf("frame %d (%s) is out of order in %v", i, f.name, frames)
		}
	}
	return ended
}

// accumulate runs frames through the accumulator of Anthropic's SDK.
func accumulate(t testing.TB, frames []event) anthropic.Message {
	t.Helper()
	var m anthropic.Message
	for _, f := range frames {
		if f.name == "error" {
			continue
		}
		var e anthropic.MessageStreamEventUnion
		if err := json.Unmarshal([]byte(f.data), &e); err != nil {
			t.Fatalf("the SDK cannot read %s: %v", f.data, err)
		}
		if err := m.Accumulate(e); err != nil {
			t.Fatalf("the SDK refuses %s: %v", f.data, err)
		}
	}
	return m
}

// TestStreams compares translated streams with golden files and has Anthropic's SDK read them. Where the file holds the
// same answer as a whole, both must come to the same.
func TestStreams(t *testing.T) {
	for _, path := range goldens(t, "streams") {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			a := readArchive(t, path)
			defer a.save()
			which := apiResponses
			if a.get("chat") != nil {
				which = apiChat
			}
			r := makeRequest(t, which, a.get("request.json"))
			frames, err := play(t, r.NewStream("msg_test"), readEvents(a.get(string(which))))
			ended := checkOrder(t, frames)
			var out bytes.Buffer
			for _, f := range frames {
				fmt.Fprintf(&out, "%s\n", f.data)
			}
			if err != nil {
				fmt.Fprintf(&out, "error: %v\n", err)
			}
			a.want("frames", out.Bytes())
			if !ended {
				return
			}
			streamed := accumulate(t, frames)
			if whole := a.get("whole.json"); whole != nil {
				compareWhole(t, r, whole, streamed)
			}
		})
	}
}

// compareWhole translates a whole answer and compares it with a streamed one.
func compareWhole(t *testing.T, r *Request, whole []byte, streamed anthropic.Message) {
	t.Helper()
	body, err := r.Message("msg_test", whole)
	if err != nil {
		t.Fatal(err)
	}
	var m anthropic.Message
	if err := json.Unmarshal(body, &m); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(essence(streamed), essence(m)); diff != "" {
		t.Errorf("streamed and whole differ (-streamed +whole):\n%s\n%s", diff, body)
	}
}

// essence is what of a message matters to a client.
func essence(m anthropic.Message) []string {
	out := []string{string(m.Model), m.ID, string(m.StopReason), m.StopSequence,
		fmt.Sprint(m.Usage.InputTokens, m.Usage.CacheReadInputTokens, m.Usage.CacheCreationInputTokens, m.Usage.OutputTokens)}
	for _, b := range m.Content {
		out = append(out, strings.Join([]string{b.Type, b.Text, b.Thinking, b.Signature, b.ID, b.Name, string(b.Input)}, "|"))
	}
	return out
}

func TestStreamEnds(t *testing.T) {
	r := makeRequest(t, apiChat, nil)
	s := r.NewStream("msg_1")
	if _, err := s.Feed("", []byte(`{"choices":[{"delta":{"content":"a"}}]}`)); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Close(); !errors.Is(err, errIncomplete) {
		t.Errorf("Close in the middle: %v", err)
	}
	if list, err := s.Feed("", []byte(`{"choices":[{"delta":{"content":"b"}}]}`)); err != nil || len(list) != 0 {
		t.Errorf("after Close: %v, %v", list, err)
	}
	s = r.NewStream("msg_1")
	if _, err := s.Feed("", []byte(`{"choices":7}`)); !errors.Is(err, errNotAnswer) {
		t.Errorf("nonsense: %v", err)
	}
	if list, err := s.Close(); err != nil || len(list) != 0 {
		t.Errorf("Close after an error: %v, %v", list, err)
	}
}

func TestWholeErrors(t *testing.T) {
	for _, tt := range []struct {
		api  api
		body string
		want string
	}{
		{apiResponses, `{}`, errNotAnswer.Error()}, {apiChat, `{}`, errNotAnswer.Error()},
		{apiChat, `[`, errNotAnswer.Error()}, {apiResponses, `"x"`, errNotAnswer.Error()},
		{apiChat, `{"choices":[]}`, errIncomplete.Error()},
		{apiResponses, `{"status":"failed","error":{"code":"server_error","message":"boom"}}`, "server_error: boom"},
		{apiChat, `{"error":{"code":"rate_limited","message":"slow"}}`, "rate_limited: slow"},
		{apiChat, `{"error":"gone"}`, "gone"},
	} {
		_, err := makeRequest(t, tt.api, nil).Message("msg_1", []byte(tt.body))
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s %s: %v, want %q", tt.api, tt.body, err, tt.want)
		}
	}
}

func TestFailureEnvelope(t *testing.T) {
	for code, want := range map[string]string{"rate_limit_exceeded": "rate_limit_error", "server_error": "api_error",
		"context_length_exceeded": "invalid_request_error", "overloaded": "overloaded_error", "": "api_error"} {
		var v struct {
			Type  string
			Error struct{ Type, Message string }
		}
		f := &Failure{Code: code, Message: `a "b"`}
		if err := json.Unmarshal(f.Envelope(), &v); err != nil || v.Type != "error" || v.Error.Type != want ||
			v.Error.Message != f.Error() {
			t.Errorf("%q: %s, %v", code, f.Envelope(), err)
		}
	}
}

// A frame stays as it is while the next ones are made.
func TestFramesOutlastTheNext(t *testing.T) {
	s := makeRequest(t, apiChat, nil).NewStream("msg_1")
	var last Frame
	want := ""
	for i := range 50 {
		list, err := s.Feed("", fmt.Appendf(nil, `{"choices":[{"delta":{"content":"word %d"}}]}`, i))
		if err != nil || len(list) == 0 {
			t.Fatal(err)
		}
		if got := string(last.Data); got != want {
			t.Fatalf("the frame changed from %s to %s", want, got)
		}
		if list, err := s.Feed("", []byte(`{"choices":[]}`)); err != nil || len(list) > 0 {
			t.Fatal(list, err)
		}
		last = list[len(list)-1]
		want = string(last.Data)
	}
}
