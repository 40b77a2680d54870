package proxy

import (
	"bytes"
	"io"
	"net/http"
	"os"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"
)

// footprint is what the process takes.
type footprint struct {
	goroutines, files int
	resident          int64 // bytes; 0 where the system does not tell
}

// footprintNow measures after what is over has let go: connections end a moment after their answers.
func footprintNow(b *testing.B, h benchHouse) footprint {
	h.transport.CloseIdleConnections()
	var f footprint
	for range 50 {
		time.Sleep(10 * time.Millisecond) // a benchmark may look at the clock
		if n := runtime.NumGoroutine(); n == f.goroutines {
			break
		} else {
			f.goroutines = n
		}
	}
	runtime.GC()
	if list, err := os.ReadDir("/proc/self/fd"); err == nil {
		f.files = len(list)
	}
	if text, err := os.ReadFile("/proc/self/statm"); err == nil {
		pages, err := strconv.ParseInt(strings.Fields(string(text))[1], 10, 64)
		if err != nil {
			b.Fatal(err)
		}
		f.resident = pages * int64(os.Getpagesize())
	}
	return f
}

// Ten thousand requests and a thousand clients that leave in the middle of an answer: the process is as large afterwards
// as after the first tenth of them. It is meant to be run once (make soak).
func BenchmarkSoak(b *testing.B) {
	const requests, aborts, rounds = 10_000, 1_000, 10
	service := benchHTTP(b, func(w http.ResponseWriter, flush func()) {
		_, _ = io.WriteString(w, wireOf(hello[:2])+benchDelta)
		flush()
		if strings.HasSuffix(w.Header().Get("X-Agent"), "/endless") {
			for {
				if _, err := io.WriteString(w, benchDelta); err != nil {
					return
				}
				flush()
			}
		}
		_, _ = io.WriteString(w, strings.Repeat(benchDelta, 20)+wireOf(hello[4:]))
	})
	h := newBenchHouse(b, service)
	small, large := bigBody(2<<10), bigBody(256<<10)
	round := func() {
		for i := range requests / rounds {
			body := small
			if i%10 == 0 {
				body = large
			}
			answer := h.post(b, h.proxy, "bench/short", body)
			got, err := io.ReadAll(answer)
			if err != nil || !bytes.Contains(got, []byte("message_stop")) {
				b.Fatalf("%d: %q %v", i, got, err)
			}
			_ = answer.Close()
		}
		for range aborts / rounds {
			answer := h.post(b, h.proxy, "bench/endless", small)
			if _, err := io.ReadFull(answer, make([]byte, 500)); err != nil {
				b.Fatal(err)
			}
			_ = answer.Close()
		}
	}
	for b.Loop() {
		round()
		first := footprintNow(b, h)
		for range rounds - 1 {
			round()
		}
		last := footprintNow(b, h)
		b.ReportMetric(float64(first.goroutines), "goroutines-first")
		b.ReportMetric(float64(last.goroutines), "goroutines-last")
		b.ReportMetric(float64(first.files), "files-first")
		b.ReportMetric(float64(last.files), "files-last")
		b.ReportMetric(float64(first.resident)/1e6, "MB-first")
		b.ReportMetric(float64(last.resident)/1e6, "MB-last")
		if last.goroutines > first.goroutines+5 || last.files > first.files+5 || last.resident > first.resident+first.resident/5 {
			b.Errorf("grew from %+v to %+v", first, last)
		}
	}
}
