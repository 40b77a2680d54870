package dispatch

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"parley/session/copilot/protocol"
)

func TestRead(t *testing.T) {
	at := time.Date(2026, 1, 2, 3, 4, 5, 678_000_000, time.UTC)
	tests := map[string]struct {
		in      string
		session string
		want    protocol.Event
		ok      bool
	}{
		"whole": {`{"sessionId":"s","event":{"id":"i","timestamp":"2026-01-02T03:04:05.678Z","parentId":"p","ephemeral":true,"agentId":"a","type":"t","data":{"x":1}}}`,
			"s", protocol.Event{ID: "i", Timestamp: at, ParentID: "p", Ephemeral: true, Agent: "a", Type: "t", Data: json.RawMessage(`{"x":1}`)}, true},
		"other order, more fields": {`{"event":{"data":[],"more":{},"type":"\u0074","parentId":null,"ephemeral":false},"more":1,"sessionId":"s"}`,
			"s", protocol.Event{Type: "t", Data: json.RawMessage(`[]`)}, true},
		"no data":             {`{"sessionId":"s","event":{"type":"t","timestamp":"yesterday"}}`, "s", protocol.Event{Type: "t"}, true},
		"no session":          {`{"event":{"type":"t"}}`, "", protocol.Event{Type: "t"}, true},
		"model":               {`{"sessionId":"s","event":{"type":"model.call_start","data":{}}}`, "", protocol.Event{}, false},
		"system message":      {`{"sessionId":"s","event":{"type":"system.message","data":{}}}`, "", protocol.Event{}, false},
		"no type":             {`{"sessionId":"s","event":{"data":{}}}`, "", protocol.Event{}, false},
		"type is not a text":  {`{"sessionId":"s","event":{"type":12}}`, "", protocol.Event{}, false},
		"event is not one":    {`{"sessionId":"s","event":"x"}`, "", protocol.Event{}, false},
		"params are a list":   {`[{"sessionId":"s"}]`, "", protocol.Event{}, false},
		"broken":              {`{"sessionId":"s","event":{"type":"t"}`, "", protocol.Event{}, false},
		"nothing":             {``, "", protocol.Event{}, false},
		"ephemeral is a text": {`{"sessionId":"s","event":{"type":"t","ephemeral":"true"}}`, "s", protocol.Event{Type: "t"}, true},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			var d decoder
			for range 2 { // the second time with known names
				session, got, ok := d.read([]byte(test.in))
				if session != test.session || ok != test.ok || !reflect.DeepEqual(got, test.want) {
					t.Errorf("%q, %+v, %v", session, got, ok)
				}
			}
		})
	}
}

// FuzzRead compares with encoding/json: an event that is read has the same fields.
func FuzzRead(f *testing.F) {
	f.Add([]byte(`{"sessionId":"s","event":{"id":"i","timestamp":"2026-01-02T03:04:05.678Z","parentId":"p","ephemeral":true,"agentId":"a","type":"t","data":{"x":1}}}`))
	f.Add([]byte(`{"sessionId":"s","event":{"type":"t","data":null,"id":"\ud800x"}}`))
	f.Fuzz(func(t *testing.T, in []byte) {
		lower := bytes.ToLower(in)
		for _, key := range []string{"sessionid", "event", "id", "timestamp", "parentid", "ephemeral", "agentid", "type", "data"} {
			if bytes.Count(lower, []byte(`"`+key+`"`)) > 1 || bytes.ContainsAny(in, "\\") || !json.Valid(in) {
				return // encoding/json joins fields that are repeated or written in another case
			}
		}
		var want struct {
			Session string `json:"sessionId"`
			Event   protocol.Event
		}
		if json.Unmarshal(in, &want) != nil || bytes.Contains(lower, []byte(`"event"`)) != bytes.Contains(in, []byte(`"event"`)) {
			return
		}
		for _, key := range []string{"sessionId", "timestamp", "parentId", "ephemeral", "agentId", "type", "data", "id"} {
			if bytes.Contains(lower, []byte(strings.ToLower(`"`+key+`"`))) && !bytes.Contains(in, []byte(`"`+key+`"`)) {
				return
			}
		}
		var d decoder
		session, got, ok := d.read(in)
		if want.Event.Type == "" || dropped(want.Event.Type) {
			if ok {
				t.Fatalf("read %+v", got)
			}
			return
		}
		if !ok || session != want.Session || got.ID != want.Event.ID || got.Type != want.Event.Type || got.Agent != want.Event.Agent ||
			got.ParentID != want.Event.ParentID || got.Ephemeral != want.Event.Ephemeral || !got.Timestamp.Equal(want.Event.Timestamp) ||
			!bytes.Equal(got.Data, want.Event.Data) {
			t.Fatalf("%q: %q, %+v, %v; want %+v", in, session, got, ok, want)
		}
	})
}

// FuzzNotified passes on what no runtime sends.
func FuzzNotified(f *testing.F) {
	f.Add([]byte(`{"sessionId":"s","event":{"type":"external_tool.requested","data":{"requestId":"r","sessionId":"x","toolName":"save"}}}`))
	f.Add([]byte(`{"sessionId":"s","event":{"type":"subagent.started","agentId":"a","data":{"toolCallId":"r","parentId":"s"}}}`))
	f.Add([]byte(`{"sessionId":"s","event":{"type":"permission.requested","data":{"requestId":"r","permissionRequest":[]}}}`))
	f.Fuzz(func(t *testing.T, params []byte) {
		p := newPeer(t)
		p.Add("s", Session{Tools: tools, Agents: agents, Handlers: Handlers{Tool: echo, Event: func(protocol.Event) {}}})
		p.Notified("session.event", params)
		p.Notified("session.event", params)
		p.Close()
	})
}

// BenchmarkDeltas is the cost of 2,000 deltas as a runtime sends them, each with its twin.
func BenchmarkDeltas(b *testing.B) {
	var all [][]byte
	size := 0
	for i := range 4000 {
		kind, data := "assistant.message_delta", `{"messageId":"0e5cbb59-98a7-4c3b-9d56-0d4a2c1a6f37","deltaContent":"some words "}`
		if i%2 == 1 {
			kind, data = "assistant.streaming_delta", fmt.Sprintf(`{"totalResponseSizeBytes":%d}`, 11*i)
		}
		params := fmt.Appendf(nil, `{"sessionId":"3b5b2f0e-4f7e-4a3e-8d3c-5f6a7b8c9d0e","event":{"id":"%036d","timestamp":"2026-11-23T06:36:27.904Z",`+
			`"parentId":"%036d","ephemeral":true,"type":%q,"data":%s}}`, i, i, kind, data)
		all, size = append(all, params), size+len(params)
	}
	r := New(Options{})
	defer r.Close()
	n := 0
	r.Add("3b5b2f0e-4f7e-4a3e-8d3c-5f6a7b8c9d0e", Session{Handlers: Handlers{Event: func(protocol.Event) { n++ }}})
	b.SetBytes(int64(size))
	for b.Loop() {
		for _, params := range all {
			r.Notified("session.event", params)
		}
	}
	if n == 0 {
		b.Fatal("nothing arrived")
	}
}
