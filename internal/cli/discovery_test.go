package cli

import (
	"context"
	"io"
	"strings"
	"testing"
)

// discoveries returns how many requests of discovery or of a token exchange the service has got, and how many others.
func (w *world) discoveries() (discoveries, others int) {
	for _, r := range w.sim.Requests() {
		if strings.HasPrefix(r.Path, "/copilot_internal/") {
			discoveries++
		} else {
			others++
		}
	}
	return discoveries, others
}

// With a configured endpoint nothing is discovered; without one it is, once.
func TestConfiguredEndpointIsNotDiscovered(t *testing.T) {
	for _, run := range []string{"-p", "proxy"} {
		for _, fixed := range []bool{true, false} {
			w := newWorld(t).signIn(talkative)
			if !fixed {
				w.env = without(w.env, "PARLEY_COPILOT_API_URL")
			}
			if run == "-p" {
				w.mustRun("-p", "hello")
				w.mustRun("-p", "-m", "claude-opus-4.8", "hello")
			} else {
				ctx, cancel := context.WithCancel(t.Context())
				r, out := io.Pipe()
				code := make(chan int)
				go func() {
					code <- Main(ctx, Process{Args: []string{"proxy"}, Environ: w.env, In: strings.NewReader(""), Out: out, Err: io.Discard})
					out.Close()
				}()
				if _, err := io.ReadFull(r, make([]byte, len("ANTHROPIC_BASE_URL="))); err != nil {
					t.Fatal(err)
				}
				cancel()
				go io.Copy(io.Discard, r)
				<-code
			}
			n, others := w.discoveries()
			if (n == 0) != fixed || run == "-p" && others == 0 {
				t.Errorf("%s, endpoint configured %v: %d discoveries, %d other requests", run, fixed, n, others)
			}
		}
	}
}
