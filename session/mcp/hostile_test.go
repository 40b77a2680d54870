package mcp

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"parley/session/extensions"
	"parley/session/mcp/mcptest"
)

// A server that breaks the protocol is waited for as long as the bounds allow, and its row says what is wrong.
func TestHostileStarts(t *testing.T) {
	for kind, want := range map[string]string{
		"hangs":   "it did not list its tools within 2s",
		"pages":   "it did not list its tools within 2s",
		"line":    "",
		"garbage": "",
		"lies":    "",
	} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			b := quick()
			b.Start, b.Retry = 2*time.Second, nil
			p := open(t, b, program(t, "prog", kind))
			p.Await(t.Context())
			s := p.becomes(Failed)
			if s.Why == "" || want != "" && s.Why != want || len(p.Tools(Reach{Shared: true})) != 0 {
				t.Errorf("%+v", s)
			}
			if told := p.tells(); !strings.Contains(told, "The MCP server prog does not work: "+s.Why) {
				t.Errorf("%q", told)
			}
		})
	}
}

// A call ends by the bounds whatever the server does, and says why.
func TestHostileCalls(t *testing.T) {
	for kind, want := range map[string]string{
		"storm":          "the MCP server prog worked on the call for 500ms and it was given up",
		"dies in a call": "the MCP server prog failed: ",
		"lies in a call": "the MCP server prog failed: ",
	} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			b := quick()
			if b.Retry = nil; kind == "storm" {
				b.Call = 500 * time.Millisecond
			}
			p := open(t, b, program(t, "prog", kind))
			p.Await(t.Context())
			p.becomes(Connected)
			if _, err := p.call("echo", `{}`, Caller{}); err == nil || !strings.HasPrefix(err.Error(), want) {
				t.Errorf("%v", err)
			}
		})
	}
}

// The stream of a service of the old kind lasts longer than its start may.
func TestOldStreamLasts(t *testing.T) {
	service := httptest.NewServer(sdk.NewSSEHandler(func(*http.Request) *sdk.Server { return mcptest.New("plain") }, nil))
	defer service.Close()
	defer service.CloseClientConnections()
	b := quick()
	b.Start, b.Retry = 3*time.Second, nil
	p := open(t, b, extensions.Server{Name: "old", Transport: extensions.SSE, URL: service.URL})
	p.Await(t.Context())
	p.becomes(Connected)
	over, cancel := context.WithTimeout(t.Context(), b.Start)
	defer cancel()
	<-over.Done() // what bounded the start is over
	if r, err := p.call("echo", `{"a":1}`, Caller{}); err != nil || r.Text != `echo {"a":1}` {
		t.Errorf("%+v %v", r, err)
	}
}
