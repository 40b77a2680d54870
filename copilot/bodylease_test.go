package copilot

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"parley/copilot/login"
)

// A body is given back once, when the last who reads it is done, however the request ends.
func TestBodyIsGivenBack(t *testing.T) {
	body := []byte(`{"model":"m","stream":true,"messages":["` + strings.Repeat("x", 4<<20) + `"]}`)
	early := make(chan struct{})
	for name, answer := range map[string]http.HandlerFunc{
		"read": func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body)
			_, _ = io.WriteString(w, frameStart+frameStop)
		},
		"refused": func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body)
			w.WriteHeader(http.StatusBadRequest)
		},
		"refused unread": func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(http.StatusBadRequest) },
		"answered unread": func(w http.ResponseWriter, r *http.Request) {
			_ = http.NewResponseController(w).EnableFullDuplex()
			_, _ = io.WriteString(w, frameStart)
			w.(http.Flusher).Flush()
			<-early
			_, _ = io.Copy(io.Discard, r.Body)
			_, _ = io.WriteString(w, frameStop)
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Type", "text/event-stream")
				answer(w, r)
			}))
			defer s.Close()
			c, err := New(Options{Credential: login.Credential{Token: login.NewSecret("gho_x"), Host: "github.com"}, CopilotAPIURL: s.URL})
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			var given atomic.Int32
			back := make(chan struct{})
			done := func() {
				if given.Add(1) == 1 {
					close(back)
				}
			}
			stream, err := c.StreamMessages(t.Context(), Request{Body: body, Ready: true, Model: "m", Done: done})
			if name == "answered unread" {
				if given.Load() != 0 {
					t.Error("the body was given back while it is read")
				}
				close(early)
			}
			for err == nil {
				_, err = stream.Next()
			}
			<-back
			if n := given.Load(); n != 1 {
				t.Errorf("given back %d times", n)
			}
		})
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	c := newFake(t).client(t)
	back := make(chan struct{}, 2)
	if _, err := c.StreamMessages(ctx, Request{Body: body, Ready: true, Done: func() { back <- struct{}{} }}); err == nil {
		t.Error("a request without a caller was answered")
	}
	<-back
	if _, err := c.StreamMessages(t.Context(), Request{Body: []byte("["), Done: func() { back <- struct{}{} }}); err == nil {
		t.Error("a request that is none was answered")
	}
	<-back
}
