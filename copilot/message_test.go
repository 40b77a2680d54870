package copilot

import (
	"context"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
)

// owned are the headers a caller cannot replace, and a check of what they must be.
var owned = map[string]func(string) bool{
	"Authorization":          func(v string) bool { return v == "Bearer "+testToken },
	"X-GitHub-Api-Version":   func(v string) bool { return v == "2026-07-01" },
	"Copilot-Integration-Id": func(v string) bool { return v == "copilot-developer-cli" },
	"Editor-Version":         func(v string) bool { return v == "parley/9.9" },
	"Content-Type":           func(v string) bool { return v == "application/json" },
	"X-Request-Id":           func(v string) bool { _, err := uuid.Parse(v); return err == nil },
	"OpenAI-Intent":          func(v string) bool { return v == "messages-proxy" },
	"X-Interaction-Type":     func(v string) bool { return v == "messages-proxy" },
}

// onlyMessages are those of them that the model list does not have.
var onlyMessages = []string{"Content-Type", "X-Request-Id", "OpenAI-Intent", "X-Interaction-Type"}

func TestCallerCannotReplaceOwnedHeaders(t *testing.T) {
	f := newFake(t)
	f.on(pathModels, good)
	f.on(pathMessages, good)
	evil := http.Header{}
	for name := range owned {
		evil.Set(name, "evil")
		evil[strings.ToLower(name)] = []string{"evil too"} // not in canonical form
	}
	for _, name := range notForwarded {
		evil.Set(name, "evil")
	}
	evil.Set("X-Interaction-Id", "session-1")
	evil.Set("Anthropic-Version", "2023-06-01")
	for name, call := range calls {
		c := f.client(t, func(o *Options) { o.UserAgent = "parley/9.9 (test)" })
		before := len(f.got(call.path))
		if err := call.call(t.Context(), c, evil); err != nil {
			t.Fatal(err)
		}
		sent := f.got(call.path)[before:]
		if len(sent) != 1 {
			t.Fatalf("%s sent %d requests", name, len(sent))
		}
		h := sent[0].header
		for header, ok := range owned {
			want := 1
			if name == "Models" && slices.Contains(onlyMessages, header) {
				want = 0
			}
			if values := h.Values(header); len(values) != want || want == 1 && !ok(values[0]) {
				t.Errorf("%s: %s is %q", name, header, values)
			}
		}
		for header, values := range h {
			if strings.Contains(strings.Join(values, " "), "evil") {
				t.Errorf("%s: %s is %q", name, header, values)
			}
		}
		if name != "Models" && (h.Get("X-Interaction-Id") != "session-1" || h.Get("Anthropic-Version") != "2023-06-01") {
			t.Errorf("%s: caller headers are missing", name)
		}
		if h.Get("X-Initiator") != "" {
			t.Errorf("%s: X-Initiator is sent", name)
		}
		if ua := h.Get("User-Agent"); ua != "parley/9.9 (test)" {
			t.Errorf("%s: User-Agent is %q", name, ua)
		}
	}
}

func TestUserAgent(t *testing.T) {
	f := newFake(t)
	f.on(pathMessages, good)
	c := f.client(t)
	for _, h := range []http.Header{nil, {"User-Agent": {"parley/1 claude-cli/2"}}} {
		if err := calls["Messages"].call(t.Context(), c, h); err != nil {
			t.Fatal(err)
		}
	}
	got := f.got(pathMessages)
	if ua := got[0].header.Get("User-Agent"); !strings.HasPrefix(ua, "parley/") {
		t.Errorf("the default is %q", ua)
	}
	if ua := got[1].header.Get("User-Agent"); ua != "parley/1 claude-cli/2" {
		t.Errorf("the caller's became %q", ua)
	}
	if _, err := New(Options{Credential: c.Credential(), UserAgent: "a\nb"}); err == nil {
		t.Error("a line end in a header was accepted")
	}
}

