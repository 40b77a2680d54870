package proxy

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// buckets are the upper bounds of the histograms in seconds, from the proxy's own time to the longest answers.
var buckets = []float64{0.001, 0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600}

// maxModels bounds the models counted by name, because a client may name any.
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

// requestLabels are the labels of a request.
type requestLabels struct {
	route, model string
	status       int
}

// histogram counts durations by bucket; the last one has no upper bound.
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

// routeOf returns the label of a path; all unknown paths share one.
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

// refuse counts a request refused because of its host, origin or bearer.
func (m *metrics) refuse(why string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.refused[why]++
}

// finish counts a finished request.
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

// gauges are current values.
type gauges struct{ inFlight, sessions, connections int }

// write returns all metrics in the text format of Prometheus, version 0.0.4, in a fixed order.
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

// showMetrics handles GET /metrics.
func (c *call) showMetrics() *failure {
	g := gauges{connections: c.s.conns.count()}
	g.sessions, g.inFlight = c.s.sessions.count()
	text := c.s.metrics.write(g)
	h := c.w.Header()
	h.Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	h.Set("Content-Length", strconv.Itoa(len(text)))
	h.Set("Cache-Control", "no-store")
	c.w.WriteHeader(http.StatusOK)
	_, _ = c.w.Write(text) // the context of a client that has left ends
	return nil
}
