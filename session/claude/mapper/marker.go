package mapper

import (
	"encoding/base64"
	"encoding/json"
	"strings"
	"time"
)

// detail is what the proxy puts behind the message of an error, as " (parley-error:1:DATA)", where DATA is a JSON object
// in base64url without padding: the runtime keeps nothing of a failed request but its message.
type detail struct {
	Kind       string `json:"k"`
	Status     int    `json:"s"`
	Code       string `json:"c"`
	RequestID  string `json:"r"`
	RetryAfter int64  `json:"w"` // seconds
	Reset      int64  `json:"t"` // Unix time
}

const (
	markerStart = " (parley-error:1:"
	markerEnd   = ")"
	maxMarker   = 4 << 10 // what is longer is none
	maxWait     = 31 * 24 * time.Hour
)

// unmark takes the markers out of a text and returns what the first readable one says.
func unmark(text string) (plain string, d detail, found bool) {
	if !strings.Contains(text, markerStart) {
		return text, detail{}, false
	}
	var b strings.Builder
	for {
		from, to := findMarker(text)
		if to == 0 {
			break
		}
		if !found {
			d, found = readMarker(text[from+len(markerStart) : to-len(markerEnd)])
		}
		b.WriteString(text[:from])
		text = text[to:]
	}
	b.WriteString(text)
	return b.String(), d, found
}

// findMarker returns where the first marker begins and ends, and zeros if there is none.
func findMarker(text string) (from, to int) {
	for at := 0; ; {
		i := strings.Index(text[at:], markerStart)
		if i < 0 {
			return 0, 0
		}
		from, at = at+i, at+i+len(markerStart)
		rest := text[at:min(len(text), at+maxMarker)]
		n := strings.IndexFunc(rest, func(r rune) bool {
			return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '-' && r != '_'
		})
		if n > 0 && strings.HasPrefix(rest[n:], markerEnd) {
			return from, at + n + len(markerEnd)
		}
	}
}

func readMarker(data string) (detail, bool) {
	b, err := base64.RawURLEncoding.DecodeString(data)
	if err != nil {
		return detail{}, false
	}
	var d detail
	if json.Unmarshal(b, &d) != nil {
		return detail{}, false
	}
	if d.RetryAfter < 0 || d.RetryAfter > int64(maxWait/time.Second) {
		d.RetryAfter = 0
	}
	return d, true
}
