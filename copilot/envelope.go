package copilot

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"unicode"
)

// maxErrorText bounds the text taken from a body that is not JSON, in bytes.
const maxErrorText = 2000

// fault is the content of an error body of any shape.
type fault struct {
	envelope      []byte // the body, if it is a valid Anthropic envelope
	typ           string // of an Anthropic envelope or an OpenAI error
	code, message string
	requestID     string
	notice        *NoticeError // GitHub's reason for refusing an account, nil for none
}

// readFault parses an error body, whose Content-Type is unreliable. Four shapes are known: the Anthropic envelope
// {"type":"error","error":{…}}, {"error":{"message","code"}} (or "error" as a string), {"message"}, and plain text.
func readFault(body []byte) fault {
	body = bytes.TrimSpace(body)
	o := object(body)
	if o == nil {
		return fault{message: plainText(body)}
	}
	f := fault{requestID: o.str("request_id"), notice: readNotice(o)}
	inner := object(o["error"])
	if inner == nil {
		f.message, f.code = o.str("message"), o.str("code")
		if s := o.str("error"); f.message == "" {
			f.message = s
		}
		if f.message == "" {
			f.message = plainText(body)
		}
		return f
	}
	f.typ, f.code, f.message = inner.str("type"), inner.str("code"), inner.str("message")
	if o.str("type") == "error" && inner.isString("type") && inner.isString("message") {
		f.envelope = bytes.Clone(body)
	}
	if f.message == "" && f.envelope == nil {
		f.message = plainText(body)
	}
	return f
}

// plainText returns a body that is not JSON as one short line, "" for a web page.
func plainText(body []byte) string {
	text := strings.ToValidUTF8(string(body[:min(len(body), maxErrorText)]), "")
	if strings.HasPrefix(text, "<") {
		return ""
	}
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, text))
}

// synthesise returns an Anthropic error envelope.
func synthesise(status int, message, requestID string) []byte {
	var e struct {
		Type  string `json:"type"`
		Error struct {
			Type    string `json:"type"`
			Message string `json:"message"`
		} `json:"error"`
		RequestID *string `json:"request_id"`
	}
	e.Type, e.Error.Type, e.Error.Message = "error", anthropicType(status), message
	if message == "" {
		e.Error.Message = statusLine(status)
	}
	if requestID != "" {
		e.RequestID = &requestID
	}
	b, err := json.Marshal(e)
	if err != nil { // strings always marshal
		return fmt.Appendf(nil, `{"type":"error","error":{"type":%q,"message":""},"request_id":null}`, e.Error.Type)
	}
	return b
}

// anthropicType returns the error type of the Anthropic API for a status (as of anthropic-version 2023-06-01).
func anthropicType(status int) string {
	switch status {
	case http.StatusUnauthorized:
		return "authentication_error"
	case http.StatusPaymentRequired:
		return "billing_error"
	case http.StatusForbidden, http.StatusMisdirectedRequest:
		return "permission_error"
	case http.StatusNotFound:
		return "not_found_error"
	case http.StatusRequestEntityTooLarge:
		return "request_too_large"
	case http.StatusTooManyRequests:
		return "rate_limit_error"
	case http.StatusRequestTimeout, http.StatusGatewayTimeout:
		return "timeout_error"
	case http.StatusServiceUnavailable, 529:
		return "overloaded_error"
	}
	if status >= 400 && status < 499 {
		return "invalid_request_error"
	}
	return "api_error"
}
