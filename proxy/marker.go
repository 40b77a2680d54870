package proxy

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"parley/copilot"
)

// Detail is what programs want to know of a failed request, and what gets lost when a client makes one line of text of
// an error: a runtime that prints "API Error: 402 …" keeps the message and nothing else.
type Detail struct {
	// Kind is a kind of package copilot, such as "quota".
	Kind string
	// Status is the HTTP status the service answered with, 0 if it did not answer.
	Status int
	// Code is the service's own, such as "quota_exceeded"; empty if it gave none.
	Code string
	// RequestID is the service's id of the request; empty if it gave none.
	RequestID string
	// RetryAfter is how long the service asks to wait, in whole seconds; 0 if it does not say.
	RetryAfter time.Duration
	// Reset is when the allowance that is used up starts anew, in whole seconds; zero if unknown.
	Reset time.Time
}

// A marker is " (parley-error:1:DATA)", where 1 is the version of the format and DATA a JSON object in base64url without
// padding. All of it survives being quoted, escaped and wrapped in other text. It follows the message.
const (
	markerStart = " (parley-error:1:"
	markerEnd   = ")"
	maxMarker   = 4 << 10 // what is longer is none
)

// markerData is the object in a marker. What is zero is left out.
type markerData struct {
	Kind       string `json:"k,omitempty"`
	Status     int    `json:"s,omitempty"`
	Code       string `json:"c,omitempty"`
	RequestID  string `json:"r,omitempty"`
	RetryAfter int64  `json:"w,omitempty"` // seconds
	Reset      int64  `json:"t,omitempty"` // Unix time
}

// EncodeMarker returns the text that goes behind an error message, its leading space included.
func EncodeMarker(d Detail) string {
	m := markerData{Kind: d.Kind, Status: d.Status, Code: d.Code, RequestID: d.RequestID,
		RetryAfter: int64((d.RetryAfter + time.Second - 1) / time.Second)}
	if !d.Reset.IsZero() {
		m.Reset = d.Reset.Unix()
	}
	b, err := json.Marshal(m)
	if err != nil { // strings and numbers always marshal
		panic(err)
	}
	return markerStart + base64.RawURLEncoding.EncodeToString(b) + markerEnd
}

// DecodeMarker finds the first marker in a text and returns what it says. The text may be anything that contains an
// error message.
func DecodeMarker(text string) (Detail, bool) {
	for {
		from, to, ok := findMarker(text)
		if !ok {
			return Detail{}, false
		}
		if d, ok := readMarker(text[from+len(markerStart) : to-len(markerEnd)]); ok {
			return d, true
		}
		text = text[to:]
	}
}

// StripMarker returns the text without its markers, for people. Text without any is returned as it is.
func StripMarker(text string) string {
	var b strings.Builder
	for {
		from, to, ok := findMarker(text)
		if !ok {
			break
		}
		b.WriteString(text[:from])
		text = text[to:]
	}
	if b.Len() == 0 && !strings.Contains(text, markerStart) {
		return text
	}
	b.WriteString(text)
	return b.String()
}

// findMarker finds the first thing that looks like a marker.
func findMarker(text string) (from, to int, ok bool) {
	for at := 0; ; {
		i := strings.Index(text[at:], markerStart)
		if i < 0 {
			return 0, 0, false
		}
		from = at + i
		at = from + len(markerStart)
		rest := text[at:min(len(text), at+maxMarker)]
		n := strings.IndexFunc(rest, func(r rune) bool { return !isBase64URL(r) })
		if n > 0 && strings.HasPrefix(rest[n:], markerEnd) {
			return from, at + n + len(markerEnd), true
		}
	}
}

func isBase64URL(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_'
}

func readMarker(data string) (Detail, bool) {
	b, err := base64.RawURLEncoding.DecodeString(data)
	if err != nil {
		return Detail{}, false
	}
	var m markerData
	if json.Unmarshal(b, &m) != nil {
		return Detail{}, false
	}
	d := Detail{Kind: m.Kind, Status: m.Status, Code: m.Code, RequestID: m.RequestID}
	if m.RetryAfter > 0 && m.RetryAfter <= int64(maxWait/time.Second) {
		d.RetryAfter = time.Duration(m.RetryAfter) * time.Second
	}
	if m.Reset > 0 {
		d.Reset = time.Unix(m.Reset, 0).UTC()
	}
	return d, true
}

// maxWait bounds what a marker can say about waiting; limits by the week exist, longer ones are nonsense.
const maxWait = 31 * 24 * time.Hour

// detailOf takes out of an error what programs want to know.
func detailOf(err error) Detail {
	var e *copilot.Error
	if !errors.As(err, &e) {
		return Detail{Kind: "unknown"}
	}
	d := Detail{Kind: string(e.Kind), Status: e.Status, Code: e.Code, RequestID: e.RequestID, RetryAfter: e.RetryAfter}
	for _, q := range copilot.QuotaHeaders(e.Header) {
		spent := !q.Unlimited && q.Percent <= 0
		if spent && q.RateLimit == (e.Kind == copilot.KindRateLimit) && q.Reset.After(d.Reset) {
			d.Reset = q.Reset
		}
	}
	return d
}
