package errmark

import (
	"encoding/base64"
	"encoding/json"
	"strings"
	"time"
)

// Detail holds the facts that an error message alone would not contain.
type Detail struct {
	// Kind is a kind of package copilot, such as "quota".
	Kind string
	// Status is the HTTP status of the service, 0 if it did not answer.
	Status int
	// Code is the service's code, such as "quota_exceeded"; empty if it gave none.
	Code string
	// RequestID is the service's id of the request; empty if it gave none.
	RequestID string
	// RetryAfter is the wait that the service asks for, in whole seconds; 0 if unspecified.
	RetryAfter time.Duration
	// Reset is the time at which the exhausted allowance starts again, in whole seconds; zero if unknown.
	Reset time.Time
}

// A marker is " (parley-error:1:DATA)", where 1 is the version of the format and DATA a JSON object in base64url without
// padding, so that it survives quoting, escaping and wrapping.
const (
	start = " (parley-error:1:"
	end   = ")"
	// maxData bounds DATA, in bytes; longer text is not a marker.
	maxData = 4 << 10
)

// MaxWait bounds the accepted waits: weekly limits exist, longer ones do not.
const MaxWait = 31 * 24 * time.Hour

// data is the object in a marker.
type data struct {
	Kind       string `json:"k,omitempty"`
	Status     int    `json:"s,omitempty"`
	Code       string `json:"c,omitempty"`
	RequestID  string `json:"r,omitempty"`
	RetryAfter int64  `json:"w,omitempty"` // seconds
	Reset      int64  `json:"t,omitempty"` // Unix time
}

// Encode returns the marker to append to an error message, its leading space included.
func Encode(d Detail) string {
	m := data{Kind: d.Kind, Status: d.Status, Code: d.Code, RequestID: d.RequestID,
		RetryAfter: int64((d.RetryAfter + time.Second - 1) / time.Second)}
	if !d.Reset.IsZero() {
		m.Reset = d.Reset.Unix()
	}
	b, err := json.Marshal(m)
	if err != nil { // strings and numbers always marshal
		panic(err)
	}
	return start + base64.RawURLEncoding.EncodeToString(b) + end
}

// Strip returns the text without its markers and the detail of the first readable one. found is false if no marker is
// readable.
func Strip(text string) (plain string, d Detail, found bool) {
	if !strings.Contains(text, start) {
		return text, Detail{}, false
	}
	var b strings.Builder
	for {
		from, to := find(text)
		if to == 0 {
			break
		}
		if !found {
			d, found = decode(text[from+len(start) : to-len(end)])
		}
		b.WriteString(text[:from])
		text = text[to:]
	}
	b.WriteString(text)
	return b.String(), d, found
}

// find returns the byte range of the first marker, zeros if there is none.
func find(text string) (from, to int) {
	for at := 0; ; {
		i := strings.Index(text[at:], start)
		if i < 0 {
			return 0, 0
		}
		from, at = at+i, at+i+len(start)
		rest := text[at:min(len(text), at+maxData)]
		n := strings.IndexFunc(rest, func(r rune) bool {
			return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '-' && r != '_'
		})
		if n > 0 && strings.HasPrefix(rest[n:], end) {
			return from, at + n + len(end)
		}
	}
}

// decode decodes the data of a marker. A wait out of bounds counts as none.
func decode(text string) (Detail, bool) {
	b, err := base64.RawURLEncoding.DecodeString(text)
	var m data
	if err != nil || json.Unmarshal(b, &m) != nil {
		return Detail{}, false
	}
	d := Detail{Kind: m.Kind, Status: m.Status, Code: m.Code, RequestID: m.RequestID}
	if m.RetryAfter > 0 && m.RetryAfter <= int64(MaxWait/time.Second) {
		d.RetryAfter = time.Duration(m.RetryAfter) * time.Second
	}
	if m.Reset > 0 {
		d.Reset = time.Unix(m.Reset, 0).UTC()
	}
	return d, true
}
