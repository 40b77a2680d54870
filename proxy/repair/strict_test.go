package repair

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"parley/copilot/sim"
	"parley/copilot/sim/script"
)

// families are models of each kind: which thinking they have, whether they take efforts and words to go on with.
var families = []struct {
	id    string
	model Model
}{
	{"claude-haiku-4.5", Model{Known: true, Output: 64000, Whole: 16000, Manual: true, MinBudget: 1024, MaxBudget: 32000, Prefill: true}},
	{"claude-sonnet-4.6", Model{Known: true, Output: 64000, Whole: 16000, Adaptive: true, Manual: true, MinBudget: 1024,
		MaxBudget: 32000, Efforts: []string{"low", "medium", "high", "max"}}},
	{"claude-opus-4.8", Model{Known: true, Output: 64000, Whole: 16000, Adaptive: true, MinBudget: 1024,
		Efforts: []string{"low", "medium", "high", "xhigh", "max"}}},
}

const (
	haiku  = 1 << iota // refused by claude-haiku-4.5
	sonnet             // refused by claude-sonnet-4.6
	opus               // refused by claude-opus-4.8
	all    = haiku | sonnet | opus
)

// bad is a request that the service refuses. body is without model; USER stands for a plain conversation.
type bad struct {
	name, body string
	betas      string
	models     int    // which refuse it
	words      string // in which words
	rules      string // that mend it, for the first of the models
}

const user = `"messages":[{"role":"user","content":"hi"}]`

// image is a picture of one pixel.
const image = `{"type":"base64","media_type":"image/png","data":"iVBORw0KGgo="}`

func many(n int, format string) string {
	var parts []string
	for i := range n {
		parts = append(parts, strings.ReplaceAll(format, "%d", fmt.Sprint(i)))
	}
	return strings.Join(parts, ",")
}

const (
	schema = `"input_schema":{"type":"object","properties":{}}`
	marked = `"cache_control":{"type":"ephemeral"}`
	call   = `{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"a","input":{}}]}`
)

