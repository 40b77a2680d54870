package session

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
)

// codec encodes and decodes one type of event.
type codec struct {
	name string
	// decode decodes the fields in data into an event with this head.
	decode func(d *Decoder, h Head, data []byte) (Event, error)
}

// headed is a pointer to an event.
type headed[E Event] interface {
	*E
	setHead(h Head)
}

// Detach clears the event's turn and child.
func Detach[E Event, P headed[E]](e E) E {
	h := e.Header()
	h.Turn, h.Child = "", ""
	P(&e).setHead(h)
	return e
}

func codecOf[E Event, P headed[E]](name string) codec {
	return codec{name, func(d *Decoder, h Head, data []byte) (Event, error) {
		var e E
		P(&e).setHead(h)
		err := json.Unmarshal(data, &e)
		d.share(&e)
		return e, err
	}}
}

// codecs are all types of events. Their names never change: journals and the stream-json output contain them.
var codecs = map[reflect.Type]codec{
	reflect.TypeFor[TurnStarted]():      codecOf[TurnStarted]("turn_started"),
	reflect.TypeFor[TurnEnded]():        codecOf[TurnEnded]("turn_ended"),
	reflect.TypeFor[PartStarted]():      codecOf[PartStarted]("part_started"),
	reflect.TypeFor[PartDelta]():        codecOf[PartDelta]("part_delta"),
	reflect.TypeFor[PartEnded]():        codecOf[PartEnded]("part_ended"),
	reflect.TypeFor[PartReplaced]():     codecOf[PartReplaced]("part_replaced"),
	reflect.TypeFor[PartRetracted]():    codecOf[PartRetracted]("part_retracted"),
	reflect.TypeFor[ToolStarted]():      codecOf[ToolStarted]("tool_started"),
	reflect.TypeFor[ToolInput]():        codecOf[ToolInput]("tool_input"),
	reflect.TypeFor[ToolReady]():        codecOf[ToolReady]("tool_ready"),
	reflect.TypeFor[ToolOutput]():       codecOf[ToolOutput]("tool_output"),
	reflect.TypeFor[ToolEnded]():        codecOf[ToolEnded]("tool_ended"),
	reflect.TypeFor[FilesChanged]():     codecOf[FilesChanged]("files_changed"),
	reflect.TypeFor[Asked]():            codecOf[Asked]("asked"),
	reflect.TypeFor[Settled]():          codecOf[Settled]("settled"),
	reflect.TypeFor[ChildStarted]():     codecOf[ChildStarted]("child_started"),
	reflect.TypeFor[ChildEnded]():       codecOf[ChildEnded]("child_ended"),
	reflect.TypeFor[Queued]():           codecOf[Queued]("queued"),
	reflect.TypeFor[Steered]():          codecOf[Steered]("steered"),
	reflect.TypeFor[Reminded]():         codecOf[Reminded]("reminded"),
	reflect.TypeFor[Unqueued]():         codecOf[Unqueued]("unqueued"),
	reflect.TypeFor[Requeued]():         codecOf[Requeued]("requeued"),
	reflect.TypeFor[RetryScheduled]():   codecOf[RetryScheduled]("retry_scheduled"),
	reflect.TypeFor[UsageReported]():    codecOf[UsageReported]("usage_reported"),
	reflect.TypeFor[ContextReported]():  codecOf[ContextReported]("context_reported"),
	reflect.TypeFor[CreditsReported]():  codecOf[CreditsReported]("credits_reported"),
	reflect.TypeFor[LimitReported]():    codecOf[LimitReported]("limit_reported"),
	reflect.TypeFor[ModelChanged]():     codecOf[ModelChanged]("model_changed"),
	reflect.TypeFor[ModeChanged]():      codecOf[ModeChanged]("mode_changed"),
	reflect.TypeFor[CustomChanged]():    codecOf[CustomChanged]("custom_changed"),
	reflect.TypeFor[DirsChanged]():      codecOf[DirsChanged]("dirs_changed"),
	reflect.TypeFor[TitleChanged]():     codecOf[TitleChanged]("title_changed"),
	reflect.TypeFor[RuleRevoked]():      codecOf[RuleRevoked]("rule_revoked"),
	reflect.TypeFor[TodosChanged]():     codecOf[TodosChanged]("todos_changed"),
	reflect.TypeFor[Compacted]():        codecOf[Compacted]("compacted"),
	reflect.TypeFor[SessionIDChanged](): codecOf[SessionIDChanged]("session_id_changed"),
	reflect.TypeFor[RuntimeChanged]():   codecOf[RuntimeChanged]("runtime_changed"),
	reflect.TypeFor[RemoteChanged]():    codecOf[RemoteChanged]("remote_changed"),
	reflect.TypeFor[Notice]():           codecOf[Notice]("notice"),
}

var codecsByName = func() map[string]codec {
	m := make(map[string]codec, len(codecs))
	for _, c := range codecs {
		m[c.name] = c
	}
	return m
}()

// UnknownEventError reports an encoded event of a type that this version does not know, such as one of a newer parley.
// Readers skip the event and report it.
type UnknownEventError struct {
	// Type is the type in the encoded event.
	Type string
}

