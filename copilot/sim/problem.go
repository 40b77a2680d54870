package sim

import (
	"crypto/rand"
	"encoding/json"
	"net/http"
	"strconv"
	"strings"

	"parley/copilot/sim/script"
)

// problem is a refusal: what a failed request is answered with.
type problem struct {
	check   string // name of the check that refused
	status  int
	shape   script.Shape
	code    string // of script.ShapeCode; for the Anthropic shapes the error type
	param   string
	message string
	header  map[string]string
	body    string // replaces the built body if not empty
}

// body types used in answers.
const (
	typeJSON = "application/json"
	typeText = "text/plain; charset=utf-8"
	typeSSE  = "text/event-stream; charset=utf-8"
)

// answer builds the response of p.
func (p *problem) answer() answer {
	a := answer{status: p.status, contentType: typeJSON, header: p.header}
	switch p.shape {
	case script.ShapeText:
		a.contentType = typeText
		a.body = []byte(p.message + "\n")
	case script.ShapeMessage:
		a.body = mustJSON(map[string]any{"message": p.message})
	case script.ShapeAnthropic, script.ShapeMislabel:
		if p.shape == script.ShapeMislabel {
			a.contentType = typeText
		}
		a.body = mustJSON(anthropicError{Type: "error", Error: anthropicErrorBody{Type: p.errorType(), Message: p.message},
			RequestID: "req_vrtx_" + randomID(20)})
	case script.ShapeEmpty:
		a.contentType = ""
	default:
		e := map[string]any{"message": p.message, "code": p.code}
		if p.param != "" {
			e["param"] = p.param
		}
		a.body = mustJSON(map[string]any{"error": e})
	}
	if p.body != "" {
		a.body = []byte(p.body)
	}
	return a
}

type anthropicError struct {
	Type      string             `json:"type"`
	Error     anthropicErrorBody `json:"error"`
	RequestID string             `json:"request_id,omitempty"`
}

type anthropicErrorBody struct {
	Type    string `json:"type"`
	Message string `json:"message"`
}

// errorType is the Anthropic error type: the code if one is given, else what belongs to the status.
func (p *problem) errorType() string {
	if p.code != "" {
		return p.code
	}
	return errorTypeOf(p.status)
}

// errorTypeOf is the Anthropic error type that belongs to an HTTP status.
func errorTypeOf(status int) string {
	switch status {
	case http.StatusBadRequest, http.StatusUnprocessableEntity:
		return "invalid_request_error"
	case http.StatusUnauthorized:
		return "authentication_error"
	case http.StatusPaymentRequired:
		return "billing_error"
	case http.StatusForbidden:
		return "permission_error"
	case http.StatusNotFound:
		return "not_found_error"
	case http.StatusRequestTimeout, http.StatusGatewayTimeout:
		return "timeout_error"
	case http.StatusRequestEntityTooLarge:
		return "request_too_large"
	case http.StatusTooManyRequests:
		return "rate_limit_error"
	case 529:
		return "overloaded_error"
	}
	return "api_error"
}

// answer is a whole response, before faults have touched it.
type answer struct {
	status      int
	contentType string
	header      map[string]string
	body        []byte
}

func jsonAnswer(status int, v any) answer {
	return answer{status: status, contentType: typeJSON, body: mustJSON(v)}
}

// mustJSON encodes values made here, which always encode. Like the service it leaves <, > and & alone.
func mustJSON(v any) []byte {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic("sim: encode a value of our own: " + err.Error())
	}
	return []byte(strings.TrimSuffix(b.String(), "\n"))
}

// randomID returns n random letters and digits.
func randomID(n int) string {
	s := ""
	for len(s) < n {
		s += rand.Text()
	}
	return s[:n]
}

// newUUID returns a random UUID, as the service uses for request ids.
func newUUID() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails
	b[6] = b[6]&0x0f | 0x40
	b[8] = b[8]&0x3f | 0x80
	const hex = "0123456789abcdef"
	out := make([]byte, 0, 36)
	for i, c := range b {
		if i == 4 || i == 6 || i == 8 || i == 10 {
			out = append(out, '-')
		}
		out = append(out, hex[c>>4], hex[c&15])
	}
	return string(out)
}

func itoa(n int) string { return strconv.Itoa(n) }
