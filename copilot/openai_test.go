package copilot

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"parley/copilot/sim"
	"parley/copilot/sim/script"
)

// otherAPI is one of OpenAI's APIs for tests that go over both.
type otherAPI struct {
	path    string
	stream  func(*Client, context.Context, Request) (*Stream, error)
	whole   func(*Client, context.Context, Request) (*Response, error)
	op      string
	first   string // an event
	last    string // the end of a stream
	failure string // an event that reports a failure
	failed  string // a whole answer that does
	good    string // a whole answer
	image   string // a request with an image
	intent  string
}

var otherAPIs = []otherAPI{
	{
		path: EndpointResponses, stream: (*Client).StreamResponses, whole: (*Client).Responses, op: "responses",
		first:   "event: response.created\ndata: {\"type\":\"response.created\"}\n\n",
		last:    "data: {\"type\":\"response.completed\",\"response\":{\"status\":\"completed\"}}\n\n",
		failure: `{"type":"response.failed","response":{"status":"failed","error":{"code":"rate_limit_exceeded","message":"slow"}}}`,
		failed:  `{"status":"failed","error":{"code":"rate_limit_exceeded","message":"slow"}}`,
		good:    `{"status":"completed","error":null,"output":[]}`, intent: "conversation",
		image: `{"model":"m","input":[{"role":"user","content":[{"type":"input_image","image_url":"data:"}]}]}`,
	},
	{
		path: EndpointChat, stream: (*Client).StreamChat, whole: (*Client).Chat, op: "chat",
		first:   "data: {\"choices\":[{\"delta\":{\"content\":\"\\\"finish_reason\\\":\\\"stop\\\"\"},\"finish_reason\":null}]}\n\n",
		last:    "data: [DONE]\n\n",
		failure: `{"error":{"code":"rate_limit_exceeded","message":"slow"}}`,
		failed:  `{"error":{"code":"rate_limit_exceeded","message":"slow"}}`,
		good:    `{"choices":[{"message":{"content":"\"error\""}}],"error":null}`, intent: "conversation-agent",
		image: `{"model":"m","messages":[{"role":"user","content":[{"type":"image_url","image_url":{"url":"data:"}}]}]}`,
	},
}

func answering(f *fake, path, contentType, body string) {
	f.on(path, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", contentType)
		_, _ = io.WriteString(w, body)
	})
}

// readOut reads a stream to its end.
func readOut(s *Stream) (frames []string, err error) {
	for {
		f, err := s.Next()
		if err != nil {
			return frames, err
		}
		frames = append(frames, f.Event)
	}
}

func TestOtherStreams(t *testing.T) {
	for _, a := range otherAPIs {
		f := newFake(t)
		c := f.client(t)
		for _, tt := range []struct {
			name, body string
			frames     int
			kind       Kind // "" for a good end
		}{
			{"complete", a.first + a.last + a.first, 2 - strings.Count(a.last, "DONE"), ""},
			{"cut off", a.first, 1, KindNetwork},
			{"failed", a.first + "data: " + a.failure + "\n\n" + a.first, 1, KindRateLimit},
			{"error event", a.first + "event: error\ndata: {\"type\":\"error\",\"code\":\"server_error\",\"message\":\"x\"}\n\n", 1, KindServer},
			{"not JSON", "data: {\n\n" + a.first + a.last, 2 - strings.Count(a.last, "DONE"), ""},
		} {
			answering(f, a.path, "text/event-stream", tt.body)
			s, err := a.stream(c, t.Context(), Request{Body: []byte(`{"model":"m"}`)})
			if err != nil {
				t.Fatal(err)
			}
			frames, err := readOut(s)
			good := errors.Is(err, io.EOF)
			if len(frames) != tt.frames || good != (tt.kind == "") || KindOf(err) != tt.kind {
				t.Errorf("%s %s: %q, %v", a.path, tt.name, frames, err)
			}
			if e, ok := errors.AsType[*Error](err); ok && e.Op != "stream "+a.op {
				t.Errorf("%s %s: operation %q", a.path, tt.name, e.Op)
			}
			if e, ok := errors.AsType[*Error](err); ok && tt.name == "failed" &&
				(e.Status != StatusStreamError || e.Message != "slow" || !strings.Contains(string(e.Envelope), "rate_limit_error")) {
				t.Errorf("%s: %+v, %s", a.path, e, e.Envelope)
			}
		}
	}
}

