package cli

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"parley/copilot/sim"
	"parley/internal/cli/command"
)

// A service that takes requests and never answers is given up when `api.stall_after` says so. A prompt is sent to the
// Copilot API once; GitHub is asked at most four times.
func TestASilentServiceIsGivenUp(t *testing.T) {
	t.Parallel()
	for name, silent := range map[string]string{"the Copilot API": "/v1/messages", "GitHub": "/copilot_internal/user"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorldApart(t)
			sim, err := sim.Start(sim.Options{})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { sim.Close() })
			var asked atomic.Int64
			front := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
				if r.URL.Path == silent {
					_, _ = io.Copy(io.Discard, r.Body) // only then net/http sees the client leave
					asked.Add(1)
					<-r.Context().Done()
					return
				}
				sim.ServeHTTP(rw, r)
			}))
			t.Cleanup(front.Close)
			w.env = append(w.env, "PARLEY_GITHUB_API_URL="+front.URL, "COPILOT_GITHUB_TOKEN="+sim.Token(), "PARLEY_API_STALL_AFTER=1s")
			if silent == "/v1/messages" {
				w.env = append(w.env, "PARLEY_COPILOT_API_URL="+front.URL)
			}
			o := w.run("-p", "--model", "claude-sonnet-4.6", "hello")
			if o.code != int(command.ExitFailed) || !strings.Contains(o.err, "went silent") {
				t.Errorf("exit %d\n%s%s", o.code, o.out, o.err)
			}
			// A failed discovery is not remembered, so later callers ask GitHub again, each within the same bound.
			if n := asked.Load(); silent == "/v1/messages" && n != 1 || n > 4 {
				t.Errorf("asked %d times", n)
			}
		})
	}
}