var bads = []bad{
	{name: "unknown beta", body: `"max_tokens":9,` + user, betas: "context-1m-2025-08-07, context-management-2025-06-27",
		models: all, words: "Unexpected value(s) `context-1m-2025-08-07`", rules: "betas"},
	{name: "beta without date", body: `"max_tokens":9,` + user, betas: "compact", models: all, words: "`compact`", rules: "betas"},
	{name: "system message", body: `"max_tokens":9,"messages":[{"role":"user","content":"hi"},` + call + `,{"role":"system","content":"S"},
		{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"x"}]},{"role":"system","content":[{"type":"text","text":"T"}]}]`,
		models: all, words: "messages.2.role: Input should be 'user' or 'assistant'", rules: "system-role"},
	{name: "message output_config", body: `"max_tokens":9,"messages":[{"role":"user","content":"hi","output_config":{"effort":"low"}}]`,
		models: all, words: "messages.0.output_config: Extra inputs are not permitted", rules: "message-fields"},
	{name: "web search besides", body: `"max_tokens":9,"tools":[{"type":"web_search_20250305","name":"web_search"},{"name":"a",` + schema + `}],` + user,
		models: all, words: "The use of the web search tool is not supported.", rules: "server-tools"},
	{name: "twice the same tool", body: `"max_tokens":9,"tools":[{"name":"a",` + schema + `},{"name":"a",` + schema + `}],` + user,
		models: all, words: "Tool names must be unique", rules: "duplicate-tools"},
	{name: "129 tools", body: `"max_tokens":9,"tools":[` + many(129, `{"name":"a%d",`+schema+`}`) + `],` + user,
		models: all, words: "Bad Request", rules: "tool-count"},
	{name: "eager input", body: `"max_tokens":9,"tools":[{"name":"a","eager_input_streaming":true,` + schema + `}],` + user,
		models: all, words: "tools.0.custom.eager_input_streaming: Extra inputs are not permitted", rules: "tool-fields"},
	{name: "$schema", body: `"max_tokens":9,"tools":[{"name":"a","input_schema":{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","properties":{}}}],` + user,
		models: all, words: "tools.0.custom.input_schema.$schema", rules: "tool-schemas"},
	{name: "no properties", body: `"max_tokens":9,"tools":[{"name":"a","input_schema":{"type":"object"}}],` + user,
		models: all, words: "input_schema.properties: Field required", rules: "tool-schemas"},
	{name: "no type of schema", body: `"max_tokens":9,"tools":[{"name":"a","input_schema":{}}],` + user,
		models: all, words: "input_schema.type: Input should be 'object'", rules: "tool-schemas"},
	{name: "no schema", body: `"max_tokens":9,"tools":[{"name":"a"}],` + user,
		models: all, words: "input_schema: Field required", rules: "tool-schemas"},
	{name: "ids of another service", body: `"max_tokens":9,"messages":[{"role":"user","content":"hi"},{"role":"assistant","content":[
		{"type":"tool_use","id":"call|1","name":"a","input":{}},{"type":"tool_use","id":"call_1","name":"a","input":{}}]},
		{"role":"user","content":[{"type":"tool_result","tool_use_id":"call|1","content":"x"},{"type":"tool_result","tool_use_id":"call_1"}]}]`,
		models: all, words: "tool_use.id: String should match pattern", rules: "tool-ids"},
	{name: "input is no object", body: `"max_tokens":9,"messages":[{"role":"user","content":"hi"},{"role":"assistant","content":[
		{"type":"tool_use","id":"t1","name":"a","input":"{}"}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1"}]}]`,
		models: all, words: "tool_use.input: Input should be a valid dictionary", rules: "tool-inputs"},
	{name: "searches", body: `"max_tokens":9,"messages":[{"role":"user","content":"hi"},{"role":"assistant","content":[
		{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{"query":"go 1.26"}},{"type":"web_search_tool_result","tool_use_id":"srvtoolu_1","content":[
		{"type":"web_search_result","url":"https://go.dev","title":"Go","encrypted_content":"x","page_age":null}]},
		{"type":"text","text":"It is out.","citations":[{"type":"web_search_result_location","url":"https://go.dev","encrypted_index":"x"}]}]},{"role":"user","content":"and?"}]`,
		models: all, words: "Input tag 'web_search_tool_result' found", rules: "search-blocks"},
	{name: "image by URL", body: `"max_tokens":9,"messages":[{"role":"user","content":[{"type":"image","source":{"type":"url","url":"https://example.com/a.png"}}]}]`,
		models: all, words: "external image URLs are not supported", rules: "image-urls"},
	{name: "image by URL in a result", body: `"max_tokens":9,"messages":[{"role":"user","content":"hi"},` + call + `,{"role":"user","content":[
		{"type":"tool_result","tool_use_id":"t1","content":[{"type":"image","source":{"type":"url","url":"https://example.com/a.png"}},{"type":"image","source":` + image + `}]}]}]`,
		models: all, words: "external image URLs are not supported", rules: "image-urls"},
	{name: "image by file id", body: `"max_tokens":9,"messages":[{"role":"user","content":[{"type":"image","source":{"type":"file","file_id":"file_1"}}]}]`,
		models: all, words: "expected tags: 'base64'", rules: "image-urls"},
	{name: "unsigned reasoning", body: `"max_tokens":9,"messages":[{"role":"user","content":"hi"},{"role":"assistant","content":[
		{"type":"thinking","thinking":"hm","signature":""}]},{"role":"user","content":"go on"}]`,
		models: all, words: "Invalid `signature` in `thinking` block", rules: "unsigned-thinking"},
	{name: "blank block", body: `"max_tokens":9,"messages":[{"role":"user","content":[{"type":"text","text":" \n\u00a0"},{"type":"text","text":"hi"}]}]`,
		models: all, words: "text content blocks must contain non-whitespace text", rules: "blank-text"},
	{name: "blank message", body: `"max_tokens":9,"messages":[{"role":"user","content":"\t"}]`,
		models: all, words: "must contain non-whitespace text", rules: "blank-text"},
	{name: "empty message", body: `"max_tokens":9,"messages":[{"role":"user","content":""}]`,
		models: all, words: "must have non-empty content", rules: "blank-text"},
	{name: "message without blocks", body: `"max_tokens":9,"messages":[{"role":"user","content":[]}]`,
		models: all, words: "must have non-empty content", rules: "blank-text"},
	{name: "message of blank blocks", body: `"max_tokens":9,"messages":[{"role":"user","content":"hi"},{"role":"assistant","content":[{"type":"text","text":""},{"type":"text","text":" "}]},{"role":"user","content":"so?"}]`,
		models: all, words: "text content blocks must be non-empty", rules: "blank-text"},
	{name: "blank result", body: `"max_tokens":9,"messages":[{"role":"user","content":"hi"},` + call + `,{"role":"user","content":[
		{"type":"tool_result","tool_use_id":"t1","content":[{"type":"text","text":""}]}]}]`,
		models: all, words: "text content blocks must be non-empty", rules: "blank-text"},
	{name: "blank system", body: `"max_tokens":9,"system":[{"type":"text","text":"\n"}],` + user,
		models: all, words: "system: text content blocks must contain", rules: "blank-text empty-system"},
	{name: "empty system", body: `"max_tokens":9,"system":"",` + user,
		models: all, words: "system: text content blocks must be non-empty", rules: "empty-system"},
	{name: "old output format", body: `"max_tokens":9,"output_format":{"type":"json_schema","schema":{"type":"object"}},` + user,
		models: all, words: "output_format: Extra inputs are not permitted", rules: "output-format"},
	{name: "max_tokens", body: `"max_tokens":64001,"stream":true,` + user,
		models: all, words: "max_tokens: 64001 > 64000, which is the maximum allowed number of output tokens", rules: "max-tokens"},
	{name: "max_tokens not streamed", body: `"max_tokens":32000,` + user,
		models: all, words: "maximum tokens you requested exceeds the model limit", rules: "max-tokens"},
	{name: "adaptive", body: `"max_tokens":9000,"thinking":{"type":"adaptive","display":"omitted"},` + user,
		models: haiku, words: "adaptive thinking is not supported on this model", rules: "thinking"},
	{name: "adaptive in a short answer", body: `"max_tokens":500,"thinking":{"type":"adaptive"},` + user,
		models: haiku, words: "adaptive thinking is not supported on this model", rules: "thinking"},
	{name: "enabled", body: `"max_tokens":9000,"thinking":{"type":"enabled","budget_tokens":2048},` + user,
		models: opus, words: "\"thinking.type.enabled\" is not supported for this model", rules: "thinking"},
	{name: "budget too small", body: `"max_tokens":9000,"thinking":{"type":"enabled","budget_tokens":100},` + user,
		models: haiku | sonnet, words: "Input should be greater than or equal to 1024", rules: "thinking"},
	{name: "budget too large", body: `"max_tokens":64000,"stream":true,"thinking":{"type":"enabled","budget_tokens":50000},` + user,
		models: haiku | sonnet, words: "less than or equal to 32000", rules: "thinking"},
	{name: "budget beyond the answer", body: `"max_tokens":4000,"thinking":{"type":"enabled","budget_tokens":31999},` + user,
		models: haiku | sonnet, words: "`max_tokens` must be greater than `thinking.budget_tokens`", rules: "thinking"},
	{name: "no budget", body: `"max_tokens":4000,"thinking":{"type":"enabled"},` + user,
		models: haiku | sonnet, words: "greater than or equal to 1024", rules: "thinking"},
	{name: "no room for a budget", body: `"max_tokens":9,"thinking":{"type":"enabled","budget_tokens":1024},` + user,
		models: haiku | sonnet, words: "must be greater than", rules: "thinking"},
	{name: "adaptive with budget", body: `"max_tokens":9000,"thinking":{"type":"adaptive","budget_tokens":2048},` + user,
		models: sonnet | opus, words: "thinking.adaptive.budget_tokens: Extra inputs are not permitted", rules: "thinking-fields"},
	{name: "disabled with budget", body: `"max_tokens":9,"thinking":{"type":"disabled","budget_tokens":2048},` + user,
		models: all, words: "thinking.disabled.budget_tokens: Extra inputs are not permitted", rules: "thinking-fields"},
	{name: "display", body: `"max_tokens":9000,"thinking":{"type":"adaptive","display":"updates"},` + user,
		models: sonnet | opus, words: "display: Input should be 'summarized' or 'omitted'", rules: "thinking-fields"},
	{name: "forced tool", body: `"max_tokens":9000,"thinking":{"type":"enabled","budget_tokens":1024},"tools":[{"name":"a",` + schema + `}],"tool_choice":{"type":"any"},` + user,
		models: haiku | sonnet, words: "Thinking may not be enabled when tool_choice forces tool use.", rules: "forced-tool"},
	{name: "temperature", body: `"max_tokens":9000,"temperature":0.5,"thinking":{"type":"enabled","budget_tokens":1024},` + user,
		models: haiku | sonnet, words: "`temperature` may only be set to 1 when thinking", rules: "sampling"},
	{name: "temperature adaptive", body: `"max_tokens":9000,"temperature":0,"thinking":{"type":"adaptive"},` + user,
		models: sonnet | opus, words: "`temperature` may only be set to 1 when thinking", rules: "sampling"},
	{name: "top_k", body: `"max_tokens":9000,"top_k":5,"thinking":{"type":"enabled","budget_tokens":1024},` + user,
		models: haiku | sonnet, words: "`top_k` must be unset", rules: "sampling"},
	{name: "top_p", body: `"max_tokens":9000,"top_p":0.5,"thinking":{"type":"enabled","budget_tokens":1024},` + user,
		models: haiku | sonnet, words: "`top_p` must be", rules: "sampling"},
	{name: "effort where there is none", body: `"max_tokens":9,"output_config":{"effort":"high"},` + user,
		models: haiku, words: `output_config.effort "high" is not supported by model claude-haiku-4.5`, rules: "effort"},
	{name: "effort not in the list", body: `"max_tokens":9,"output_config":{"effort":"xhigh"},` + user,
		models: haiku | sonnet, words: `output_config.effort "xhigh" is not supported`, rules: "effort"},
	{name: "no effort at all", body: `"max_tokens":9,"output_config":{"effort":"enormous"},` + user,
		models: all, words: `"enormous" is not supported`, rules: "effort"},
	{name: "context management without beta", body: `"max_tokens":9,"context_management":{"edits":[{"type":"clear_tool_uses_20250919"}]},` + user,
		models: all, words: "context_management: Extra inputs are not permitted", rules: "context-management"},
	{name: "compaction without beta", body: `"max_tokens":9,"context_management":{"edits":[{"type":"clear_tool_uses_20250919"},{"type":"compact_20260112"}]},` + user,
		betas: "context-management-2025-06-27", models: all, words: "Input tag 'compact_20260112'", rules: "context-management"},
	{name: "clearing what is not there", body: `"max_tokens":9,"context_management":{"edits":[{"type":"clear_thinking_20251015","keep":"all"}]},` + user,
		betas: "context-management-2025-06-27", models: all, words: "strategy requires `thinking`", rules: "context-management"},
	{name: "cache mark on a deferred tool", body: `"max_tokens":9,"tools":[{"name":"a","defer_loading":true,` + marked + `,` + schema + `}],` + user,
		models: all, words: "cannot have `cache_control`", rules: "cache-deferred"},
	{name: "cache scope", body: `"max_tokens":9,"system":[{"type":"text","text":"s","cache_control":{"type":"ephemeral","scope":"global","ttl":"1h"}}],` + user,
		models: all, words: "cache_control.ephemeral.scope: Extra inputs are not permitted", rules: "cache-fields"},
	{name: "cache scope within a result", body: `"max_tokens":9,"messages":[{"role":"user","content":"hi"},` + call + `,{"role":"user","content":[
		{"type":"tool_result","tool_use_id":"t1","content":[{"type":"text","text":"x","cache_control":{"type":"ephemeral","scope":"global"}}]}]}]`,
		models: all, words: "cache_control.ephemeral.scope: Extra inputs are not permitted", rules: "cache-fields"},
	{name: "five cache marks", body: `"max_tokens":9,"system":[` + many(3, `{"type":"text","text":"s%d",`+marked+`}`) + `],"messages":[{"role":"user","content":[` + many(2, `{"type":"text","text":"u%d",`+marked+`}`) + `]}]`,
		models: all, words: "A maximum of 4 blocks with cache_control may be provided. Found 5.", rules: "cache-count"},
	{name: "top-level cache mark", body: `"max_tokens":9,"cache_control":{"type":"ephemeral"},` + user,
		models: all, words: "cache_control: Extra inputs are not permitted", rules: "auto-cache"},
	{name: "inference_geo", body: `"max_tokens":9,"inference_geo":"us",` + user,
		models: all, words: "inference_geo: Extra inputs are not permitted", rules: "unknown-fields"},
	{name: "fallbacks", body: `"max_tokens":9,"fallbacks":[],"thread":null,` + user,
		models: all, words: "fallbacks: Extra inputs are not permitted", rules: "unknown-fields"},
	{name: "metadata", body: `"max_tokens":9,"metadata":{"user_id":"u","team":"t"},` + user,
		models: all, words: "metadata.team: Extra inputs are not permitted", rules: "unknown-fields"},
	{name: "output_config", body: `"max_tokens":9,"output_config":{"task_budget":1},` + user,
		models: all, words: "output_config.task_budget: Extra inputs are not permitted", rules: "unknown-fields"},
	{name: "space after an answer to go on with", body: `"max_tokens":9,"messages":[{"role":"user","content":"hi"},{"role":"assistant","content":"So \n"}]`,
		models: haiku, words: "final assistant content cannot end with trailing whitespace", rules: "prefill-space"},
	{name: "answer to go on with", body: `"max_tokens":9,"messages":[{"role":"user","content":"hi"},{"role":"assistant","content":"So"}]`,
		models: sonnet | opus, words: "does not support assistant message prefill", rules: "trailing-assistant"},
	{name: "empty answer to go on with", body: `"max_tokens":9,"messages":[{"role":"user","content":"hi"},{"role":"assistant","content":[]}]`,
		models: sonnet | opus, words: "does not support assistant message prefill", rules: "trailing-assistant"},
	{name: "everything", body: `"max_tokens":99999,"temperature":0.1,"thinking":{"type":"enabled","budget_tokens":7,"display":"x"},"output_config":{"effort":"xhigh","z":1},
		"system":" ","context_management":{"edits":[]},"x":1,"tools":[{"name":"a","input_schema":{"$schema":"s"},"eager_input_streaming":true}],
		"messages":[{"role":"user","content":" "},{"role":"assistant","content":[{"type":"text","text":""}],"q":1}]`,
		models: all, words: "context_management: Extra inputs are not permitted",
		rules: "message-fields tool-fields tool-schemas blank-text empty-system max-tokens thinking thinking-fields sampling effort context-management unknown-fields"},
}