func TestBodyAsSent(t *testing.T) {
	f := newFake(t)
	f.on(pathMessages, good)
	c := f.client(t)
	in := `{ "model":"x" ,"new_field":{"deep":[1e400, 0.10]}, "system":"be \u0062rief", "messages":[],"stream":true}`
	if err := calls["Messages"].call(t.Context(), c, nil); err != nil {
		t.Fatal(err)
	}
	body := []byte(in)
	if _, err := c.Messages(t.Context(), Request{Body: body}); err != nil {
		t.Fatal(err)
	}
	s, err := c.StreamMessages(t.Context(), Request{Body: body})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := drain(s); err != nil {
		t.Fatal(err)
	}
	got := f.got(pathMessages)
	system := strings.Replace(in, `"be \u0062rief"`, `[{"type":"text","text":"be \u0062rief"}]`, 1)
	for i, want := range []string{
		`{"stream":false,"model":"claude-opus-4.6","messages":[]}`, strings.Replace(system, `"stream":true`, `"stream":false`, 1),
		system,
	} {
		if string(got[i].body) != want {
			t.Errorf("request %d: got  %s\nwant %s", i, got[i].body, want)
		}
	}
	if string(body) != in {
		t.Error("the caller's body was changed")
	}
}

func TestBadBodyIsNotSent(t *testing.T) {
	f := newFake(t)
	c := f.client(t)
	for _, body := range []string{"", "null", "[]", `"x"`, `{"a":1`, `{"a":1}}`, `{"a"}`, `{a:1}`, `{"a":}`, "{,}"} {
		for _, call := range []func() error{
			func() error { _, err := c.Messages(t.Context(), Request{Body: []byte(body)}); return err },
			func() error { _, err := c.StreamMessages(t.Context(), Request{Body: []byte(body)}); return err },
		} {
			err := call()
			e, ok := errors.AsType[*Error](err)
			if !ok || e.Kind != KindBadRequest || !strings.Contains(string(e.Envelope), "invalid_request_error") {
				t.Errorf("%q: got %v", body, err)
			}
		}
	}
	if len(f.requests) != 0 {
		t.Error("something was sent")
	}
}

func TestVisionHeader(t *testing.T) {
	f := newFake(t)
	f.on(pathMessages, good)
	c := f.client(t)
	for body, want := range map[string]string{
		`{"messages":[{"content":[{"type":"image","source":{}}]}]}`:                                              "true",
		`{"messages":[{"content":[{"type":"tool_result","content":[{"source":{},"type" : "image"}]}]}]}`:         "true",
		`{"messages":[{"content":"say \"type\":\"image\""}]}`:                                                    "",
		`{"messages":[],"tools":[{"input_schema":{"properties":{"image":{"enum":["image"],"type":"string"}}}}]}`: "",
		`{"messages":[],"image":"image"}`:                                                                        "",
	} {
		if _, err := c.Messages(t.Context(), Request{Body: []byte(body)}); err != nil {
			t.Fatal(err)
		}
		got := f.got(pathMessages)
		if v := got[len(got)-1].header.Get("Copilot-Vision-Request"); v != want {
			t.Errorf("%s: the header is %q", body, v)
		}
	}
}

func TestWholeMessage(t *testing.T) {
	f := newFake(t)
	body := `{"id":"msg_1","content":[{"type":"strange"}],"copilot_usage":{"total_nano_aiu":5}}`
	f.on(pathMessages, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Request-Id", "req_1")
		w.Header().Set("Set-Cookie", "a=b")
		w.Header().Set("X-Echo", r.Header.Get("Authorization"))
		_, _ = io.WriteString(w, body)
	})
	resp, err := f.client(t).Messages(t.Context(), Request{Body: []byte(emptyBody)})
	if err != nil || string(resp.Body) != body {
		t.Fatalf("got %+v, %v", resp, err)
	}
	h := resp.Header
	if h.Get("X-Request-Id") != "req_1" || h.Get("Set-Cookie") != "" || h.Get("X-Echo") != "Bearer ***" {
		t.Errorf("the header is %v", h)
	}
	if h := f.got(pathMessages)[0].header; h.Get("Accept") != "application/json" {
		t.Errorf("Accept is %q", h.Get("Accept"))
	}
	f.on(pathMessages, answer(200, "application/json", `{"id":`))
	if _, err := f.client(t).Messages(t.Context(), Request{Body: []byte(emptyBody)}); KindOf(err) != KindProtocol {
		t.Errorf("half an answer: %v", err)
	}
}

