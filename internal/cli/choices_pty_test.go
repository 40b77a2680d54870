//go:build unix

package cli

import (
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"testing"

	"parley/internal/cli/command"
)

// gatedModels puts something before the service that answers nothing about models before it is let.
func (w *world) gatedModels() (let func()) {
	w.t.Helper()
	u, err := url.Parse(w.sim.CopilotURL())
	if err != nil {
		w.t.Fatal(err)
	}
	gate := make(chan struct{})
	proxy := httputil.NewSingleHostReverseProxy(u)
	srv := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/models" {
			select {
			case <-gate:
			case <-r.Context().Done():
				return
			}
		}
		proxy.ServeHTTP(rw, r)
	}))
	w.t.Cleanup(func() {
		srv.CloseClientConnections()
		srv.Close()
	})
	w.env = append(w.env, "PARLEY_COPILOT_API_URL="+srv.URL)
	return func() { close(gate) }
}

// The first frame waits for no network; what only the service can refuse is said as soon as it has.
func TestWrongChoicesAreToldOnceKnown(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		args         []string
		first, later string
	}{
		"model":  {[]string{"--model", "nonsense"}, "asks before it acts", `this login has no model "nonsense": /model chooses another`},
		"effort": {[]string{"--effort", "silly"}, "asks before it acts", `unknown effort "silly": /effort chooses another`},
		"plain":  {[]string{"--plain", "--model", "nonsense"}, "with /help", `this login has no model "nonsense": /model chooses another`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorldApart(t).signIn(slowly)
			let := w.gatedModels()
			tm := w.start(100, 24, tc.args...)
			tm.shows(tc.first)
			let()
			tm.shows(tc.later)
			tm.send("/quit\r")
			tm.exit()
		})
	}
}

// What is known from the last time refuses at the start, before anything is drawn.
func TestKnownWrongChoicesEndTheChatAtOnce(t *testing.T) {
	t.Parallel()
	w := newWorldApart(t).signIn(slowly)
	w.mustRun("models")
	w.mustRun("-p", "hello")
	w.sim.Close()
	for _, args := range [][]string{{"--model", "nonsense"}, {"--effort", "silly"}, {"-c", "--model", "nonsense"}, {"--plain", "--model", "nonsense"}} {
		tm := w.start(100, 24, args...)
		if code := tm.exit(); code != int(command.ExitUsage) {
			t.Errorf("%q: exit %d", args, code)
		}
		out := tm.output()
		if !strings.Contains(out, "choose one of ") || strings.Contains(out, "\x1b[?1049h") || strings.Contains(out, "/help") {
			t.Errorf("%q: %q", args, out)
		}
	}
}
