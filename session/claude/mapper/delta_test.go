package mapper

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"parley/session"
)

// deltaLine is a fragment as the runtimes print it.
func deltaLine(kind, field, text string) []byte {
	quoted, err := json.Marshal(text)
	if err != nil {
		panic(err)
	}
	return fmt.Appendf(nil, `{"type":"stream_event","event":{"type":"content_block_delta","index":1,"delta":{"type":%q,%q:%s}},`+
		`"session_id":"00000000-0000-4000-8000-000000000001","parent_tool_use_id":null,"uuid":"00000000-0000-4000-8000-000000000006"}`, kind, field, quoted)
}

// slowDelta is what readDelta stands for.
func slowDelta(data []byte) (fragment, bool) {
	var l line
	var e streamEvent
	if json.Unmarshal(data, &l) != nil || l.Type != "stream_event" || l.ParentID != "" || json.Unmarshal(l.Event, &e) != nil ||
		e.Type != "content_block_delta" {
		return fragment{}, false
	}
	switch e.Delta.Type {
	case "text_delta":
		return fragment{e.Index, e.Delta.Type, e.Delta.Text}, true
	case "thinking_delta":
		return fragment{e.Index, e.Delta.Type, e.Delta.Thinking}, true
	case "input_json_delta":
		return fragment{e.Index, e.Delta.Type, e.Delta.JSON}, true
	}
	return fragment{}, false
}

func TestDeltasAreScanned(t *testing.T) {
	for _, text := range []string{"plain", "two\nlines and \"quotes\" \\ / \t", "ä字🙂", ""} {
		for kind, field := range map[string]string{"text_delta": "text", "thinking_delta": "thinking", "input_json_delta": "partial_json"} {
			if got, ok := readDelta(deltaLine(kind, field, text)); !ok || got != (fragment{1, kind, text}) {
				t.Errorf("%s %q: %+v %v", kind, text, got, ok)
			}
		}
	}
}

// The fast way may only say no to what is out of the ordinary: what a later version adds goes the slow way.
func TestOtherLinesAreDecoded(t *testing.T) {
	plain := string(deltaLine("text_delta", "text", "x"))
	for name, l := range map[string]string{
		"of a child":    strings.Replace(plain, "null", `"toolu_1"`, 1),
		"new field":     strings.Replace(plain, `"uuid"`, `"user_message_uuids":["x"],"uuid"`, 1),
		"twice":         strings.Replace(plain, `"index":1`, `"index":1,"index":2`, 1),
		"other case":    strings.Replace(plain, `"index":1`, `"Index":1`, 1),
		"negative":      strings.Replace(plain, `"index":1`, `"index":-1`, 1),
		"float":         strings.Replace(plain, `"index":1`, `"index":1.0`, 1),
		"leading zero":  strings.Replace(plain, `"index":1`, `"index":01`, 1),
		"other delta":   strings.Replace(plain, "text_delta", "citations_delta", 1),
		"other field":   strings.Replace(plain, `"text":`, `"thinking":`, 1),
		"other event":   strings.Replace(plain, "content_block_delta", "content_block_stop", 1),
		"other type":    strings.Replace(plain, "stream_event", "assistant", 1),
		"more after it": plain + "{}",
		"cut":           plain[:len(plain)-1],
		"raw newline":   strings.Replace(plain, `"x"`, "\"\n\"", 1),
	} {
		if got, ok := readDelta([]byte(l)); ok {
			t.Errorf("%s: taken as %+v", name, got)
		}
	}
}

// FuzzDelta proves that the fast way never reads a line differently from the slow one.
func FuzzDelta(f *testing.F) {
	f.Add(deltaLine("text_delta", "text", "a\n\"b\" ä"))
	f.Add(deltaLine("thinking_delta", "thinking", "x"))
	f.Add(deltaLine("input_json_delta", "partial_json", `{"a":"b\\"`))
	f.Add([]byte(`{"event":{"delta":{"text":"t","type":"text_delta"},"index":0,"type":"content_block_delta"} , "type":"stream_event"}`))
	f.Add([]byte(`{"type":"stream_event","event":{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"\u00e4"}}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		fast, ok := readDelta(data)
		if !ok {
			return
		}
		if slow, also := slowDelta(data); !also || fast != slow {
			t.Fatalf("fast %+v, slow %+v (%v)", fast, slow, also)
		}
	})
}

// streaming is a mapper in the middle of a text block at index 1.
func streaming() *Mapper {
	m := New("s", 1)
	m.Begin("t", session.Prompt{Text: "p"}, session.OriginUser, testTime)
	for _, l := range []string{
		`{"type":"stream_event","event":{"type":"message_start","message":{"id":"msg_1","model":"m"}}}`,
		`{"type":"stream_event","event":{"type":"content_block_start","index":1,"content_block":{"type":"text","text":""}}}`,
	} {
		m.Map([]byte(l), testTime)
	}
	return m
}

func TestFragmentsCostLittle(t *testing.T) {
	m, l := streaming(), deltaLine("text_delta", "text", "word ")
	// The text, the event, the slice that holds it, and now and then the growing of the text.
	if n := testing.AllocsPerRun(1000, func() { m.Map(l, testTime) }); n > 4 {
		t.Errorf("%v allocations for a fragment", n)
	}
}

func BenchmarkMapDelta(b *testing.B) {
	l := deltaLine("text_delta", "text", "word ")
	b.Run("fast", func(b *testing.B) {
		m := streaming()
		b.SetBytes(int64(len(l)))
		b.ReportAllocs()
		for b.Loop() {
			m.Map(l, testTime)
		}
	})
	b.Run("slow", func(b *testing.B) {
		m := streaming()
		b.SetBytes(int64(len(l)))
		b.ReportAllocs()
		for b.Loop() {
			m.mapWhole(l, testTime)
			m.rec.Take()
		}
	})
}
