package proxy

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// frameWriter is what a stream is written to in the allocation test.
type frameWriter struct{ n int }

func (w *frameWriter) Write(p []byte) (int, error) { w.n += len(p); return len(p), nil }

// Passing on an event allocates nothing.
func TestEventsDoNotAllocate(t *testing.T) {
	w := &frameWriter{}
	out := newEventWriter(t.Context(), w, func() error { return nil })
	data := []byte(`{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hello"}}`)
	x := &Exchange{}
	n := testing.AllocsPerRun(1000, func() {
		x.accountEvent("content_block_delta", data)
		if err := out.frame("content_block_delta", data, false); err != nil {
			t.Fatal(err)
		}
	})
	if n > 0 {
		t.Errorf("%v allocations per event", n)
	}
}

// benchEvents is how many deltas a benchmarked stream has.
const benchEvents = 2000

const benchDelta = "event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":\"some words \"}}\n\n"

// benchHTTP is a service that takes in a request and answers with a stream.
func benchHTTP(b *testing.B, answer func(w http.ResponseWriter, flush func())) string {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/models" {
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, `{"data":[{"id":"claude-opus-4.6","vendor":"Anthropic","supported_endpoints":["/v1/messages"]}]}`)
			return
		}
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "text/event-stream")
		w.Header().Set("X-Agent", r.Header.Get("User-Agent"))
		answer(w, w.(http.Flusher).Flush)
	}))
	b.Cleanup(s.Close)
	return s.URL
}

// benchService streams like the service: every event is flushed. A user agent that ends in "/short" gets one delta.
func benchService(b *testing.B) string {
	start, end := wireOf(hello[:2]), wireOf(hello[4:])
	return benchHTTP(b, func(w http.ResponseWriter, flush func()) {
		_, _ = io.WriteString(w, start)
		flush()
		deltas := benchEvents
		if strings.HasSuffix(w.Header().Get("X-Agent"), "/short") {
			deltas = 1
		}
		for range deltas {
			_, _ = io.WriteString(w, benchDelta)
			flush()
		}
		_, _ = io.WriteString(w, end)
	})
}

// Direct and through the proxy, in one run: whole streams, long ones and short ones.
func BenchmarkStream(b *testing.B) {
	h := newBenchHouse(b, benchService(b))
	for _, size := range []int{100, 1 << 20} {
		body := bigBody(size)
		for _, kind := range []string{"long", "short"} {
			for name, base := range map[string]string{"direct": h.service, "proxy": h.proxy} {
				b.Run(fmt.Sprintf("%s/%dB/%s", kind, size, name), func(b *testing.B) {
					b.ReportAllocs()
					for b.Loop() {
						answer := h.post(b, base, "bench/"+kind, body)
						if n, err := io.Copy(io.Discard, answer); n == 0 || err != nil {
							b.Fatal(n, err)
						}
						_ = answer.Close()
					}
				})
			}
		}
	}
}

func BenchmarkReadMessageBody(b *testing.B) {
	body := bigBody(1 << 20)
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := readMessageBody(body); err != nil {
			b.Fatal(err)
		}
	}
}
