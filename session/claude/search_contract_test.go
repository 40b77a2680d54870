//go:build contract

package claude

import (
	"context"
	"slices"
	"strings"
	"testing"

	"parley/copilot/sim/script"
	"parley/session"
	"parley/session/runtimes/runtimestest"
)

const searchRules = `
rules:
  - name: nested
    when: {prompt: "Perform a web search for the query"}
    reply:
      - {tool: web_search, input: {query: "go 1.26", pages: [{url: "https://go.dev/doc/go1.26", title: "Go 1.26"}]}}
      - text: "It came out in February."
    stop: end_turn
  - name: told
    when: {result: true}
    reply: [{text: "Read: {{tool_result}}"}]
  - name: search
    when: {prompt: look it up}
    reply: [{tool: WebSearch, input: {query: go 1.26}}]
  - name: other
    reply: hello
`

// TestContractWebSearch lets real runtimes search the web: they are asked about, get pages and text, and say how many were found.
func TestContractWebSearch(t *testing.T) {
	dir := runtimestest.Installed(t)
	for _, rt := range driven() {
		t.Run(rt.version, func(t *testing.T) {
			t.Parallel()
			models := append(slices.Clip(contractModels), session.Model{ID: "gpt-5-mini", Searches: true})
			w := newWhole(t, runtimestest.Claude(t, dir, rt.version), func(o *Options) {
				o.Models = func(context.Context) ([]session.Model, error) { return models, nil }
			})
			rules, err := script.Parse(strings.NewReader(searchRules), "search.yaml")
			if err != nil {
				t.Fatal(err)
			}
			w.sim.SetScript(rules)
			asked := w.asks(yes)
			w.completes("look it up", "https://go.dev/doc/go1.26")
			if got := asked(); len(got) != 1 || got[0].Permission.Tool != "WebSearch" {
				t.Errorf("asked %+v", got)
			}
			var ended []session.ToolEnded
			for _, e := range w.all() {
				if e, ok := e.(session.ToolEnded); ok {
					ended = append(ended, e)
				}
			}
			if len(ended) != 1 || ended[0].Outcome != session.ToolOK || !strings.Contains(ended[0].Result.Text, "It came out in February.") ||
				ended[0].Result.Summary == "" {
				t.Errorf("%+v", ended)
			}
			searches := 0
			for _, r := range w.sim.Requests() {
				if r.Path == "/responses" {
					searches++
				}
				if r.Refused != "" {
					t.Errorf("%s: refused %s", r.Path, r.Refused)
				}
			}
			if searches != 1 {
				t.Errorf("%d searches", searches)
			}
		})
	}
}
