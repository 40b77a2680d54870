package proxy

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"parley/copilot"
	"parley/copilot/login"
	"parley/internal/repeat"
)

// benchHouse is a service, a proxy before it, and a client that can ask either.
type benchHouse struct {
	service, proxy, bearer string
	transport              *http.Transport
}

func newBenchHouse(b *testing.B, service string) benchHouse {
	b.Helper()
	b.Setenv("HOME", b.TempDir())
	client, err := copilot.New(copilot.Options{
		Credential:    login.Credential{Token: login.NewSecret("gho_bench"), Host: "github.com"},
		CopilotAPIURL: service,
	})
	if err != nil {
		b.Fatal(err)
	}
	server, err := Start(Options{Upstream: client})
	if err != nil {
		b.Fatal(err)
	}
	bearer, err := server.Open("bench")
	if err != nil {
		b.Fatal(err)
	}
	h := benchHouse{service: service, proxy: server.URL(), bearer: bearer, transport: &http.Transport{}}
	b.Cleanup(func() {
		h.transport.CloseIdleConnections()
		_ = server.Close(context.Background())
		client.Close()
	})
	return h
}

// post sends a body and returns the answer's.
func (h benchHouse) post(b *testing.B, base, agent string, body []byte) io.ReadCloser {
	req, err := http.NewRequest("POST", base+"/v1/messages", bytes.NewReader(body))
	if err != nil {
		b.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+h.bearer)
	req.Header.Set("User-Agent", agent)
	resp, err := h.transport.RoundTrip(req)
	if err != nil {
		b.Fatal(err)
	}
	if resp.StatusCode != 200 {
		b.Fatal(resp.Status)
	}
	return resp.Body
}

// median of a list, which is sorted by it.
func median(d []time.Duration) time.Duration {
	slices.Sort(d)
	return d[len(d)/2]
}

// How much later the first letters come through the proxy than directly, by turns in one run: the difference of medians.
func BenchmarkFirstDelta(b *testing.B) {
	for _, size := range []int{100, 64 << 10, 1 << 20} {
		b.Run(fmt.Sprintf("%dB", size), func(b *testing.B) {
			h := newBenchHouse(b, benchService(b))
			body := bigBody(size)
			first := func(base string) time.Duration {
				began := time.Now()
				answer := h.post(b, base, "bench/short", body)
				in := bufio.NewReader(answer)
				for {
					line, err := in.ReadSlice('\n')
					if err != nil {
						b.Fatal(err)
					}
					if bytes.HasPrefix(line, []byte("event: content_block_delta")) {
						break
					}
				}
				d := time.Since(began)
				_, _ = io.Copy(io.Discard, in)
				_ = answer.Close()
				return d
			}
			var direct, through []time.Duration
			for b.Loop() {
				direct = append(direct, first(h.service))
				through = append(through, first(h.proxy))
			}
			d, p := median(direct), median(through)
			b.ReportMetric(float64(d.Microseconds()), "direct-us")
			b.ReportMetric(float64((p - d).Microseconds()), "added-us")
		})
	}
}

// What the proxy moves of an unthrottled stream, against the service directly, by turns in one run. Bytes are those the
// service sent; with joining fewer arrive.
func BenchmarkThroughput(b *testing.B) {
	const events = 20000
	stream := []byte(wireOf(hello[:2]) + strings.Repeat(benchDelta, events) + wireOf(hello[4:]))
	service := benchHTTP(b, func(w http.ResponseWriter, flush func()) {
		for rest := stream; len(rest) > 0; {
			n := min(len(rest), 32<<10)
			_, _ = w.Write(rest[:n])
			flush()
			rest = rest[n:]
		}
	})
	h := newBenchHouse(b, service)
	body := bigBody(100)
	take := func(base string) time.Duration {
		began := time.Now()
		answer := h.post(b, base, "bench/1", body)
		_, err := io.Copy(io.Discard, answer)
		_ = answer.Close()
		if err != nil {
			b.Fatal(err)
		}
		return time.Since(began)
	}
	var direct, through []time.Duration
	for b.Loop() {
		direct = append(direct, take(service))
		through = append(through, take(h.proxy))
	}
	d, p := median(direct), median(through)
	b.ReportMetric(float64(len(stream))/p.Seconds()/1e6, "MB/s")
	b.ReportMetric(100*d.Seconds()/p.Seconds(), "%ofdirect")
}

