package proxy_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/anthropics/anthropic-sdk-go"

	"parley/copilot/sim"
	"parley/copilot/sim/script"
)

const searchScript = `
rules:
  - name: refused
    when: {prompt: forbidden}
    reply: [{fault: {kind: status, status: 400, code: unsupported_value, message: "The use of the web search tool is not supported."}}]
  - name: busy
    when: {prompt: busy}
    reply: [{fault: {kind: status, status: 529}}]
  - name: found
    reply:
      - think: "Where to look?"
      - {tool: web_search, input: {query: "go 1.26 release", pages: [{url: "https://go.dev/doc/go1.26?utm_source=openai", title: "Go 1.26"}, {url: "https://spam.example/x", title: "Spam"}]}}
      - {tool: web_search, input: {query: "go 1.26 notes", pages: [{url: "https://go.dev/doc/go1.26"}, {url: "ftp://go.dev/x", title: "No page"}, {url: "https://blog.go.dev/b", title: "Blog"}]}}
      - text: "It came out in February."
    stop: end_turn
`

// askWeb asks one question with the hosted search.
func askWeb(question string, t anthropic.WebSearchTool20250305Param) anthropic.MessageNewParams {
	p := ask(question)
	p.Tools = []anthropic.ToolUnionParam{{OfWebSearchTool20250305: &t}}
	return p
}

func newSearchHouse(t *testing.T) house {
	t.Helper()
	h := newHouse(t)
	rules, err := script.Parse(strings.NewReader(searchScript), "search.yaml")
	if err != nil {
		t.Fatal(err)
	}
	h.sim.SetScript(rules)
	return h
}

// posts are the requests for answers that reached the service.
func posts(h house) (out []sim.Request) {
	for _, r := range h.sim.Requests() {
		if r.Path == "/responses" || r.Path == "/v1/messages" {
			out = append(out, r)
		}
	}
	return out
}

// TestSearchOfTheWeb asks through Anthropic's SDK, which gets the blocks of the hosted search: from a GPT model, the cheapest.
func TestSearchOfTheWeb(t *testing.T) {
	for _, stream := range []bool{true, false} {
		t.Run(fmt.Sprint("stream ", stream), func(t *testing.T) {
			h := newSearchHouse(t)
			m, err := exchangeOnce(t, h.sdk(t), askWeb("Perform a web search for the query: go 1.26", anthropic.WebSearchTool20250305Param{
				MaxUses: anthropic.Int(3), BlockedDomains: []string{"spam.example"}}), stream)
			if err != nil {
				t.Fatal(err)
			}
			var said []string
			for _, b := range m.Content {
				switch b := b.AsAny().(type) {
				case anthropic.ServerToolUseBlock:
					in, _ := json.Marshal(b.Input)
					said = append(said, fmt.Sprintf("search %s %s", b.Name, in))
				case anthropic.WebSearchToolResultBlock:
					for _, p := range b.Content.AsWebSearchResultBlockArray() {
						said = append(said, "page "+p.URL+" "+p.Title)
					}
				case anthropic.TextBlock:
					said = append(said, "text "+b.Text)
				}
			}
			want := `search web_search {"query":"go 1.26 release"}|search web_search {"query":"go 1.26 notes"}|page https://go.dev/doc/go1.26 Go 1.26|` +
				`page https://blog.go.dev/b Blog|text It came out in February.`
			if got := strings.Join(said, "|"); got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
			if m.Usage.ServerToolUse.WebSearchRequests != 2 || m.Usage.InputTokens == 0 || m.Usage.OutputTokens == 0 || m.StopReason != "end_turn" ||
				!strings.Contains(m.RawJSON(), "claude") {
				t.Errorf("%s", m.RawJSON())
			}
			all := posts(h)
			if len(all) != 1 {
				t.Fatalf("%d requests", len(all))
			}
			r := all[0]
			var body struct {
				Model, Instructions string
				Tools               []map[string]any
				Reasoning           struct{ Effort string }
			}
			if err := json.Unmarshal(r.Body, &body); err != nil || r.Refused != "" || r.Header.Get("X-Initiator") != "agent" ||
				body.Model != "gpt-5-mini" || len(body.Tools) != 1 || len(body.Tools[0]) != 1 || body.Reasoning.Effort == "minimal" ||
				!strings.Contains(body.Instructions, "at most 3 times") || !strings.Contains(body.Instructions, "spam.example") {
				t.Errorf("refused %q, initiator %q: %s", r.Refused, r.Header.Get("X-Initiator"), r.Body)
			}
		})
	}
}

// TestSearchThatIsRefused answers in the blocks of a failed search where no model may search, and does not ask again for a while.
func TestSearchThatIsRefused(t *testing.T) {
	h := newSearchHouse(t)
	for range 2 {
		m, err := exchangeOnce(t, h.sdk(t), askWeb("forbidden", anthropic.WebSearchTool20250305Param{}), true)
		if err != nil {
			t.Fatal(err)
		}
		raw := m.RawJSON()
		if len(m.Content) != 3 || m.Content[1].AsWebSearchToolResult().Content.ErrorCode != "unavailable" ||
			!strings.Contains(m.Content[2].Text, "The web search is not available with this Copilot plan") {
			t.Errorf("%s", raw)
		}
	}
	models := map[string]bool{}
	for _, r := range posts(h) {
		models[r.Messages.Model] = true
	}
	if n := len(posts(h)); n != len(models) || n == 0 {
		t.Errorf("%d requests to %v", n, models)
	}
}

// TestSearchThatFails passes on what a retry may mend.
func TestSearchThatFails(t *testing.T) {
	h := newSearchHouse(t)
	_, err := exchangeOnce(t, h.sdk(t), askWeb("busy", anthropic.WebSearchTool20250305Param{}), false)
	if e := (*anthropic.Error)(nil); err == nil || !strings.Contains(err.Error(), "529") {
		t.Errorf("%v %v", err, e)
	}
}

// TestConversationsKeepTheirModel sends no longer conversation, and none with other tools, to the model that searches.
func TestConversationsKeepTheirModel(t *testing.T) {
	for name, change := range map[string]func(p *anthropic.MessageNewParams){
		"longer": func(p *anthropic.MessageNewParams) {
			p.Messages = append(p.Messages, anthropic.NewAssistantMessage(anthropic.NewTextBlock("yes")), anthropic.NewUserMessage(anthropic.NewTextBlock("more")))
		},
		"other tools": func(p *anthropic.MessageNewParams) {
			p.Tools = append(p.Tools, anthropic.ToolUnionParam{OfTool: &anthropic.ToolParam{Name: "read",
				InputSchema: anthropic.ToolInputSchemaParam{Properties: map[string]any{"path": map[string]any{"type": "string"}}}}})
		},
	} {
		h := newSearchHouse(t)
		p := askWeb("hi", anthropic.WebSearchTool20250305Param{})
		change(&p)
		_, _ = exchangeOnce(t, h.sdk(t), p, false)
		for _, r := range posts(h) {
			if r.Path != "/v1/messages" {
				t.Errorf("%s: %s", name, r.Body)
			}
		}
	}
}
