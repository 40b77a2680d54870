package proxy

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"time"
)

// accessLog writes one line of JSON per request: what was requested, by which session, the outcome and the cost. It
// never contains a bearer, a query, a header or any part of a body.
type accessLog struct{ log *slog.Logger }

func newAccessLog(w io.Writer) *accessLog {
	if w == nil {
		return nil
	}
	return &accessLog{slog.New(slog.NewJSONHandler(w, &slog.HandlerOptions{ReplaceAttr: accessAttr}))}
}

// accessAttr removes the attributes of slog that a reader of the log does not need.
func accessAttr(groups []string, a slog.Attr) slog.Attr {
	if len(groups) == 0 && (a.Key == slog.LevelKey || a.Key == slog.MessageKey) {
		return slog.Attr{}
	}
	return a
}

// maxLoggedPath bounds what a client can write into the log, in bytes.
const maxLoggedPath = 200

func loggedPath(path string) string {
	if len(path) > maxLoggedPath {
		return path[:maxLoggedPath] + "…"
	}
	return path
}

// refused logs a request that was refused before its session was known.
func (l *accessLog) refused(r *http.Request, status int, why string) {
	if l == nil {
		return
	}
	l.log.LogAttrs(context.Background(), slog.LevelInfo, "",
		slog.String("method", r.Method), slog.String("path", loggedPath(r.URL.Path)),
		slog.Int("status", status), slog.String("error", why))
}

// finished logs a finished request.
func (l *accessLog) finished(x *Exchange) {
	if l == nil {
		return
	}
	attrs := make([]slog.Attr, 0, 20)
	attrs = append(attrs,
		slog.String("session", x.Session), slog.String("method", x.Method), slog.String("path", loggedPath(x.Path)),
		slog.Int("status", x.Status))
	text := func(key, v string) {
		if v != "" {
			attrs = append(attrs, slog.String(key, v))
		}
	}
	number := func(key string, v int64) {
		if v != 0 {
			attrs = append(attrs, slog.Int64(key, v))
		}
	}
	text("error", x.Err)
	text("model", x.Model)
	text("upstream_model", x.Upstream)
	if x.Stream {
		attrs = append(attrs, slog.Bool("stream", true))
	}
	text("initiator", x.Initiator)
	attrs = append(attrs, slog.Float64("duration_ms", milliseconds(x.Duration)))
	if x.FirstEvent > 0 {
		attrs = append(attrs, slog.Float64("first_event_ms", milliseconds(x.FirstEvent)))
	}
	number("bytes_in", x.BytesIn)
	number("bytes_out", x.BytesOut)
	number("events", x.Events)
	number("joined", x.Joined)
	number("input_tokens", x.Usage.Input)
	number("output_tokens", x.Usage.Output)
	number("cache_read_tokens", x.Usage.CacheRead)
	number("cache_creation_tokens", x.Usage.CacheCreate)
	if x.Priced {
		attrs = append(attrs, slog.Int64("nano_aiu", x.NanoAIU))
	}
	text("request_id", x.RequestID)
	if len(x.Repairs) > 0 {
		attrs = append(attrs, slog.Any("repairs", x.Repairs))
	}
	l.log.LogAttrs(context.Background(), slog.LevelInfo, "", attrs...)
}

// milliseconds returns a duration as a number with three decimals, which is easier to read than slog's own format.
func milliseconds(d time.Duration) float64 {
	return float64(d.Microseconds()) / 1000
}