// What 1,000 tokens cost the proxy when they come at the pace of a fast model, 1,000 a second, four letters each: what
// client, proxy and service need together, less what client and service need without it.
func BenchmarkPaced(b *testing.B) {
	const tokens = 2000
	service := benchHTTP(b, func(w http.ResponseWriter, flush func()) {
		_, _ = io.WriteString(w, wireOf(hello[:2]))
		t := time.NewTicker(time.Millisecond) // the pace of a model; a benchmark may look at the clock
		defer t.Stop()
		for range tokens {
			<-t.C
			_, _ = io.WriteString(w, benchDelta)
			flush()
		}
		_, _ = io.WriteString(w, wireOf(hello[4:]))
	})
	h := newBenchHouse(b, service)
	cost := func(base string) time.Duration {
		before := processorTime(b)
		answer := h.post(b, base, "bench/1", bigBody(100))
		_, _ = io.Copy(io.Discard, answer)
		_ = answer.Close()
		return processorTime(b) - before
	}
	var direct, through time.Duration
	n := 0
	for b.Loop() {
		direct += cost(service)
		through += cost(h.proxy)
		n++
	}
	per := func(d time.Duration) float64 { return float64(d.Microseconds()) / float64(n) / tokens }
	b.ReportMetric(per(direct), "direct-ms/1k-tokens")
	b.ReportMetric(per(through-direct), "added-ms/1k-tokens")
}

// Neither requests nor clients that leave make the server grow.
func TestNothingGrows(t *testing.T) {
	requests, aborts := repeat.Times(400, 500, 1500), repeat.Times(40, 50, 150)
	endless := step{event: "content_block_delta", data: hello[3].data}
	f := &fake{
		onStream: func(_ context.Context, req copilot.Request) (frames, http.Header, error) {
			s := newScript(hello...)
			if bytes.Contains(req.Body, []byte("endless")) {
				s.steps, s.loop = hello[:2], &endless
			}
			return s, http.Header{}, nil
		},
		onMessage: whole(wholeAnswer).onMessage,
	}
	r := newRig(t, f, func(o *Options) { o.Observe, o.AccessLog, o.Log = nil, io.Discard, nil })
	forget := func() { f.mu.Lock(); f.requests = nil; f.mu.Unlock() } // what the fake keeps is not the server's
	round := func(requests, aborts int) {
		for i := range requests {
			body := streamBody
			if i%3 == 0 {
				body = wholeBody
			}
			if got := r.do("POST", "/v1/messages", body); got.status != 200 || got.err != nil {
				t.Fatalf("%+v", got)
			}
		}
		for range aborts {
			c := r.dial()
			c.post(r, strings.Replace(streamBody, "hi", "endless", 1))
			c.response()
			_ = c.conn.Close()
		}
		if err := r.Settled(testContext(t), "s1"); err != nil {
			t.Fatal(err)
		}
		forget()
	}
	round(100, 10) // what is made once is made
	goroutines, files, heap := resources(t, r)
	round(requests, aborts)
	moreGoroutines, moreFiles, moreHeap := resources(t, r)
	const slack = 10 // some are still ending
	if moreGoroutines > goroutines+slack || moreFiles > files+slack {
		t.Errorf("goroutines %d, then %d; files %d, then %d", goroutines, moreGoroutines, files, moreFiles)
	}
	if moreHeap > heap+1<<20 {
		t.Errorf("%d bytes, then %d", heap, moreHeap)
	}
	if s := r.Spent("s1"); s.Requests != int64(requests+aborts+110) {
		t.Errorf("%d requests were counted", s.Requests)
	}
}

// resources counts what the process holds once all connections of clients are gone.
func resources(t *testing.T, r *rig) (goroutines, files int, heap uint64) {
	t.Helper()
	r.client.CloseIdleConnections()
	<-r.conns.none()
	for range 100 { // connections that are gone let go of their goroutines a moment later
		runtime.Gosched()
	}
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	list, err := os.ReadDir("/proc/self/fd")
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	return runtime.NumGoroutine(), len(list), m.HeapAlloc
}

// processorTime is what the process has used so far, as Linux tells it; elsewhere the benchmark says nothing.
func processorTime(b *testing.B) time.Duration {
	text, err := os.ReadFile("/proc/self/stat")
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(text), ") ")
	fields := strings.Fields(rest)
	var ticks int64
	for _, f := range fields[11:13] { // user and system time, in hundredths of a second
		n, err := strconv.ParseInt(f, 10, 64)
		if err != nil {
			b.Fatal(err)
		}
		ticks += n
	}
	return time.Duration(ticks) * 10 * time.Millisecond
}