// Error returns a message with the type.
func (e *UnknownEventError) Error() string { return fmt.Sprintf("unknown type of event %q", e.Type) }

// EventType returns the name of e's type as it is encoded, such as "part_delta"; empty for nil.
func EventType(e Event) string { return codecs[reflect.TypeOf(e)].name }

// SchemaVersion is the version of the JSON that -p prints and an export holds. It grows when a field changes its meaning or is
// removed, and not for new fields or new types of events.
const SchemaVersion = 1

// EncodeEvent returns e as one line of JSON without a line break, in the format that the package comment describes.
// Errors are of kind [KindInternal].
func EncodeEvent(e Event) ([]byte, error) {
	name := EventType(e)
	if name == "" {
		return nil, &Error{Op: "encode event", Kind: KindInternal, Err: fmt.Errorf("%T is not an event", e)}
	}
	e, opaque := encodable(e)
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	// Programs and people read the output, not browsers.
	enc.SetEscapeHTML(false)
	if err := enc.Encode(e); err != nil {
		return nil, &Error{Op: "encode event " + name, Kind: KindInternal, Err: err}
	}
	fields := bytes.TrimSuffix(b.Bytes()[1:], []byte("}\n"))
	out := make([]byte, 0, len(fields)+len(opaque)+len(name)+24)
	out = append(out, `{"type":"`...)
	out = append(out, name...)
	out = append(out, '"')
	if len(fields) > 0 {
		out = append(append(out, ','), fields...)
	}
	if opaque != nil {
		out = append(append(out, `,"opaque":`...), opaque...)
	}
	return append(out, '}'), nil
}

// encodable removes the opaque value from e, because encoding/json would rewrite it, and makes malformed JSON
// encodable.
func encodable(e Event) (Event, json.RawMessage) {
	switch e := e.(type) {
	case PartEnded:
		opaque := oneLine(e.Opaque)
		e.Opaque = nil
		return e, opaque
	case PartReplaced:
		opaque := oneLine(e.Opaque)
		e.Opaque = nil
		return e, opaque
	case ToolReady:
		e.Input = wellFormed(e.Input)
		return e, nil
	case Asked:
		if e.Permission != nil && !json.Valid(e.Permission.Input) {
			p := *e.Permission
			p.Input = wellFormed(p.Input)
			e.Permission = &p
		}
		if e.Elicitation != nil && !json.Valid(e.Elicitation.Schema) {
			el := *e.Elicitation
			el.Schema = wellFormed(el.Schema)
			e.Elicitation = &el
		}
		return e, nil
	}
	return e, nil
}

// wellFormed returns raw if it is JSON, nil if it is empty, and a JSON string of it otherwise.
func wellFormed(raw json.RawMessage) json.RawMessage {
	if len(raw) == 0 {
		return nil
	}
	if json.Valid(raw) {
		return raw
	}
	quoted, err := json.Marshal(string(raw))
	if err != nil {
		return nil
	}
	return quoted
}

// oneLine returns raw without line breaks between its tokens. JSON strings cannot hold any.
func oneLine(raw json.RawMessage) json.RawMessage {
	raw = wellFormed(raw)
	if !bytes.ContainsAny(raw, "\r\n") {
		return raw
	}
	var b bytes.Buffer
	if err := json.Compact(&b, raw); err != nil {
		return nil
	}
	return b.Bytes()
}

// typeFirst is the beginning of every line of [EncodeEvent].
const typeFirst = `{"type":"`

// codecAtOnce finds the codec of a line that begins with its type, as [EncodeEvent] writes it, without reading the
// rest. It reports false if another field might name the type too: encoding/json uses the last one, in any case and
// with any of its characters escaped.
func codecAtOnce(data []byte) (codec, bool) {
	rest, ok := bytes.CutPrefix(data, []byte(typeFirst))
	if !ok {
		return codec{}, false
	}
	name, rest, ok := bytes.Cut(rest, []byte{'"'})
	if !ok || bytes.Contains(rest, []byte(`\u`)) || namesType(rest) {
		return codec{}, false
	}
	c, ok := codecsByName[string(name)]
	return c, ok
}

// namesType reports whether a string in data ends in "type", in any case.
func namesType(data []byte) bool {
	for _, end := range []string{`e"`, `E"`} {
		for rest := data; ; {
			i := bytes.Index(rest, []byte(end))
			if i < 0 {
				break
			}
			if i >= 3 && bytes.EqualFold(rest[i-3:i], []byte("typ")) {
				return true
			}
			rest = rest[i+len(end):]
		}
	}
	return false
}

// EventStruct returns the struct of a type of events by its encoded name, nil for an unknown one. The encoding has its fields
// beside the type.
func EventStruct(name string) reflect.Type {
	for t, c := range codecs {
		if c.name == name {
			return t
		}
	}
	return nil
}

// EventTypes returns the names of all types of events as they are encoded, sorted.
func EventTypes() []string { return slices.Sorted(maps.Keys(codecsByName)) }
