package repair

import (
	"bytes"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"parley/copilot"
	"parley/internal/jsonedit"
)

// The exact bytes that rules leave, in bodies with unusual formatting.
func TestRulesLeaveTheseBytes(t *testing.T) {
	for _, tt := range []struct {
		name, in, want string
		betas          []string
		model          Model
		o              Options
	}{
		{name: "nothing to do", in: `{ "max_tokens" : 1.0e1, "messages":[{"role":"user","content":"\u0068\/i"}] }`,
			want: `{ "max_tokens" : 1.0e1, "messages":[{"role":"user","content":"\u0068\/i"}] }`},
		{name: "fields", in: "{ \"a\\u0062c\": 1 ,\n \"max_tokens\": 9, \"x\":{\"y\":[1]} }", want: `{ "max_tokens": 9 }`},
		{name: "effort of single messages", in: `{"messages":[{"role":"user","content":"a","output_config":{"effort":"low"}},{"role":"system","content":"S","output_config":{"effort":"xhigh"}}],"output_config":{"effort":"medium"}}`,
			model: families[1].model, want: `{"messages":[{"role":"user","content":[{"type":"text","text":"a"},` + reminder("S") + `]}],"output_config":{"effort":"high"}}`},
		{name: "effort of a message and none for all", in: `{"messages":[{"role":"user","content":"a","output_config":{"effort":"low"}}],"output_config":{"format":{}}}`,
			model: families[1].model, want: `{"messages":[{"role":"user","content":"a"}],"output_config":{"format":{},"effort":"low"}}`},
		{name: "effort of a message only", in: `{"messages":[{"role":"user","content":"a","output_config":{"effort":"low"}}]}`,
			model: families[1].model, want: `{"messages":[{"role":"user","content":"a"}],"output_config":{"effort":"low"}}`},
		{name: "effort of a message without a model", in: `{"messages":[{"role":"user","content":"a","output_config":{"effort":"low"}}]}`,
			want: `{"messages":[{"role":"user","content":"a"}]}`},
		{name: "the last tools go, but not the used one", in: `{"tools":[` + many(130, `{"name":"a%d",`+schema+`}`) +
			`],"messages":[{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"a129","input":{}}]}]}`,
			want: `{"tools":[` + many(127, `{"name":"a%d",`+schema+`}`) + `,{"name":"a129",` + schema +
				`}],"messages":[{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"a129","input":{}}]}]}`},
		{name: "ids that fall together", in: `{"messages":[{"content":[{"type":"tool_use","id":"a.b","input":{}},{"type":"tool_use","id":"a_b","input":{}},` +
			`{"type":"tool_use","id":"a|b","input":{}},{"type":"tool_use","id":"","input":{}}]},{"content":[{"type":"tool_result","tool_use_id":"a|b"}]}]}`,
			want: `{"messages":[{"content":[{"type":"tool_use","id":"a_b_","input":{}},{"type":"tool_use","id":"a_b","input":{}},` +
				`{"type":"tool_use","id":"a_b__","input":{}},{"type":"tool_use","id":"_","input":{}}]},{"content":[{"type":"tool_result","tool_use_id":"a_b__"}]}]}`},
		{name: "image keeps its mark", in: `{"messages":[{"content":[{"type":"image","source":{"type":"url","url":"https:\/\/x"},"cache_control":{"type":"ephemeral"}}]}]}`,
			want: `{"messages":[{"content":[{"type":"text","cache_control":{"type":"ephemeral"},"text":"[Here is an image that cannot be seen: it was sent by reference, and only images sent as data (base64) get through. Its address: https://x]"}]}]}`},
		{name: "foreign reasoning", in: `{"messages":[{"content":[{"type":"thinking","thinking":"x","signature":"gpt:1"}, {"type":"thinking","thinking":"x","signature":"Eg=="},{"type":"text","text":"y"}]}]}`,
			want: `{"messages":[{"content":[{"type":"thinking","thinking":"x","signature":"Eg=="},{"type":"text","text":"y"}]}]}`,
			o:    Options{Foreign: func(s []byte) bool { return bytes.HasPrefix(s, []byte("gpt:")) }}},
		{name: "nothing but unsigned reasoning", in: `{"messages":[{"content":[{"type":"thinking","thinking":"x"}]}]}`,
			want: `{"messages":[{"content":[{"type":"text","text":"(no content)"}]}]}`},
		{name: "blank blocks", in: `{"messages":[{"role":"user","content":[{"type":"text","text":""}, {"type":"text","text":"\n"}]},{"role":"user","content":[]},{"role":"user","content":"x"}]}`,
			want: `{"messages":[{"role":"user","content":[{"type":"text","text":"(no content)"}]},{"role":"user","content":[{"type":"text","text":"(no content)"}]},{"role":"user","content":"x"}]}`},
		{name: "a blank answer goes", in: `{"messages":[{"role":"user","content":"x"} , {"role":"assistant","content":"  "} ]}`,
			want: `{"messages":[{"role":"user","content":"x"} ]}`},
		{name: "adaptive becomes enabled", in: `{"max_tokens":4000,"thinking":{ "type":"adaptive" },"stream":true}`, model: families[0].model,
			want: `{"max_tokens":4000,"thinking":{ "type":"enabled","budget_tokens":3999 },"stream":true}`},
		{name: "adaptive becomes enabled with the usual budget", in: `{"max_tokens":40000,"thinking":{"type":"adaptive"},"stream":true}`, model: families[0].model,
			want: `{"max_tokens":40000,"thinking":{"type":"enabled","budget_tokens":16000},"stream":true}`},
		{name: "enabled becomes adaptive", in: `{"max_tokens":40000,"thinking":{"type":"enabled","budget_tokens":9},"stream":true}`, model: families[2].model,
			want: `{"max_tokens":40000,"thinking":{"type":"adaptive"},"stream":true}`},
		{name: "a model without thinking", in: `{"thinking":{"type":"enabled","budget_tokens":9},"temperature":0.5}`, model: Model{Known: true},
			want: `{"temperature":0.5}`},
		{name: "nothing is known of the model", in: `{"max_tokens":1000000,"thinking":{"type":"enabled","budget_tokens":9},"output_config":{"effort":"x"}}`,
			want: `{"max_tokens":1000000,"thinking":{"type":"enabled","budget_tokens":9},"output_config":{"effort":"x"}}`},
		{name: "effort goes down", in: `{"output_config":{"effort":"xhigh","format":{}}}`, model: families[1].model,
			want: `{"output_config":{"effort":"high","format":{}}}`},
		{name: "effort goes", in: `{"output_config":{"effort":"xhigh","format":{}}}`, model: families[0].model, want: `{"output_config":{"format":{}}}`},
		{name: "effort alone goes", in: `{"output_config":{"effort":"max"},"max_tokens":1}`, model: families[0].model, want: `{"max_tokens":1}`},
		{name: "output format beside an effort", in: `{"output_format":{"type":"json_schema"},"output_config":{"effort":"low"}}`, model: families[1].model,
			want: `{"output_config":{"effort":"low","format":{"type":"json_schema"}}}`},
		{name: "cache marks that are worth less", in: `{"tools":[{"type":"bash_1",` + marked + `},{"type":"bash_2",` + marked + `}],"system":[{"text":"a",` + marked + `},{"text":"b",` + marked + `}],` +
			`"messages":[{"content":[{"type":"x",` + marked + `}]},{"content":[{"type":"x",` + marked + `,"content":[{"type":"y",` + marked + `}]}]}]}`,
			want: `{"tools":[{"type":"bash_1"},{"type":"bash_2",` + marked + `}],"system":[{"text":"a"},{"text":"b",` + marked + `}],` +
				`"messages":[{"content":[{"type":"x"}]},{"content":[{"type":"x",` + marked + `,"content":[{"type":"y",` + marked + `}]}]}]}`},
		{name: "mark on the whole request", in: `{"cache_control":{"type":"ephemeral","ttl":"1h","scope":"x"},"messages":[{"role":"user","content":"hi"}]}`,
			want: `{"messages":[{"role":"user","content":[{"type":"text","text":"hi","cache_control":{"type":"ephemeral","ttl":"1h"}}]}]}`},
		{name: "mark on the whole request, on a block", in: `{"messages":[{"role":"user","content":[{"type":"text","text":"hi"}]}],"cache_control":{"type":"ephemeral"}}`,
			want: `{"messages":[{"role":"user","content":[{"type":"text","text":"hi","cache_control":{"type":"ephemeral"}}]}]}`},
		{name: "mark on the whole request, no room", in: `{"cache_control":{"type":"ephemeral"},"messages":[{"content":[` + many(4, `{"type":"text","text":"%d",`+marked+`}`) + `,{"type":"text","text":"x"}]}]}`,
			want: `{"messages":[{"content":[` + many(4, `{"type":"text","text":"%d",`+marked+`}`) + `,{"type":"text","text":"x"}]}]}`},
		{name: "words to go on with", in: `{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"text","text":"b"}]}]}`, model: families[1].model,
			want: `{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"text","text":"b"}]},{"role":"user","content":"Please continue."}]}`},
		{name: "an open call is not answered", in: `{"messages":[{"role":"assistant","content":[{"type":"tool_use","id":"t","input":{}}]}]}`, model: families[1].model,
			want: `{"messages":[{"role":"assistant","content":[{"type":"tool_use","id":"t","input":{}}]}]}`},
		{name: "space in the last block", in: `{"messages":[{"role":"assistant","content":[{"type":"text","text":"a "},{"type":"text","text":"b\u00a0\n"}]}]}`, model: families[0].model,
			want: `{"messages":[{"role":"assistant","content":[{"type":"text","text":"a "},{"type":"text","text":"b"}]}]}`},
		{name: "fold into the next turn",
			in:   `{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":"b"},{"role":"system","content":"S\"1"},{"role":"system","content":[{"type":"text","text":"S2"}]},{"role":"user","content":"c"}]}`,
			want: `{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":"b"},{"role":"user","content":[` + reminder(`S\"1`) + `,` + reminder("S2") + `,{"type":"text","text":"c"}]}]}`},
		{name: "fold behind results",
			in: `{"messages":[{"role":"system","content":"S"},{"role":"user","content":[{"type":"tool_result","tool_use_id":"t"},{"type":"text","text":"c"}]},{"role":"assistant","content":"a"},` +
				`{"role":"system","content":"T"},{"role":"user","content":[{"type":"tool_result","tool_use_id":"u"}]}]}`,
			want: `{"messages":[{"role":"user","content":[{"type":"tool_result","tool_use_id":"t"},` + reminder("S") + `,{"type":"text","text":"c"}]},{"role":"assistant","content":"a"},` +
				`{"role":"user","content":[{"type":"tool_result","tool_use_id":"u"},` + reminder("T") + `]}]}`},
		{name: "a folded mark stays at the end",
			in: `{"messages":[{"role":"user","content":"a"},{"role":"system","content":[{"type":"text","text":"S",` + marked + `}]},{"role":"assistant","content":[` + many(4, `{"type":"text","text":"%d",`+marked+`}`) +
				`]},{"role":"user","content":"b"},{"role":"system","content":[{"type":"text","text":"T","cache_control":{"type":"ephemeral","scope":"x","ttl":"1h"}}]}]}`,
			want: `{"messages":[{"role":"user","content":[{"type":"text","text":"a"},` + reminder("S") + `]},{"role":"assistant","content":[{"type":"text","text":"0"},` +
				`{"type":"text","text":"1",` + marked + `},{"type":"text","text":"2",` + marked + `},{"type":"text","text":"3",` + marked + `}]},{"role":"user","content":[{"type":"text","text":"b"},` +
				`{"type":"text","text":"<system-reminder>\nT\n</system-reminder>","cache_control":{"type":"ephemeral","ttl":"1h"}}]}]}`},
		{name: "fold into the turn before", in: `{"messages":[{"role":"system","content":"R"},{"role":"user","content":"a"},{"role":"system","content":"S"}]}`,
			want: `{"messages":[{"role":"user","content":[` + reminder("R") + `,{"type":"text","text":"a"},` + reminder("S") + `]}]}`},
		{name: "fold into a separate turn", in: `{"messages":[{"role":"assistant","content":"a"},{"role":"system","content":"S"}]}`,
			want: `{"messages":[{"role":"assistant","content":"a"},{"role":"user","content":"S"}]}`},
		{name: "fold nothing", in: `{"messages":[{"role":"system","content":""},{"role":"user","content":"a"}]}`,
			want: `{"messages":[{"role":"user","content":"a"}]}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			res, err := mend(newRepairer(t, tt.o), []byte(tt.in), tt.model, tt.betas)
			if err != nil {
				t.Fatal(err)
			}
			if string(res.Body) != tt.want {
				t.Errorf("%v\n got %s\nwant %s", res.Fired, res.Body, tt.want)
			}
		})
	}
}

func reminder(text string) string {
	return `{"type":"text","text":"<system-reminder>\n` + text + `\n</system-reminder>"}`
}

func TestRefusals(t *testing.T) {
	for _, tt := range []struct{ in, rule, message string }{
		{`{"messages":[{"role":"user","content":"x"},{"role":"system","content":"x"}]}`, "system-role",
			"messages.1.role: Input should be 'user' or 'assistant'"},
		{`{"tools":[{"type":"web_search_20250305","name":"web_search"}]}`, "server-tools",
			"tools.0: The use of the web search tool is not supported: the Copilot API does not run it."},
		{`{"tools":[{"name":"a"},{"type":"web_fetch_20250910","name":"f"}],"tool_choice":{"type":"tool","name":"f"}}`, "server-tools",
			"tools.1: The use of the web fetch tool is not supported: the Copilot API does not run it."},
		{`{"messages":[{"role":"user","content":[{"type":"image","source":{"type":"url","url":"https://secret"}}]}]}`, "image-urls",
			"messages.0.content: external image URLs are not supported: the Copilot API does not fetch images. Send the image itself, as a base64 source."},
	} {
		r := newRepairer(t, Options{SystemRole: Refuse, ImageURL: Refuse})
		_, err := mend(r, []byte(tt.in), Model{}, nil)
		var refusal *Refusal
		if !errors.As(err, &refusal) || refusal.Rule != tt.rule || err.Error() != tt.message {
			t.Errorf("%s: %v", tt.in, err)
		}
		for _, c := range r.Counts() {
			if want := map[bool]int{true: 1}[c.Rule == tt.rule]; c.Count != want {
				t.Errorf("%s: %s counts %d", tt.in, c.Rule, c.Count)
			}
		}
		if _, err := mend(newRepairer(t, Options{Off: []string{tt.rule}, SystemRole: Refuse, ImageURL: Refuse}), []byte(tt.in), Model{}, nil); err != nil {
			t.Errorf("%s: refused although the rule is off: %v", tt.in, err)
		}
	}
	for _, in := range []string{``, `[]`, `{"a":}`} {
		if _, err := mend(newRepairer(t, Options{}), []byte(in), Model{}, nil); !errors.Is(err, jsonedit.ErrSyntax) && !errors.Is(err, jsonedit.ErrNotObject) {
			t.Errorf("%q: %v", in, err)
		}
	}
}

func TestNewChecksOptions(t *testing.T) {
	for _, o := range []Options{{Off: []string{"betas", "beats"}}, {SystemRole: Note}, {ImageURL: Fold}} {
		if _, err := New(o); err == nil {
			t.Errorf("%+v was taken", o)
		} else if len(o.Off) > 0 && (!strings.Contains(err.Error(), `"beats"`) || !strings.Contains(err.Error(), "trailing-assistant")) {
			t.Errorf("the error does not help: %v", err)
		}
	}
}

// Each rule alone does its part, and switched off does not: with all rules off not a byte changes.
func TestRulesCanBeSwitchedOff(t *testing.T) {
	names := Names()
	for _, b := range bads {
		body := []byte(`{"model":"m",` + b.body + `}`)
		for i, f := range families {
			if b.models&(1<<i) == 0 {
				continue
			}
			res, err := mend(newRepairer(t, Options{Off: names}), body, f.model, []string{b.betas})
			if err != nil || len(res.Fired) > 0 || &res.Body[0] != &body[0] || res.Betas != strings.Join(splitBetas([]string{b.betas}), ",") {
				t.Errorf("%s: all rules are off, and yet %v %v", b.name, res.Fired, err)
			}
			for _, rule := range names {
				res, err := mend(newRepairer(t, Options{Off: []string{rule}}), body, f.model, []string{b.betas})
				if err != nil || slices.Contains(ruleNames(res.Fired), rule) {
					t.Errorf("%s: %s fired although it is off: %v", b.name, rule, err)
				}
			}
		}
	}
}

func TestBetas(t *testing.T) {
	for _, tt := range []struct {
		in   []string
		want string
	}{
		{nil, ""},
		{[]string{""}, ""},
		{[]string{"interleaved-thinking-2025-05-14"}, "interleaved-thinking-2025-05-14"},
		{[]string{"advanced-tool-use-2025-11-20", "per-turn-control-2026-07-01"}, "advanced-tool-use-2025-11-20,per-turn-control-2026-07-01"},
		{[]string{"interleaved-thinking", "interleaved-thinking-", "interleaved-thinkingx-2025-05-14", "x-interleaved-thinking-2025-05-14",
			"INTERLEAVED-THINKING-2025-05-14", "interleaved-thinking-2"}, ""},
		{[]string{"claude-code-20250219,effort-2025-11-24,prompt-caching-scope-2026-01-05"}, ""},
		{[]string{"claude-code-20250219, interleaved-thinking-2025-05-14 ,effort-2025-11-24,context-management-2025-06-27"},
			"interleaved-thinking-2025-05-14,context-management-2025-06-27"},
		{[]string{"a-1,extended-cache-ttl-2025-04-11", "compact-2026-01-12,,b-4"}, "extended-cache-ttl-2025-04-11,compact-2026-01-12"},
	} {
		if res, err := mend(newRepairer(t, Options{}), []byte(`{}`), Model{}, tt.in); err != nil || res.Betas != tt.want {
			t.Errorf("%q: %q, want %q", tt.in, res.Betas, tt.want)
		}
	}
}

func TestBetasCanBeAdded(t *testing.T) {
	r := newRepairer(t, Options{Betas: []string{"context-1m"}})
	res, err := mend(r, []byte(`{}`), Model{}, []string{"context-1m-2025-08-07,effort-2025-11-24, compact-2026-01-12", "compact-2026-01-12"})
	if err != nil || res.Betas != "context-1m-2025-08-07,compact-2026-01-12" {
		t.Errorf("%q, %v", res.Betas, err)
	}
	if want := []Fired{{"betas", 1, "anthropic-beta"}}; !reflect.DeepEqual(res.Fired, want) {
		t.Errorf("%v", res.Fired)
	}
}

// What happened is counted and logged by name and place, without content.
func TestRepairsAreCountedAndLogged(t *testing.T) {
	var log bytes.Buffer
	r := newRepairer(t, Options{Log: slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))})
	body := []byte(`{"x":1,"y":2,"system":"","messages":[{"role":"user","content":[{"type":"text","text":"secret"},{"type":"text","text":" "}]}]}`)
	for range 2 {
		res, err := mend(r, body, Model{}, nil)
		want := []Fired{{"blank-text", 1, "messages.0.content"}, {"empty-system", 1, "system"}, {"unknown-fields", 2, "x"}}
		if err != nil || !reflect.DeepEqual(res.Fired, want) {
			t.Fatalf("%v, %v", res.Fired, err)
		}
	}
	counts := map[string]int{}
	for _, c := range r.Counts() {
		counts[c.Rule] = c.Count
	}
	if counts["unknown-fields"] != 4 || counts["blank-text"] != 2 || counts["effort"] != 0 || len(counts) != len(Names()) {
		t.Errorf("%v", counts)
	}
	if got := log.String(); strings.Count(got, "rule=unknown-fields count=2 at=x") != 2 || strings.Contains(got, "secret") {
		t.Errorf("%s", got)
	}
}

func TestModelOf(t *testing.T) {
	both := copilot.Supports{AdaptiveThinking: true, MinThinkingBudget: 256, MaxThinkingBudget: 32000, Efforts: []string{"low"}}
	for _, tt := range []struct {
		in   copilot.Model
		want Model
	}{
		{copilot.Model{}, Model{MinBudget: 1024, Prefill: true}},
		{copilot.Model{ID: "claude-haiku-4.5", Limits: copilot.Limits{Output: 9, NonStreamingOutput: 8}, Supports: copilot.Supports{MinThinkingBudget: 2048, MaxThinkingBudget: 4096}},
			Model{Known: true, Output: 9, Whole: 8, Manual: true, MinBudget: 2048, MaxBudget: 4096, Prefill: true}},
		{copilot.Model{ID: "claude-sonnet-4.6", Supports: both}, Model{Known: true, Adaptive: true, Manual: true, MinBudget: 1024, MaxBudget: 32000, Efforts: []string{"low"}}},
		{copilot.Model{ID: "claude-opus-4.7", Supports: both}, Model{Known: true, Adaptive: true, MinBudget: 1024, MaxBudget: 32000, Efforts: []string{"low"}}},
		{copilot.Model{ID: "claude-fable-5", Supports: both}, Model{Known: true, Adaptive: true, MinBudget: 1024, MaxBudget: 32000, Efforts: []string{"low"}}},
		{copilot.Model{ID: "claude-sonnet-4", Supports: copilot.Supports{Thinking: true}}, Model{Known: true, Manual: true, MinBudget: 1024, Prefill: true}},
	} {
		if got := ModelOf(tt.in); !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%s\n got %+v\nwant %+v", tt.in.ID, got, tt.want)
		}
	}
}

func TestSetModel(t *testing.T) {
	for in, want := range map[string]string{
		`{ "model" : "claude-opus-4-6" , "x":1}`: `{ "model" : "claude-opus-4.6" , "x":1}`,
		`{"model":"claude-opus-4.6"}`:            `{"model":"claude-opus-4.6"}`,
		`{"messages":[]}`:                        `{"messages":[]}`,
	} {
		req, err := Read([]byte(in))
		if err != nil {
			t.Fatal(err)
		}
		req.SetModel("claude-opus-4.6")
		if got := string(req.Bytes()); got != want {
			t.Errorf("%s became %s", in, got)
		}
	}
}

func TestIsBlank(t *testing.T) {
	for raw, want := range map[string]bool{`""`: true, `" \n\t\r\f"`: true, `"\u00a0\u0020"`: true, "\"\u2003\"": true,
		`" x"`: false, `"\u0041"`: false, "\"é\"": false, `"\\"`: false, `"\b"`: false, `1`: false, ``: false, `null`: false, `"\ud83d\ude00"`: false} {
		if got := isBlank([]byte(raw)); got != want {
			t.Errorf("%s: %v", raw, got)
		}
	}
}

// The table in the package's documentation lists the rules that there are, in their order.
func TestDocumentationListsTheRules(t *testing.T) {
	text, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	var listed []string
	for line := range strings.Lines(string(text)) {
		if name, ok := strings.CutPrefix(line, "//\t"); ok && name[0] >= 'a' && name[0] <= 'z' && !strings.HasPrefix(name, "rule ") {
			listed = append(listed, strings.Fields(name)[0])
		}
	}
	if !slices.Equal(listed, Names()) {
		t.Errorf("listed %v\nthere are %v", listed, Names())
	}
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "proxy.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range Names() {
		if !bytes.Contains(page, []byte("`"+name+"`")) {
			t.Errorf("the page for users does not tell of %s", name)
		}
	}
}

func TestListSystem(t *testing.T) {
	for in, want := range map[string]string{
		`{"system":"a\n","model":"m"}`:   `{"system":[{"type":"text","text":"a\n"}],"model":"m"}`,
		`{"system" : "a" }`:              `{"system" : [{"type":"text","text":"a"}] }`,
		`{"system":[ ],"x":"system"}`:    `{"system":[ ],"x":"system"}`,
		`{"messages":[{"system":"a"}]} `: `{"messages":[{"system":"a"}]} `,
	} {
		req, err := Read([]byte(in))
		if err != nil {
			t.Fatal(err)
		}
		req.ListSystem()
		req.ListSystem() // once is enough
		if got := string(req.Bytes()); got != want {
			t.Errorf("%s\n got %s\nwant %s", in, got, want)
		}
	}
}