// The context of a caller ends that caller's request on the server as well.
func TestCallsEndWithTheirContext(t *testing.T) {
	for _, name := range []string{"Messages", "StreamMessages"} {
		t.Run(name, func(t *testing.T) {
			f := newFake(t)
			arrived, gone := make(chan struct{}), make(chan struct{})
			f.on(pathMessages, func(_ http.ResponseWriter, r *http.Request) {
				close(arrived)
				<-r.Context().Done()
				close(gone)
			})
			ctx, cancel := context.WithCancel(t.Context())
			failed := make(chan error)
			go func() { failed <- calls[name].call(ctx, f.client(t), nil) }()
			await(t, arrived, "the request")
			cancel()
			if err := await(t, failed, "the call"); KindOf(err) != KindCancelled || !errors.Is(err, context.Canceled) {
				t.Errorf("got %v", err)
			}
			await(t, gone, "the server to see it")
		})
	}
}

func TestNoHeaderInTime(t *testing.T) {
	for _, name := range []string{"Messages", "StreamMessages", "Models"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel() // it waits
			f := newFake(t)
			gone := make(chan struct{})
			f.on(calls[name].path, func(_ http.ResponseWriter, r *http.Request) {
				<-r.Context().Done()
				close(gone)
			})
			c := f.client(t)
			if _, err := c.User(t.Context()); err != nil {
				t.Fatal(err)
			}
			c.headerTimeout, c.answerTimeout = 300*time.Millisecond, 300*time.Millisecond
			if err := calls[name].call(t.Context(), c, nil); KindOf(err) != KindStalled || !errors.Is(err, errNoHeader) {
				t.Errorf("got %v", err)
			}
			await(t, gone, "the server to see it")
		})
	}
}

// The service's silence counts from the request on, whatever is asked for and whichever limit is the longer one.
func TestSilenceCountsFromTheRequest(t *testing.T) {
	for name, path := range map[string]string{"StreamMessages": pathMessages, "Models": pathModels, "discovery": pathUser} {
		t.Run(name, func(t *testing.T) {
			f := newFake(t)
			gone := make(chan struct{})
			f.on(path, func(_ http.ResponseWriter, r *http.Request) {
				<-r.Context().Done()
				close(gone)
			})
			c := f.client(t, func(o *Options) { o.StallAfter, o.HeaderTimeout = 50*time.Millisecond, -1 })
			call := calls["StreamMessages"]
			if path == pathModels {
				call = calls["Models"]
			}
			err := call.call(t.Context(), c, nil)
			if e, ok := errors.AsType[*Error](err); !ok || e.Kind != KindStalled || !e.GaveUp() {
				t.Errorf("got %v", err)
			}
			await(t, gone, "the server to see it")
			if n := len(f.got(path)); n != 1 {
				t.Errorf("%d requests", n)
			}
		})
	}
	if (&Error{Kind: KindStalled, Err: errors.New("dial tcp: i/o timeout")}).GaveUp() {
		t.Error("a connection that could not be made counts as the service's silence")
	}
}

func TestUnreachable(t *testing.T) {
	f := newFake(t)
	f.Server.Close()
	c := f.client(t)
	for name, call := range calls {
		err := call.call(t.Context(), c, nil)
		e, ok := errors.AsType[*Error](err)
		if !ok || e.Kind != KindNetwork || e.Status != 0 || e.Envelope != nil || e.Header != nil {
			t.Errorf("%s: got %v", name, err)
		}
		if strings.Contains(err.Error(), pathUser) {
			t.Errorf("%s: the address is in %q", name, err)
		}
	}
}

// An answer that stops in the middle is given up as well, whatever was asked.
func TestAnswerStallsInTheMiddle(t *testing.T) {
	for name, call := range calls {
		t.Run(name, func(t *testing.T) {
			t.Parallel() // it waits
			f := newFake(t)
			gone := make(chan struct{})
			f.on(call.path, func(w http.ResponseWriter, r *http.Request) {
				_, _ = io.WriteString(w, `{"data":[`)
				_ = http.NewResponseController(w).Flush()
				<-r.Context().Done()
				close(gone)
			})
			c := f.client(t, func(o *Options) { o.StallAfter = 500 * time.Millisecond })
			if err := call.call(t.Context(), c, nil); KindOf(err) != KindStalled || !errors.Is(err, errSilent) {
				t.Errorf("got %v", err)
			}
			await(t, gone, "the server to see it")
		})
	}
}

func TestAnswerTooLong(t *testing.T) {
	f := newFake(t)
	f.on(pathModels, answer(200, "", strings.Repeat(" ", maxListBody+1)))
	if _, err := f.client(t).Models(t.Context()); KindOf(err) != KindProtocol || !strings.Contains(err.Error(), "longer than") {
		t.Errorf("got %v", err)
	}
}
