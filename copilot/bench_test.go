package copilot

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
)

// benchStream streams from memory, so that only this package is measured.
func benchStream(c *Client, body []byte) *Stream {
	ctx, cancel := cancelled()
	return c.newStream(&exchange{ctx: ctx, cancel: cancel, detach: func() bool { return true },
		resp: answerOf(io.NopCloser(bytes.NewReader(body)))}, apiMessages)
}

// answerOf is a good answer with that body.
func answerOf(body io.ReadCloser) *http.Response {
	return &http.Response{StatusCode: 200, Header: http.Header{}, Body: body}
}

// manyDeltas is an answer of many small deltas, as the service sends it.
func manyDeltas(n int) []byte {
	return []byte(frameStart + strings.Repeat(delta("four"), n) + frameStop)
}

func BenchmarkStream(b *testing.B) {
	c := newFake(b).client(b)
	const events = 20_000
	body := manyDeltas(events)
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		s := benchStream(c, body)
		if names := count(b, s); names != events+2 {
			b.Fatalf("got %d events", names)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/events, "ns/event")
}

func BenchmarkPrepareBody(b *testing.B) {
	text, _ := json.Marshal(strings.Repeat("some \"quoted\" text\n", 55_000))
	body := []byte(`{"model":"m","messages":[{"role":"user","content":` + string(text) + `}],"system":"s","stream":true}`)
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		if _, ok := prepareBody(body, true); !ok {
			b.Fatal("refused")
		}
	}
}

// A stream of any length allocates no more than a short one: what an event needs is reused.
func TestStreamAllocatesPerStreamNotPerEvent(t *testing.T) {
	c := newFake(t).client(t)
	allocs := func(events int) float64 {
		body := manyDeltas(events)
		return testing.AllocsPerRun(5, func() {
			if n := count(t, benchStream(c, body)); n != events+2 {
				t.Fatalf("got %d events", n)
			}
		})
	}
	short, long := allocs(100), allocs(10_000)
	// The collector empties pools between streams, so some come back; an allocation per hundred events would be told.
	if long > short+90 {
		t.Errorf("100 events: %.0f allocations, 10,000 events: %.0f", short, long)
	}
}
