package copilot

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"parley/internal/jsonedit"
)

func TestPrepareBody(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{`{}`, `{"stream":true}`},
		{` { } `, ` {"stream":true } `},
		{`{"a":1}`, `{"stream":true,"a":1}`},
		{"{\n  \"a\": 1\n}\n", "{\n  \"stream\":true,\"a\": 1\n}\n"},
		{`{"stream":true}`, `{"stream":true}`},
		{`{"stream":false,"a":"stream"}`, `{"stream":true,"a":"stream"}`},
		{`{"stream":null}`, `{"stream":true}`},
		{`{"stream":{"deep":[1]},"b":2}`, `{"stream":true,"b":2}`},
		{`{"stream":false,"stream":0}`, `{"stream":true,"stream":true}`},
		{`{"str\u0065am":false}`, `{"str\u0065am":true}`},
		{`{"stream":true,"system":"a\"b"}`, `{"stream":true,"system":[{"type":"text","text":"a\"b"}]}`},
		{`{"stream":true,"system":""}`, `{"stream":true,"system":[{"type":"text","text":""}]}`},
		{`{"stream":true,"system":[{"type":"text","text":"x"}]}`, `{"stream":true,"system":[{"type":"text","text":"x"}]}`},
		{`{"stream":true,"system":null}`, `{"stream":true,"system":null}`},
		{`{"stream":true,"system":[]}`, `{"stream":true,"system":[]}`},
		{`{"messages":[{"system":"x","stream":false}]}`, `{"stream":true,"messages":[{"system":"x","stream":false}]}`},
		{`{"system":"x"}`, `{"stream":true,"system":[{"type":"text","text":"x"}]}`},
		{`{"a":"\\","stream":1,"b":"\\\""}`, `{"a":"\\","stream":true,"b":"\\\""}`},
	} {
		out, ok := prepareBody([]byte(tt.in), true)
		if !ok || string(out) != tt.want {
			t.Errorf("%s\n got %s, %v\nwant %s", tt.in, out, ok, tt.want)
		}
		again, ok := prepareBody(out, true)
		if !ok || !bytes.Equal(again, out) {
			t.Errorf("%s: the second time it becomes %s", tt.in, again)
		}
	}
	body := []byte(`{"stream":true,"system":[]}`)
	if out, _ := prepareBody(body, true); &out[0] != &body[0] {
		t.Error("a body that needs no change was copied")
	}
}

// Whatever the request, what is outside the edits stays byte for byte, and the edits do what they are for.
func FuzzPrepareBody(f *testing.F) {
	for _, s := range []string{
		`{"model":"x","system":"s","messages":[{"role":"user","content":"h\"i"}],"stream":false}`, `{}`, `{"system":[]}`,
		`{"a":1e400,"system":"\ud800","stream":"x"}`, ` {"a" : [ {"system":"x"} ] } `, `{"a":{"b":"}"}}`, `{"stream":`, `[]`,
	} {
		f.Add([]byte(s), true)
		f.Add([]byte(s), false)
	}
	f.Fuzz(func(t *testing.T, in []byte, stream bool) {
		before := bytes.Clone(in)
		out, ok := prepareBody(in, stream)
		if !bytes.Equal(in, before) {
			t.Fatal("the input was changed")
		}
		var want map[string]json.RawMessage
		valid := json.Unmarshal(in, &want) == nil && want != nil
		if valid && !ok {
			t.Fatalf("%q was refused", in)
		}
		if !valid {
			return // whatever it is, the service will refuse it
		}
		var got map[string]json.RawMessage
		if err := json.Unmarshal(out, &got); err != nil {
			t.Fatalf("%q became %q: %v", in, out, err)
		}
		if s := string(got["stream"]); s != map[bool]string{true: "true", false: "false"}[stream] {
			t.Errorf("%q: stream is %s", out, s)
		}
		for name, value := range want {
			switch {
			case name == "stream":
			case name == "system" && value[0] == '"':
				if string(got[name]) != `[{"type":"text","text":`+string(value)+`}]` {
					t.Errorf("%q: system is %s", out, got[name])
				}
			case !bytes.Equal(got[name], value):
				t.Errorf("%q: %s is %s", out, name, got[name])
			}
		}
		if strip(in) != strip(out) && !strings.Contains(string(in), `\`) {
			t.Errorf("%q became %q", in, out)
		}
	})
}

// strip takes out what prepareBody may put in or replace.
func strip(body []byte) string {
	var out []byte
	at := 0
	s := jsonedit.Scan(body)
	for more := s.TopObject(); more; more = s.NextMember() {
		key, p := s.Key(), s.Value()
		value := body[p.From:p.To]
		switch {
		case s.Is(key, "stream"):
			out = append(out, body[at:key.From]...)
			at = p.To
		case s.Is(key, "system"):
			out = append(out, body[at:p.From]...)
			value = bytes.TrimSuffix(bytes.TrimPrefix(value, []byte(`[{"type":"text","text":`)), []byte(`}]`))
			out = append(out, value...)
			at = p.To
		}
	}
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(" \t\r\n,", r) {
			return -1
		}
		return r
	}, string(append(out, body[at:]...)))
}
