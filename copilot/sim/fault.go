package sim

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"parley/copilot/sim/script"
)

// problemOf returns the HTTP error of a status fault: the service's usual error with the changes of the fault.
func problemOf(f *script.Fault) *problem {
	p := usualProblem(f.Status)
	if f.Shape != "" {
		p.shape = f.Shape
		if f.Shape == script.ShapeAnthropic || f.Shape == script.ShapeMislabel {
			p.code = "" // the Anthropic type of the status
		}
	}
	if f.Code != "" {
		p.code = f.Code
	}
	if f.Message != "" {
		p.message = f.Message
	}
	p.body = f.Body
	header := map[string]string{}
	for k, v := range p.header {
		header[k] = v
	}
	if f.RetryAfter != "" {
		header["Retry-After"] = f.RetryAfter
	}
	for k, v := range f.Header {
		header[k] = v
	}
	p.header = header
	return &p
}

// usualProblem returns the service's error for a status. A 402 has no headers and no Retry-After.
func usualProblem(status int) problem {
	switch status {
	case 400:
		return problem{status: 400, shape: script.ShapeText, message: "Bad Request"}
	case 401:
		return problem{status: 401, shape: script.ShapeText, message: textUnauthorized}
	case 402:
		return problem{status: 402, shape: script.ShapeCode, code: "quota_exceeded", message: "You have no quota"}
	case 403:
		return problem{status: 403, shape: script.ShapeMessage, message: "Access to this endpoint is forbidden. Please review our terms of service."}
	case 404:
		return problem{status: 404, shape: script.ShapeText, message: "404 page not found"}
	case 408:
		return problem{status: 408, shape: script.ShapeCode, code: "user_request_timeout",
			message: "Timed out reading request body. Try again, or use a smaller request size."}
	case 413:
		return problem{status: 413, shape: script.ShapeText, message: "Request Entity Too Large"}
	case 421:
		return problem{status: 421, shape: script.ShapeText, message: "Misdirected Request"}
	case 429:
		return problem{status: 429, shape: script.ShapeCode, code: "rate_limited",
			message: "Sorry, you have exceeded your rate limit. Please wait a moment and try again.",
			header:  map[string]string{"X-Ratelimit-Exceeded": "user-model-requests"}}
	case 466:
		return problem{status: 466, shape: script.ShapeText, message: "client version not supported"}
	case 503:
		return problem{status: 503, shape: script.ShapeText, message: "upstream connect error or disconnect/reset before headers"}
	case 529:
		return problem{status: 529, shape: script.ShapeMislabel, code: "overloaded_error", message: "Overloaded"}
	case 0, 500:
		return problem{status: 500, shape: script.ShapeMislabel, code: "api_error", message: "Internal server error"}
	}
	return problem{status: status, shape: script.ShapeMessage, message: "simulated status " + itoa(status)}
}

// claimedType returns the content type that a content_type fault claims.
func claimedType(f *script.Fault) string {
	if f.ContentType == "" {
		return "application/octet-stream"
	}
	return f.ContentType
}

// errorEventOf returns the data of the event of an error_event fault.
func errorEventOf(f *script.Fault) []byte {
	if f.Body != "" {
		return []byte(f.Body)
	}
	e := anthropicError{Type: "error", Error: anthropicErrorBody{Type: f.Code, Message: f.Message}}
	if e.Error.Type == "" {
		e.Error.Type = "overloaded_error"
	}
	if e.Error.Message == "" {
		e.Error.Message = "Overloaded"
	}
	return mustJSON(e)
}

// faultList holds the injected faults.
type faultList struct {
	mu   sync.Mutex
	list []*script.Fault
}

func (l *faultList) add(f script.Fault) error {
	if err := f.Validate(); err != nil {
		return fmt.Errorf("inject fault: %w", err)
	}
	if f.Times == 0 {
		f.Times = 1
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.list = append(l.list, &f)
	return nil
}

func (l *faultList) clear() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.list = nil
}

// take returns the faults that apply to a request and counts them down.
func (l *faultList) take(path, model, prompt string) []script.Fault {
	l.mu.Lock()
	defer l.mu.Unlock()
	var out []script.Fault
	l.list = slices.DeleteFunc(l.list, func(f *script.Fault) bool {
		if !selects(f, path, model, prompt) {
			return false
		}
		if f.Skip > 0 {
			f.Skip--
			return false
		}
		out = append(out, *f)
		if f.Times > 0 {
			f.Times--
		}
		return f.Times == 0
	})
	return out
}

func selects(f *script.Fault, path, model, prompt string) bool {
	route := f.Route
	if route == "" {
		route = "/v1/messages"
	}
	prefix, all := strings.CutSuffix(route, "*")
	return (route == path || all && strings.HasPrefix(path, prefix)) && strings.Contains(model, f.Model) && strings.Contains(prompt, f.Text)
}
