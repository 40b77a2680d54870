package proxy

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
)

func TestReadMessageBody(t *testing.T) {
	ok := []struct {
		body, model string
		stream      bool
	}{
		{`{"model":"m","messages":[]}`, "m", false},
		{` { "messages" : [ ] , "model" : "m" , "stream" : true } ` + "\n", "m", true},
		{`{"model":"m","messages":[],"stream":false}`, "m", false},
		{`{"model":"m","messages":[],"stream":null}`, "m", false},
		{`{"model":"m","messages":[],"thread":null}`, "m", false},
		{`{"mod\u0065l":"\u006d","messages":[{"role":"user","content":"x"},{"role":"assistant"},{},7]}`, "m", false},
		{`{"metadata":{"model":"no","stream":true,"messages":1},"model":"m","messages":[{"model":"no"}]}`, "m", false},
		{`{"system":[{"type":"text","text":"messages.role system"}],"model":"m","messages":[{"content":[{"role":"system"}]}]}`, "m", false},
	}
	for _, test := range ok {
		got, err := readMessageBody([]byte(test.body))
		if err != nil || got.model != test.model || got.stream != test.stream {
			t.Errorf("%s: %+v, %v", test.body, got, err)
		}
	}
	bad := []struct{ body, err string }{
		{``, "invalid JSON"},
		{`{`, "invalid JSON"},
		{`{"model":"m","messages":[]`, "invalid JSON"},
		{`{"model":"m","messages":[]} x`, "invalid JSON"},
		{`{"model":"m","messages":[],}`, "invalid JSON"},
		{`{"model":"m","messages":[1 2]}`, "invalid JSON"},
		{`{"model":"m","messages":[],"x":"` + "\x01" + `"}`, "invalid JSON"},
		{`{"model":"m","messages":[],"x":"\q"}`, "invalid JSON"},
		{`{"model":"m","messages":[]}` + "\x00", "invalid JSON"},
		{strings.Repeat(`{"a":`, 20000) + "1" + strings.Repeat("}", 20000), "invalid JSON"},
		{`[]`, "must be a JSON object"},
		{`null`, "must be a JSON object"},
		{`"x"`, "must be a JSON object"},
		{`{}`, "model: Field required"},
		{`{"messages":[]}`, "model: Field required"},
		{`{"model":"","messages":[]}`, "model: Field required"},
		{`{"model":null,"messages":[]}`, "model: Input should be a valid string"},
		{`{"model":7,"messages":[]}`, "model: Input should be a valid string"},
		{`{"model":"m"}`, "messages: Field required"},
		{`{"model":"m","messages":null}`, "messages: Input should be a valid list"},
		{`{"model":"m","messages":{}}`, "messages: Input should be a valid list"},
		{`{"model":"m","messages":"hi"}`, "messages: Input should be a valid list"},
		{`{"model":"m","messages":[],"stream":"yes"}`, "stream: Input should be a valid boolean"},
		{`{"model":"m","messages":[],"stream":1}`, "stream: Input should be a valid boolean"},
		{`{"model":"m","messages":[],"model":"n"}`, "model: given more than once"},
		{`{"messages":[],"model":"m","messages":[]}`, "messages: given more than once"},
		{`{"model":"m","messages":[],"thread":{"type":"create"}}`, "thread: "},
		{`{"thread":{"type":"continue"`, "invalid JSON"},
	}
	for _, test := range bad {
		if _, err := readMessageBody([]byte(test.body)); err == nil || !strings.Contains(err.Error(), test.err) {
			t.Errorf("%.80s: %v, want %q", test.body, err, test.err)
		}
	}
}

// An edit changes the one string and not a byte besides.
func FuzzModelEdit(f *testing.F) {
	f.Add([]byte(`{"model":"claude-opus-4-6","messages":[]}`), "claude-opus-4.6")
	f.Add([]byte("{ \"x\": 1.0e2,\n\t\"mod\\u0065l\" :\t\"a\\\"b\", \"messages\":[{\"model\":\"z\"}] }\n"), "q\"\\<")
	f.Add([]byte(`{"messages":[],"stream":true,"model":"é`+"\xff"+`"}`), "")
	f.Fuzz(func(t *testing.T, body []byte, id string) {
		m, err := readMessageBody(body)
		if err != nil {
			return
		}
		before := bytes.Clone(body)
		out := replaceString(body, m.modelSpan, id)
		if !bytes.Equal(body, before) {
			t.Fatal("the original was changed")
		}
		head, tail := body[:m.modelSpan.From], body[m.modelSpan.To:]
		if !bytes.HasPrefix(out, head) || !bytes.HasSuffix(out, tail) {
			t.Fatalf("%q became %q", body, out)
		}
		var got string
		if err := json.Unmarshal(out[len(head):len(out)-len(tail)], &got); err != nil {
			t.Fatal(err)
		}
		if got != strings.ToValidUTF8(id, "\ufffd") && got != id && !strings.Contains(got, "\ufffd") {
			t.Fatalf("%q became %q", id, got)
		}
		again, err := readMessageBody(out)
		if id != "" && (err != nil || again.model != got || again.stream != m.stream) {
			t.Fatalf("%q: %+v, %v", out, again, err)
		}
	})
}

func TestWithSDKModel(t *testing.T) {
	tests := []struct{ in, out string }{
		{`{"type":"message_start","message":{"id":"msg_1","model":"claude-opus-4.6","usage":{"x": 1.0}}}`,
			`{"type":"message_start","message":{"id":"msg_1","model":"claude-opus-4-6","usage":{"x": 1.0}}}`},
		{`{"message": {"model" : "claude-opus-4-6"}}`, ``},
		{`{"message":{"model":"weird-model-9"}}`, ``},
		{`{"message":{"model":7}}`, ``},
		{`{"message":{}}`, ``},
		{`{"message":"x"}`, ``},
		{`{"model":"claude-opus-4.6"}`, ``},
		{`{"message":{"model":"claude-opus-4.6"}`, ``}, // not valid: left alone
		{`nonsense`, ``},
		{`{"message":{"content":{"model":"claude-opus-4.6"},"model":"claude-haiku-4.5"}}`,
			`{"message":{"content":{"model":"claude-opus-4.6"},"model":"claude-haiku-4-5"}}`},
	}
	for _, test := range tests {
		want := test.out
		if want == "" {
			want = test.in
		}
		if got := string(withSDKModel([]byte(test.in), "message", "model")); got != want {
			t.Errorf("%s\n got %s\nwant %s", test.in, got, want)
		}
	}
}

// A body is read without building it: no more memory than the strings that are kept.
func TestReadMessageBodyAllocates(t *testing.T) {
	body := bigBody(1 << 20)
	n := testing.AllocsPerRun(10, func() {
		if _, err := readMessageBody(body); err != nil {
			t.Fatal(err)
		}
	})
	if n > 30 {
		t.Errorf("%v allocations for a body of 1 MiB", n)
	}
}

// bigBody is a request of about n bytes, as a long conversation has it.
func bigBody(n int) []byte {
	var b bytes.Buffer
	b.WriteString(`{"max_tokens":1024,"messages":[`)
	for i := 0; b.Len() < n; i++ {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(`{"role":"user","content":[{"type":"text","text":"` + strings.Repeat(`A line of the usual length, with \"quoted\" words now and then.\n\t`, 30) + `"}]}`)
	}
	b.WriteString(`],"model":"claude-opus-4-6","stream":true}`)
	return b.Bytes()
}