// A chat stream whose service forgets the end is complete once it has given its reason.
func TestChatWithoutDone(t *testing.T) {
	f := newFake(t)
	answering(f, EndpointChat, "text/event-stream", "data: {\"choices\":[{\"delta\":{},\"finish_reason\" : \"stop\"}]}\n\n"+
		"data: {\"choices\":[],\"usage\":{}}\n\n")
	s, err := f.client(t).StreamChat(t.Context(), Request{Body: []byte(`{"model":"m"}`)})
	if err != nil {
		t.Fatal(err)
	}
	if frames, err := readOut(s); len(frames) != 2 || !errors.Is(err, io.EOF) {
		t.Errorf("%q, %v", frames, err)
	}
}

func TestOtherAnswers(t *testing.T) {
	for _, a := range otherAPIs {
		f := newFake(t)
		c := f.client(t)
		answering(f, a.path, "application/json", a.good)
		resp, err := a.whole(c, t.Context(), Request{Body: []byte(a.image), Header: http.Header{
			"X-Initiator": {"agent"}, "X-Interaction-Type": {"mine"}, "Openai-Intent": {"mine"}}})
		if err != nil || string(resp.Body) != a.good {
			t.Fatalf("%s: %v", a.path, err)
		}
		got := f.got(a.path)[0]
		for name, want := range map[string]string{"Openai-Intent": a.intent, "X-Interaction-Type": "", "X-Initiator": "agent",
			"Copilot-Vision-Request": "true", "Authorization": "Bearer " + testToken, "Accept": "application/json"} {
			if got.header.Get(name) != want {
				t.Errorf("%s: %s is %q, want %q", a.path, name, got.header.Get(name), want)
			}
		}
		if !strings.HasPrefix(string(got.body), `{"stream":false,`) {
			t.Errorf("%s: body %s", a.path, got.body)
		}
		answering(f, a.path, "application/json", a.failed)
		_, err = a.whole(c, t.Context(), Request{Body: []byte(`{"model":"m"}`)})
		if e, ok := errors.AsType[*Error](err); !ok || e.Kind != KindRateLimit || e.Op != "send "+a.op || e.Message != "slow" {
			t.Errorf("%s: a failed answer is %v", a.path, err)
		}
		_, err = a.stream(c, t.Context(), Request{Body: []byte(`{"model":"m"}`)})
		if KindOf(err) != KindRateLimit {
			t.Errorf("%s: a failure instead of a stream is %v", a.path, err)
		}
		f.on(a.path, func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusBadRequest)
			fmt.Fprint(w, `{"error":{"message":"no","code":"unsupported_api_for_model"}}`)
		})
		if _, err = a.stream(c, t.Context(), Request{Body: []byte(`{"model":"m"}`)}); KindOf(err) != KindModel {
			t.Errorf("%s: refused with %v", a.path, err)
		}
		if _, err = a.whole(c, t.Context(), Request{Body: []byte(`7`)}); KindOf(err) != KindBadRequest {
			t.Errorf("%s: a number is sent: %v", a.path, err)
		}
	}
}

// TestOtherAPIsRediscover sends a request a second time after the endpoint was refused, as at the Messages API.
func TestOtherAPIsRediscover(t *testing.T) {
	for _, a := range otherAPIs {
		s := newSim(t, sim.Account{})
		if err := s.Inject(script.Fault{Kind: script.FaultStatus, Status: 421, Route: a.path}); err != nil {
			t.Fatal(err)
		}
		body := `{"model":"gpt-5.4","store":false,"input":[{"role":"user","content":"hello"}]}`
		if a.path == EndpointChat {
			body = `{"model":"gemini-3-pro","messages":[{"role":"user","content":"hello"}]}`
		}
		if _, err := a.whole(s.client, t.Context(), Request{Body: []byte(body)}); err != nil {
			t.Errorf("%s: %v", a.path, err)
		}
	}
}
