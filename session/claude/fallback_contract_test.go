//go:build contract

package claude

import (
	"strings"
	"testing"

	"parley/copilot/sim/script"
	"parley/session"
	"parley/session/runtimes/runtimestest"
)

const fallbackRules = `
rules:
  - when: {result: true}
    reply: Read it.
  - when: {prompt: read}
    reply: [{tool: Read, input: {file_path: "{{cwd}}/hello.txt"}}]
  - reply: hello
`

// TestContractFallback takes the capacity of the chosen model away: a turn of a real runtime with a call is answered by another
// model and says so once, the session's model stays the same, and the next prompt asks the chosen one first.
func TestContractFallback(t *testing.T) {
	dir := runtimestest.Installed(t)
	for _, rt := range driven() {
		t.Run(rt.version, func(t *testing.T) {
			t.Parallel()
			w := newWholeFalling(t, runtimestest.Claude(t, dir, rt.version), []string{"claude-haiku-4.5"})
			rules, err := script.Parse(strings.NewReader(strings.ReplaceAll(fallbackRules, "{{cwd}}", w.dir)), "fallback.yaml")
			if err != nil {
				t.Fatal(err)
			}
			w.sim.SetScript(rules)
			w.sim.Inject(script.Fault{Kind: script.FaultStatus, Status: 529, Model: "sonnet-4.6", Times: -1})
			w.completes("read it", "Read it.")
			said := 0
			for _, e := range w.all() {
				switch e := e.(type) {
				case session.Notice:
					if strings.Contains(e.Text, "claude-haiku-4.5 for claude-sonnet-4.6") && e.Turn != "" {
						said++
					}
				case session.ModelChanged:
					if strings.Contains(e.Model, "haiku") {
						t.Errorf("the session's model became %s", e.Model)
					}
				}
			}
			if said != 1 {
				t.Errorf("said %d times in the turn", said)
			}
			w.sim.ClearFaults()
			before := len(w.sim.Requests())
			w.completes("well?", "hello")
			for _, r := range w.sim.Requests()[before:] {
				if r.Refused != "" || strings.Contains(r.Model, "haiku") {
					t.Errorf("%s: %s, refused %s", r.Path, r.Model, r.Refused)
				}
			}
		})
	}
}
