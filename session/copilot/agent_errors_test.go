package copilot

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"parley/internal/jsonrpc"
	"parley/session"
	"parley/session/copilot/copilottest"
)

func TestWhyASessionCannotBeOpened(t *testing.T) {
	const prefix = "Request session.create failed with message: "
	for message, want := range map[string]session.Kind{
		prefix + "SDK session authentication failed: Failed to fetch Copilot user info: 401 Unauthorized: {}":                           session.KindAuth,
		prefix + "SDK session authentication failed: Failed to fetch Copilot user info: 403 Forbidden: {}":                              session.KindForbidden,
		prefix + "SDK session authentication failed: Failed to fetch Copilot user info: 502 Bad Gateway":                                session.KindServer,
		prefix + "SDK session authentication failed: network fetch failed: request failed: error sending request for url (http://x:9/)": session.KindNetwork,
		prefix + "Something else: 401 things": session.KindRuntime,
	} {
		err := openError(context.Background(), &jsonrpc.Error{Code: -32603, Message: message})
		if session.KindOf(err) != want || strings.Contains(err.Error(), "failed with message") {
			t.Errorf("%s: %s, %v", message, session.KindOf(err), err)
		}
	}
	if err := openError(context.Background(), errors.New("x")); session.KindOf(err) != session.KindRuntime {
		t.Errorf("%v", err)
	}
}

func TestARefusedSessionIsNotOpen(t *testing.T) {
	s := newStage(t, func(s *stage, _ *Options) {
		s.runtime.Handle = func(_ *copilottest.Conn, m copilottest.Message) (any, error, bool) {
			return nil, &copilottest.Error{Code: -32603, Message: "Request session.create failed with message: SDK session authentication failed: 401 Unauthorized"},
				m.Method == "session.create" && m.Text("sessionId") == "other"
		}
	})
	_, err := s.agent.Open(t.Context(), session.OpenOptions{Session: "other", Gen: 1, Dir: s.dir, Emit: func(session.Event) {},
		Endpoint: session.Endpoint{BaseURL: "http://127.0.0.1:1"}})
	if session.KindOf(err) != session.KindAuth {
		t.Errorf("%v", err)
	}
}

// The session of another agent with the same id could be taken for it, whatever else is wrong.
func TestAMarkedSessionIsNotOpened(t *testing.T) {
	a := New(Options{Home: t.TempDir()})
	for _, dir := range []string{t.TempDir(), "gone"} {
		_, err := a.Open(t.Context(), session.OpenOptions{Session: "s.at-00000001", Dir: dir})
		if p := session.ProblemOf(err, time.Time{}); session.KindOf(err) != session.KindUnsupported || !strings.Contains(p.What, "Copilot") || !strings.Contains(p.Next, "/fork") {
			t.Errorf("%v", err)
		}
	}
}
