package proxy

import (
	"bytes"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// buckets are the upper ends, in seconds, of the histograms: from what the proxy itself needs up to the longest answers.
var buckets = []float64{0.001, 0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600}

// maxModels bounds the models that are counted by name, because a client may ask for any.
const maxModels = 100

// metrics counts what the server does, for Prometheus. It is safe for concurrent use.
type metrics struct {
	mu       sync.Mutex
	requests map[requestLabels]int64
	models   map[string]bool
	errors   map[string]int64
	refused  map[string]int64
	repairs  map[string]int64
	events   int64
	joined   int64
	in, out  int64
	usage    Usage
	nanoAIU  int64
	duration histogram
	first    histogram
}

// requestLabels tell requests apart.
type requestLabels struct {
	route, model string
	status       int
}

// histogram counts durations by bucket; the last one has no upper end.
type histogram struct {
	counts []int64
	sum    float64
}

func (h *histogram) add(d time.Duration) {
	s := d.Seconds()
	i, _ := slices.BinarySearch(buckets, s)
	h.counts[i]++
	h.sum += s
}

func newMetrics() *metrics {
	return &metrics{
		requests: map[requestLabels]int64{}, models: map[string]bool{}, errors: map[string]int64{},
		refused: map[string]int64{}, repairs: map[string]int64{},
		duration: histogram{counts: make([]int64, len(buckets)+1)}, first: histogram{counts: make([]int64, len(buckets)+1)},
	}
}

// routeOf names what was asked for; whatever does not exist is one route.
func routeOf(path string) string {
	switch path {
	case "/v1/messages", "/v1/messages/count_tokens", "/v1/models", "/metrics":
		return path
	}
	if strings.HasPrefix(path, "/v1/models/") {
		return "/v1/models/{id}"
	}
	return "other"
}

// refuse counts a request that was turned away before it was known whose it is.
func (m *metrics) refuse(why string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.refused[why]++
}

// finish counts a request that is over.
func (m *metrics) finish(x *Exchange) {
	m.mu.Lock()
	defer m.mu.Unlock()
	model := x.Upstream
	if model != "" && !m.models[model] {
		if len(m.models) < maxModels {
			m.models[model] = true
		} else {
			model = "other"
		}
	}
	route := routeOf(x.Path)
	m.requests[requestLabels{route, model, x.Status}]++
	if x.Err != "" {
		m.errors[x.Err]++
	}
	for _, name := range x.Repairs {
		m.repairs[name]++
	}
	m.events += x.Events
	m.joined += x.Joined
	m.in += x.BytesIn
	m.out += x.BytesOut
	m.usage.add(x.Usage)
	m.nanoAIU += x.NanoAIU
	if route == "/v1/messages" {
		m.duration.add(x.Duration)
		if x.FirstEvent > 0 {
			m.first.add(x.FirstEvent)
		}
	}
}

// gauges are what is so at the moment.
type gauges struct{ inFlight, sessions, connections int }

// write renders everything in the text format of Prometheus, version 0.0.4, always in the same order.
func (m *metrics) write(g gauges) []byte {
	m.mu.Lock()
	defer m.mu.Unlock()
	w := &metricWriter{}

	w.family("parley_proxy_requests_total", "counter", "Finished requests with a valid bearer. Status 499: the client left.")
	labels := make([]requestLabels, 0, len(m.requests))
	for l := range m.requests {
		labels = append(labels, l)
	}
	slices.SortFunc(labels, func(a, b requestLabels) int {
		if n := strings.Compare(a.route, b.route); n != 0 {
			return n
		}
		if n := strings.Compare(a.model, b.model); n != 0 {
			return n
		}
		return a.status - b.status
	})
	for _, l := range labels {
		w.sample("parley_proxy_requests_total", float64(m.requests[l]), "route", l.route, "status", strconv.Itoa(l.status), "model", l.model)
	}
	w.counts("parley_proxy_errors_total", "Failed requests by what went wrong.", "kind", m.errors)
	w.counts("parley_proxy_refused_total", "Requests turned away because of their host, origin or bearer.", "reason", m.refused)
	w.counts("parley_proxy_repairs_total", "Changes made to requests so that the service accepts them.", "rule", m.repairs)
	w.single("parley_proxy_events_total", "counter", "Events of the service that were passed on.", float64(m.events))
	w.single("parley_proxy_events_joined_total", "counter", "Events that became part of another one.", float64(m.joined))
	w.single("parley_proxy_request_bytes_total", "counter", "Bytes of request bodies.", float64(m.in))
	w.single("parley_proxy_response_bytes_total", "counter", "Bytes of response bodies.", float64(m.out))
	w.family("parley_proxy_tokens_total", "counter", "Tokens as the service reported them.")
	for _, t := range []struct {
		kind string
		n    int64
	}{{"input", m.usage.Input}, {"output", m.usage.Output}, {"cache_read", m.usage.CacheRead}, {"cache_creation", m.usage.CacheCreate}} {
		w.sample("parley_proxy_tokens_total", float64(t.n), "kind", t.kind)
	}
	w.single("parley_proxy_ai_credits_total", "counter", "AI credits as the service reported them.", float64(m.nanoAIU)/1e9)
	w.single("parley_proxy_requests_in_flight", "gauge", "Requests that are running.", float64(g.inFlight))
	w.single("parley_proxy_sessions", "gauge", "Bearers that work.", float64(g.sessions))
	w.single("parley_proxy_connections", "gauge", "Open connections.", float64(g.connections))
	w.histogram("parley_proxy_request_duration_seconds", "Time of message requests until their last byte.", &m.duration)
	w.histogram("parley_proxy_first_event_seconds", "Time of streams until the service's first event.", &m.first)
	return w.buf.Bytes()
}

// metricWriter writes the text format.
type metricWriter struct{ buf bytes.Buffer }

func (w *metricWriter) family(name, kind, help string) {
	fmt.Fprintf(&w.buf, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, kind)
}

// sample writes one value with labels, which are names and values in turn.
func (w *metricWriter) sample(name string, value float64, labels ...string) {
	w.buf.WriteString(name)
	for i := 0; i < len(labels); i += 2 {
		w.buf.WriteByte(",{"[btoi(i == 0)])
		w.buf.WriteString(labels[i] + `="` + labelEscaper.Replace(labels[i+1]) + `"`)
	}
	if len(labels) > 0 {
		w.buf.WriteByte('}')
	}
	w.buf.WriteString(" " + strconv.FormatFloat(value, 'g', -1, 64) + "\n")
}

var labelEscaper = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`)

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

func (w *metricWriter) single(name, kind, help string, value float64) {
	w.family(name, kind, help)
	w.sample(name, value)
}

func (w *metricWriter) counts(name, help, label string, values map[string]int64) {
	w.family(name, "counter", help)
	keys := make([]string, 0, len(values))
	for k := range values {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	for _, k := range keys {
		w.sample(name, float64(values[k]), label, k)
	}
}

func (w *metricWriter) histogram(name, help string, h *histogram) {
	w.family(name, "histogram", help)
	var n int64
	for i, end := range buckets {
		n += h.counts[i]
		w.sample(name+"_bucket", float64(n), "le", strconv.FormatFloat(end, 'g', -1, 64))
	}
	n += h.counts[len(buckets)]
	w.sample(name+"_bucket", float64(n), "le", "+Inf")
	w.sample(name+"_sum", h.sum)
	w.sample(name+"_count", float64(n))
}

// showMetrics is GET /metrics.
func (c *call) showMetrics() *failure {
	g := gauges{connections: c.s.conns.count()}
	g.sessions, g.inFlight = c.s.sessions.count()
	text := c.s.metrics.write(g)
	h := c.w.Header()
	h.Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	h.Set("Content-Length", strconv.Itoa(len(text)))
	h.Set("Cache-Control", "no-store")
	c.w.WriteHeader(http.StatusOK)
	_, _ = c.w.Write(text) // a client that left is noticed by its context
	return nil
}
