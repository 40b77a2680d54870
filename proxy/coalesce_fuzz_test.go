package proxy

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// told is what a client makes of a stream: whatever is not a plain piece of text stands for itself, and neighbouring
// pieces of one block and kind are one.
func told(t *testing.T, stream []byte) []string {
	t.Helper()
	var out []string
	var last string
	for _, block := range strings.SplitAfter(string(stream), "\n\n") {
		event, data, ok := strings.Cut(strings.TrimSuffix(block, "\n\n"), "\ndata: ")
		if !ok {
			continue
		}
		var d struct {
			Index *int
			Delta struct {
				Type                    string
				Text, Thinking, Partial *string
				PartialJSON             *string `json:"partial_json"`
			}
		}
		p, plain := takeApart([]byte(data))
		if event != "event: "+deltaEvent || !plain {
			out, last = append(out, block), ""
			continue
		}
		if err := json.Unmarshal([]byte(data), &d); err != nil {
			t.Fatalf("%q: %v", data, err)
		}
		key := data[:p.From] + "…" + data[p.To:]
		var text string
		for _, s := range []*string{d.Delta.Text, d.Delta.Thinking, d.Delta.PartialJSON} {
			if s != nil {
				text = *s
			}
		}
		if key == last {
			out[len(out)-1] += text
			continue
		}
		out, last = append(out, key+text), key
	}
	return out
}

// Whatever comes, in whatever order, at whatever time: a client reads the same with joining and without.
func FuzzCoalesce(f *testing.F) {
	f.Add([]byte("\x00\x01hello\x02\x03wor\x04ld\x05\x06\x07\x08"), "héllo\\ \"w\" 😀")
	f.Add([]byte{0, 1, 1, 1, 9, 1, 1, 3, 1, 2, 2, 2, 9, 5, 4, 1, 1, 0}, `\ud83d\ude00\\\"`)
	f.Add([]byte{1, 1, 9, 1, 1, 8, 1, 1, 7, 1, 1, 6}, "\xf0\x9f\x98\x80")
	f.Fuzz(func(t *testing.T, ops []byte, letters string) {
		plain, joined := newJoinRig(t), newJoinRig(t)
		plain.window = nil
		at := 0
		next := func(n byte) []byte { // the inside of a JSON string, maybe with half a character at its ends
			if len(letters) == 0 {
				return nil
			}
			size := int(n>>4)%5 + 1
			from := at % len(letters)
			to := min(from+size, len(letters))
			at = to
			piece := letters[from:to]
			if content := []byte(piece); json.Valid(append(append([]byte{'"'}, content...), '"')) {
				return content // escapes as they are
			}
			q := quote(piece)
			return q[1 : len(q)-1]
		}
		first := true // the next delta is the first of its block
		for _, op := range ops {
			var event string
			var data []byte
			index := int(op>>3) & 1
			switch op % 10 {
			case 0:
				event, data = "content_block_start", fmt.Appendf(nil, `{"type":"content_block_start","index":%d}`, index)
			case 1, 2, 3:
				event = deltaEvent
				data = fmt.Appendf(nil, `{"type":"content_block_delta","index":%d,"delta":{"type":"text_delta","text":"%s"}}`, index, next(op))
			case 4:
				event = deltaEvent
				data = fmt.Appendf(nil, `{"type":"content_block_delta","index":%d,"delta":{"type":"input_json_delta","partial_json":"%s"}}`, index, next(op))
			case 5:
				event = deltaEvent
				data = fmt.Appendf(nil, `{"delta":{"thinking":"%s","type":"thinking_delta"},"index":%d,"type":"content_block_delta"}`, next(op), index)
			case 6:
				event, data = deltaEvent, []byte(`{"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"s"}}`)
			case 7:
				event, data = "content_block_stop", fmt.Appendf(nil, `{"type":"content_block_stop","index":%d}`, index)
			case 8:
				event, data = "ping", pingData
			case 9:
				if op < 0x80 {
					joined.elapsed()
				} else if err := joined.pause(); err != nil {
					t.Fatal(err)
				} else if joined.joiner.joined > 0 && !joined.alarm {
					t.Fatal("the held deltas will never be written")
				}
				continue
			}
			before := joined.out.Len()
			more := op >= 0x80
			for _, r := range []*joinRig{plain, joined} {
				if err := r.frame(event, data, more); err != nil {
					t.Fatal(err)
				}
			}
			if !more && len(joined.buf) > 0 {
				t.Fatalf("%q has to wait", joined.buf)
			}
			if !more && (event != deltaEvent || first) && !bytes.HasSuffix(joined.out.Bytes()[before:], []byte(wire(event, data))) {
				t.Fatalf("%s %s had to wait", event, data)
			}
			switch event {
			case "content_block_start", "content_block_stop":
				first = true
			case deltaEvent:
				first = false
			}
		}
		for _, r := range []*joinRig{plain, joined} { // without joining, too, ready events are written together
			if err := r.finish(); err != nil {
				t.Fatal(err)
			}
		}
		want, got := told(t, plain.out.Bytes()), told(t, joined.out.Bytes())
		if d := cmp.Diff(want, got); d != "" {
			t.Error(d)
		}
		if events := bytes.Count(plain.out.Bytes(), []byte("\n\n")) - bytes.Count(joined.out.Bytes(), []byte("\n\n")); int64(events) != joined.saved {
			t.Errorf("%d events less, %d counted", events, joined.saved)
		}
	})
}
