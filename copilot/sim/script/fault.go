package script

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// FaultKind is the type of a fault.
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

// Fault is something that goes wrong on demand. The server injects it into the next matching requests, a script at one of
// its steps. The JSON and YAML names are the lower-case field names with underscores.
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
	// ContentType is the type that a content_type fault claims; empty: "application/octet-stream".
	ContentType string

	// Route, Model and Text select requests: the path ("" means /v1/messages; one that ends in "*" any that begins so), and
	// parts of the model id and of the user's newest words. Skip lets that many matching requests pass first. Times is how
	// many requests it applies to; 0 means 1, negative without end. Scripts do not use these.
	Route, Model, Text string
	Skip, Times        int
}

// Validate returns an error for a fault that makes no sense.
func (f *Fault) Validate() error {
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

// Shape is the form of an error body. The service uses several, and often calls JSON text/plain.
type Shape string

// The shapes of error bodies.
const (
	ShapeCode      Shape = "code"      // {"error":{"message","code"}} as application/json
	ShapeMessage   Shape = "message"   // {"message"} as application/json
	ShapeAnthropic Shape = "anthropic" // {"type":"error","error":{"type","message"},"request_id"} as application/json
	ShapeMislabel  Shape = "mislabel"  // the same, called text/plain
	ShapeText      Shape = "text"      // the message as text/plain
	ShapeEmpty     Shape = "empty"     // no body at all
)

// shapes lists all of them, for validation.
var shapes = []Shape{ShapeCode, ShapeMessage, ShapeAnthropic, ShapeMislabel, ShapeText, ShapeEmpty}
