package cli

import (
	"strings"
	"testing"

	"parley/copilot/sim/script"
)

// A model without capacity is replaced in the turn, which says so, and asked again in the next one.
func TestFallbackModelAnswers(t *testing.T) {
	w := newWorld(t).signIn(driven)
	w.sim.Inject(script.Fault{Kind: script.FaultStatus, Status: 529, Model: "opus-4.6", Times: -1})
	args := []string{"-p", "--model", "claude-opus-4.6", "--fallback-model", "claude-nowhere-9.9,claude-sonnet-4.6", "--output-format", "stream-json", "hello"}
	r, o := w.ends("", args...)
	if r.ExitCode != 0 || r.Result != "You said: hello" {
		t.Errorf("%d %q\n%s%s", r.ExitCode, r.Result, o.out, o.err)
	}
	const said = "claude-opus-4.6 has no capacity just now, claude-sonnet-4.6 answers instead. The next turn tries claude-opus-4.6 first."
	if n := strings.Count(o.out, said); n != 1 {
		t.Errorf("it is said %d times:\n%s", n, o.out)
	}
	if o := w.run("-p", "--fallback-model", "a,b,c,d", "hello"); o.code != 2 || !strings.Contains(o.err, "there are 4, at most 3 are possible") {
		t.Errorf("%d %s", o.code, o.err)
	}
}
