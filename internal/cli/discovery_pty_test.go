//go:build unix

package cli

import (
	"strings"
	"testing"
)

// A chat with a configured endpoint discovers nothing, neither at its start nor with its first prompt.
func TestChatWithAConfiguredEndpointDiscoversNothing(t *testing.T) {
	t.Parallel()
	w := newWorldApart(t).signIn(talkative)
	tm := w.start(80, 24)
	tm.until("the model list", func(string) bool {
		for _, r := range w.sim.Requests() {
			if strings.HasSuffix(r.Path, "/models") {
				return true
			}
		}
		return false
	})
	tm.send("hello\r")
	tm.shows("You said: hello")
	tm.send("/usage\r")
	tm.shows("Usage")
	if n, others := w.discoveries(); n != 0 || others == 0 {
		t.Errorf("%d discoveries, %d other requests", n, others)
	}
}
