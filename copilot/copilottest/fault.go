package copilottest

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"
)

// FaultKind is what goes wrong.
type FaultKind string

// The kinds of faults.
const (
	// FaultStatus answers with an HTTP error instead of a reply.
	FaultStatus FaultKind = "status"
	// FaultErrorEvent sends an error event in the stream and ends it.
	FaultErrorEvent FaultKind = "error_event"
	// FaultCut cuts the connection: before the header if After is 0, else in the middle.
	FaultCut FaultKind = "cut"
	// FaultEnd ends the stream as if all were well, but without message_stop.
	FaultEnd FaultKind = "end"
	// FaultStall goes silent for the time For, or until the client leaves if For is 0.
	FaultStall FaultKind = "stall"
	// FaultMalformed sends a frame whose data is broken JSON, and goes on.
	FaultMalformed FaultKind = "malformed"
	// FaultUnknown sends a comment, an event of an unknown type and unknown fields, and goes on.
	FaultUnknown FaultKind = "unknown_event"
	// FaultJunk sends more after message_stop.
	FaultJunk FaultKind = "junk"
	// FaultContentType calls the stream something it is not.
	FaultContentType FaultKind = "content_type"
	// FaultDrip sends everything that follows byte by byte.
	FaultDrip FaultKind = "drip"
)

var faultKinds = []FaultKind{FaultStatus, FaultErrorEvent, FaultCut, FaultEnd, FaultStall, FaultMalformed, FaultUnknown,
	FaultJunk, FaultContentType, FaultDrip}

// Fault is something that goes wrong on demand: with the next matching requests if given to [Server.Inject], or where
// it stands in the steps of a script. The JSON and YAML names are the lower-case field names with underscores.
type Fault struct {
	Kind FaultKind

	// Status, Shape, Code and Message make an HTTP error; an error event uses Code as its type. What is left out
	// is what the real service says with that status. Status 0 means 500.
	Status        int
	Shape         Shape
	Code, Message string
	// Body is sent verbatim instead of the built body: of the HTTP error, as the data of an error event, or as
	// the broken data of a malformed frame.
	Body string
	// RetryAfter is sent as the Retry-After header, as it is.
	RetryAfter string
	// Header is added to the answer.
	Header map[string]string

	// After says where: 0 before the response header, -1 right after message_start, N after N content deltas or at
	// the end of the content if there are fewer. In a script 0 means where the step stands. Answers that are not
	// streamed know only 0 and the middle.
	After int
	// For is how long a stall lasts (0: until the client leaves), and the pause between two bytes of a drip
	// (0: one millisecond).
	For time.Duration
	// ContentType is what a content_type fault claims; empty: "application/octet-stream".
	ContentType string

	// Route, Model and Text select requests: the exact path ("" means /v1/messages, "*" any), and parts of the model
	// id and of the user's newest words. Skip lets that many matching requests pass first. Times is how many
	// requests it applies to; 0 means 1, negative without end. Scripts do not use these.
	Route, Model, Text string
	Skip, Times        int
}

// validate reports what makes no sense.
func (f *Fault) validate() error {
	if !slices.Contains(faultKinds, f.Kind) {
		return fmt.Errorf("unknown fault %q; known: %s", f.Kind, joinKinds())
	}
	if f.Shape != "" && !slices.Contains(shapes, f.Shape) {
		return fmt.Errorf("unknown shape %q of an error body; known: %v", f.Shape, shapes)
	}
	if f.Kind == FaultStatus && (f.After != 0 || f.Status != 0 && (f.Status < 400 || f.Status > 599)) {
		return fmt.Errorf("a status fault needs a status from 400 to 599 and comes before the answer")
	}
	if f.Kind != FaultStatus && f.Status != 0 {
		return fmt.Errorf("a %s fault takes no status", f.Kind)
	}
	if f.After < -1 || f.For < 0 || f.Skip < 0 {
		return fmt.Errorf("a fault cannot have a negative skip, for or after (but after: -1)")
	}
	return nil
}

func joinKinds() string {
	names := make([]string, len(faultKinds))
	for i, k := range faultKinds {
		names[i] = string(k)
	}
	return strings.Join(names, ", ")
}

// problem is the HTTP error of a status fault: what the service is known to say, changed by what the fault states.
func (f *Fault) problem() *problem {
	p := usualProblem(f.Status)
	if f.Shape != "" {
		p.shape = f.Shape
		if f.Shape == ShapeAnthropic || f.Shape == ShapeMislabel {
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

// usualProblem is how the service words a status. A 402 carries no headers and no Retry-After.
func usualProblem(status int) problem {
	switch status {
	case 400:
		return problem{status: 400, shape: ShapeText, message: "Bad Request"}
	case 401:
		return problem{status: 401, shape: ShapeText, message: textUnauthorized}
	case 402:
		return problem{status: 402, shape: ShapeCode, code: "quota_exceeded", message: "You have no quota"}
	case 403:
		return problem{status: 403, shape: ShapeMessage, message: "Access to this endpoint is forbidden. Please review our terms of service."}
	case 404:
		return problem{status: 404, shape: ShapeText, message: "404 page not found"}
	case 408:
		return problem{status: 408, shape: ShapeCode, code: "user_request_timeout",
			message: "Timed out reading request body. Try again, or use a smaller request size."}
	case 413:
		return problem{status: 413, shape: ShapeText, message: "Request Entity Too Large"}
	case 421:
		return problem{status: 421, shape: ShapeText, message: "Misdirected Request"}
	case 429:
		return problem{status: 429, shape: ShapeCode, code: "rate_limited",
			message: "Sorry, you have exceeded your rate limit. Please wait a moment and try again.",
			header:  map[string]string{"X-Ratelimit-Exceeded": "user-model-requests"}}
	case 466:
		return problem{status: 466, shape: ShapeText, message: "client version not supported"}
	case 503:
		return problem{status: 503, shape: ShapeText, message: "upstream connect error or disconnect/reset before headers"}
	case 529:
		return problem{status: 529, shape: ShapeMislabel, code: "overloaded_error", message: "Overloaded"}
	case 0, 500:
		return problem{status: 500, shape: ShapeMislabel, code: "api_error", message: "Internal server error"}
	}
	return problem{status: status, shape: ShapeMessage, message: "simulated status " + itoa(status)}
}

// contentType is what a content_type fault claims.
func (f *Fault) contentType() string {
	if f.ContentType == "" {
		return "application/octet-stream"
	}
	return f.ContentType
}

// errorEvent is the data of the event that an error_event fault sends.
func (f *Fault) errorEvent() []byte {
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
	list []*Fault
}

func (l *faultList) add(f Fault) error {
	if err := f.validate(); err != nil {
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
func (l *faultList) take(path, model, prompt string) []Fault {
	l.mu.Lock()
	defer l.mu.Unlock()
	var out []Fault
	l.list = slices.DeleteFunc(l.list, func(f *Fault) bool {
		if !f.selects(path, model, prompt) {
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

func (f *Fault) selects(path, model, prompt string) bool {
	route := f.Route
	if route == "" {
		route = "/v1/messages"
	}
	return (route == "*" || route == path) && strings.Contains(model, f.Model) && strings.Contains(prompt, f.Text)
}
