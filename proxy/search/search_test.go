package search

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	const tool = `"tools":[{"type":"web_search_20250305","name":"web_search"}]`
	for name, c := range map[string]struct{ body, text string }{
		"text":      {`{` + tool + `,"messages":[{"role":"user","content":"q"}]}`, "q"},
		"blocks":    {`{` + tool + `,"messages":[{"role":"user","content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}]}`, "a\nb"},
		"image":     {`{` + tool + `,"messages":[{"role":"user","content":[{"type":"text","text":"a"},{"type":"image"}]}]}`, ""},
		"longer":    {`{` + tool + `,"messages":[{"role":"user","content":"q"},{"role":"assistant","content":"a"},{"role":"user","content":"r"}]}`, ""},
		"answer":    {`{` + tool + `,"messages":[{"role":"assistant","content":"q"}]}`, ""},
		"blank":     {`{` + tool + `,"messages":[{"role":"user","content":" "}]}`, ""},
		"own tool":  {`{"tools":[{"name":"web_search_x"}],"messages":[{"role":"user","content":"q"}]}`, ""},
		"two tools": {`{"tools":[{"type":"web_search_20250305"},{"name":"a"}],"messages":[{"role":"user","content":"q"}]}`, ""},
		"in words":  {`{"messages":[{"role":"user","content":"web_search_20250305"}]}`, ""},
		"no object": {`[web_search_20250305`, ""},
	} {
		got := ""
		if r := Parse([]byte(c.body)); r != nil {
			got = r.Text
		}
		if got != c.text {
			t.Errorf("%s: %q", name, got)
		}
	}
	r := Parse([]byte(`{"tools":[{"type":"web_search_20250305","max_uses":8,"allowed_domains":["https://Go.dev:443/doc","*.example.com",""," "],"blocked_domains":["spam.example."]}],
		"messages":[{"role":"user","content":"q"}]}`))
	if r.MaxUses != 8 || !slices.Equal(r.Allowed, []string{"go.dev", "example.com"}) || !slices.Equal(r.Blocked, []string{"spam.example"}) {
		t.Errorf("%+v", r)
	}
	for host, want := range map[string]bool{"go.dev": true, "pkg.go.dev": true, "GO.DEV.": true, "notgo.dev": false, "a.example.com": true, "spam.example": false, "": false} {
		if r.allows(host) != want {
			t.Errorf("%q allowed: %t", host, !want)
		}
	}
}

// FuzzMessage reads answers of any form: each becomes an error or a message that can be sent, whole and as events.
func FuzzMessage(f *testing.F) {
	f.Add(`{"output":[{"type":"web_search_call","action":{"type":"search","query":"q","sources":[{"url":"https://a"}]}},` +
		`{"type":"message","content":[{"type":"output_text","text":"t","annotations":[{"type":"url_citation","url":"https://a","title":"A"}]}]}],` +
		`"usage":{"input_tokens":9,"input_tokens_details":{"cached_tokens":3},"output_tokens":2},"copilot_usage":{"total_nano_aiu":1}}`)
	f.Add(`{"output":[{"type":"web_search_call","action":"x"},{"type":"message","content":[{"refusal":"no"}]}]}`)
	f.Add(`{"output":[{"type":"web_search_call","action":{"type":"open_page","url":"https://[::1"}}],"copilot_usage":null}`)
	f.Add(`[]`)
	f.Fuzz(func(t *testing.T, answer string) {
		r := &Request{Text: "q", MaxUses: 1, Blocked: []string{"spam.example"}}
		m, err := r.Message("msg_1", "claude", []byte(answer))
		if err != nil {
			return
		}
		if !json.Valid(m.JSON()) || m.Usage.Input < 0 {
			t.Errorf("%s", m.JSON())
		}
		events := m.Events()
		if events[0].Name != "message_start" || events[len(events)-1].Name != "message_stop" {
			t.Errorf("%v", events)
		}
		for _, e := range events {
			if !json.Valid(e.Data) {
				t.Errorf("%s", e.Data)
			}
		}
		if strings.Contains(string(m.JSON()), `"url":"https://spam.example`) {
			t.Error("a blocked page is named")
		}
	})
}