// post sends a request to the simulated service.
func post(t *testing.T, sim *sim.Server, body []byte, betas string) (int, string) {
	t.Helper()
	req, err := http.NewRequest(http.MethodPost, sim.CopilotURL()+"/v1/messages", bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range map[string]string{"Authorization": "Bearer " + sim.Token(), "Content-Type": "application/json",
		"Copilot-Integration-Id": "copilot-developer-cli", "Editor-Version": "parley/1", "X-GitHub-Api-Version": "2026-07-01",
		"Anthropic-Version": "2023-06-01", "Anthropic-Beta": betas, "User-Agent": "parley/1"} {
		if value != "" {
			req.Header.Set(name, value)
		}
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(answer)
}

// hurry is a clock whose time passes as soon as somebody waits for it.
type hurry struct{ ahead atomic.Int64 }

func (h *hurry) Now() time.Time { return time.Now().Add(time.Duration(h.ahead.Load())) }

func (h *hurry) Sleep(ctx context.Context, d time.Duration) error {
	h.ahead.Add(int64(d))
	return ctx.Err()
}

func strictService(t *testing.T) *sim.Server {
	t.Helper()
	sim, err := sim.Start(sim.Options{Strict: true, Clock: &hurry{}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = sim.Close() })
	t.Cleanup(http.DefaultClient.CloseIdleConnections)
	return sim
}

// mended is a result with its body.
type mended struct {
	Result
	Body []byte
}

func mend(r *Repairer, body []byte, m Model, betas []string) (mended, error) {
	out, res, err := r.Body(body, m, betas)
	return mended{res, out}, err
}

func newRepairer(t testing.TB, o Options) *Repairer {
	t.Helper()
	r, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Every bad shape is refused by the service, for each kind of model in its words, and accepted once repaired. What a
// model accepts is not touched.
func TestStrictServiceTakesWhatWasRepaired(t *testing.T) {
	sim := strictService(t)
	seen := map[string]bool{}
	for _, b := range bads {
		for i, f := range families {
			t.Run(b.name+"/"+f.id, func(t *testing.T) {
				body := []byte(`{"model":"` + f.id + `",` + b.body + `}`)
				refused := b.models&(1<<i) != 0
				status, answer := post(t, sim, body, b.betas)
				if refused && (status != http.StatusBadRequest || !strings.Contains(unquoted(answer), b.words)) {
					t.Fatalf("sent directly: %d %s, want a refusal with %q", status, answer, b.words)
				}
				res, err := mend(newRepairer(t, Options{}), body, f.model, []string{b.betas})
				if err != nil {
					t.Fatal(err)
				}
				if status == http.StatusOK {
					if len(res.Fired) > 0 && b.name != "beta without date" {
						t.Errorf("a good request was changed by %v: %s", res.Fired, res.Body)
					}
					return
				}
				for _, fired := range res.Fired {
					seen[fired.Rule] = true
				}
				if first := b.models & -b.models; first == 1<<i {
					if got := strings.Join(ruleNames(res.Fired), " "); got != b.rules {
						t.Errorf("fired %q, want %q", got, b.rules)
					}
				}
				if status, answer := post(t, sim, res.Body, res.Betas); status != http.StatusOK {
					t.Errorf("repaired: %d %s\n%s", status, answer, res.Body)
				}
				again, err := mend(newRepairer(t, Options{}), res.Body, f.model, []string{res.Betas})
				if err != nil || len(again.Fired) > 0 {
					t.Errorf("the second time %v %v: %s", again.Fired, err, again.Body)
				}
			})
		}
	}
	for _, name := range Names() {
		// cache-thinking needs reasoning that the service has signed: that has a separate test.
		if !seen[name] && name != "cache-thinking" {
			t.Errorf("no bad shape is mended by %s", name)
		}
	}
}

// unquoted is the message of an answer as it was before it was put into JSON.
func unquoted(answer string) string {
	var a struct {
		Error struct{ Message string }
	}
	if json.Unmarshal([]byte(answer), &a) == nil && a.Error.Message != "" {
		return a.Error.Message
	}
	return answer
}

func ruleNames(fired []Fired) []string {
	var out []string
	for _, f := range fired {
		out = append(out, f.Rule)
	}
	return out
}

// Reasoning that the service has signed survives every repair around it, byte for byte, and is accepted.
func TestSignedReasoningIsNeverRewritten(t *testing.T) {
	sim := strictService(t)
	rules, err := script.Parse(strings.NewReader("rules:\n  - reply:\n      - think: \"Hm \\u2028 <b> é \\\"x\\\"\"\n      - text: Yes.\n"), "test")
	if err != nil {
		t.Fatal(err)
	}
	sim.SetScript(rules)
	_, first := post(t, sim, []byte(`{"model":"claude-sonnet-4.6","max_tokens":9000,"thinking":{"type":"adaptive"},`+user+`}`), "")
	var a struct {
		Content []struct{ Type, Thinking, Signature string }
	}
	if err := json.Unmarshal([]byte(first), &a); err != nil || len(a.Content) == 0 || a.Content[0].Signature == "" {
		t.Fatalf("no signed reasoning: %s", first)
	}
	thinking, _ := json.Marshal(a.Content[0].Thinking)
	odd := ` {"signature" : "` + a.Content[0].Signature + `","\u0074ype":"thinking", "thinking":` + string(thinking)
	body := `{"model":"claude-sonnet-4.6","max_tokens":9000,"x":1,"messages":[{"role":"user","content":"hi"},{"role":"assistant","content":[` +
		odd + `,` + marked + `}, {"type":"text","text":""},{"type":"text","text":"Yes."}]},{"role":"user","content":"go on"}]}`
	if status, answer := post(t, sim, []byte(strings.Replace(body, `"x":1,`, ``, 1)), ""); status != 400 {
		t.Fatalf("a marked reasoning block was taken: %d %s", status, answer)
	}
	res, err := mend(newRepairer(t, Options{}), []byte(body), families[1].model, nil)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(res.Body, []byte(odd+`}`)) || !slices.Contains(ruleNames(res.Fired), "cache-thinking") {
		t.Errorf("%v: %s", res.Fired, res.Body)
	}
	if status, answer := post(t, sim, res.Body, ""); status != http.StatusOK {
		t.Errorf("repaired: %d %s", status, answer)
	}
}
