package proxy

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"parley/copilot"
)

// frameWriter is what a stream is written to in the allocation test.
type frameWriter struct{ n int }

func (w *frameWriter) Write(p []byte) (int, error) { w.n += len(p); return len(p), nil }

// Passing on an event costs no memory of its own.
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

// benchService streams like the service: every event is flushed.
func benchService(b *testing.B) string {
	start, end := wireOf(hello[:2]), wireOf(hello[4:])
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "text/event-stream")
		flush := w.(http.Flusher).Flush
		_, _ = io.WriteString(w, start)
		flush()
		if !strings.HasSuffix(r.Header.Get("User-Agent"), "/short") {
			for range benchEvents {
				_, _ = io.WriteString(w, benchDelta)
				flush()
			}
		}
		_, _ = io.WriteString(w, end)
	}))
	b.Cleanup(s.Close)
	return s.URL
}

// Direct and through the proxy, in one run: throughput of long streams and latency of short ones.
func BenchmarkStream(b *testing.B) {
	service := benchService(b)
	b.Setenv("HOME", b.TempDir())
	client, err := copilot.New(copilot.Options{
		Credential:    copilot.Credential{Token: copilot.NewSecret("gho_bench"), Host: "github.com"},
		CopilotAPIURL: service,
	})
	if err != nil {
		b.Fatal(err)
	}
	defer client.Close()
	server, err := Start(Options{Upstream: client})
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = server.Close(context.Background()) }()
	bearer, err := server.Open("bench")
	if err != nil {
		b.Fatal(err)
	}
	transport := &http.Transport{}
	defer transport.CloseIdleConnections()
	run := func(b *testing.B, base, agent string, body []byte) {
		b.ReportAllocs()
		events := 0
		for b.Loop() {
			req, err := http.NewRequest("POST", base+"/v1/messages", bytes.NewReader(body))
			if err != nil {
				b.Fatal(err)
			}
			req.Header.Set("Authorization", "Bearer "+bearer)
			req.Header.Set("User-Agent", agent)
			resp, err := transport.RoundTrip(req)
			if err != nil {
				b.Fatal(err)
			}
			lines := bufio.NewScanner(resp.Body)
			for lines.Scan() {
				if len(lines.Bytes()) == 0 {
					events++
				}
			}
			_ = resp.Body.Close()
		}
		if events == 0 {
			b.Fatal("no events")
		}
		b.ReportMetric(b.Elapsed().Seconds()*1e6/float64(events), "us/event")
	}
	for _, size := range []int{100, 1 << 20} {
		body := bigBody(size)
		for _, kind := range []string{"long", "short"} {
			b.Run(fmt.Sprintf("direct/%s/%dB", kind, size), func(b *testing.B) { run(b, service, "bench/"+kind, body) })
			b.Run(fmt.Sprintf("proxy/%s/%dB", kind, size), func(b *testing.B) { run(b, server.URL(), "bench/"+kind, body) })
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
