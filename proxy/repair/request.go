package repair

import (
	"fmt"

	"parley/internal/jsonedit"
)

// Request is a request body of the Messages API, checked and outlined once for all its readers. Only one goroutine uses
// it. The body must not change while it is in use.
type Request struct{ doc *jsonedit.Document }

// Read reads a body. Errors are those of [jsonedit.Read].
func Read(body []byte) (*Request, error) {
	d, err := jsonedit.Read(body, requestShape)
	if err != nil {
		return nil, err
	}
	return &Request{d}, nil
}

// Document returns the outline. The top level, messages with their blocks, the system prompt, tools and the small
// option objects are opened; the inputs of tools and the contents of schemas are not.
func (r *Request) Document() *jsonedit.Document { return r.doc }

// Bytes returns the body with the changes so far; the original body if there are none.
func (r *Request) Bytes() []byte { return r.doc.Bytes() }

// Take returns Bytes and may change the body to do so: one that only gets shorter is not copied. The Request must not
// be used afterwards.
func (r *Request) Take() []byte { return r.doc.Take() }

// Release frees the outline. The Request must not be used afterwards.
func (r *Request) Release() { r.doc.Release() }

// Changed reports whether a change to the body was recorded.
func (r *Request) Changed() bool { return r.doc.Changed() }

// SetModel replaces the model in the body. A body without one stays unchanged.
func (r *Request) SetModel(id string) {
	n := r.doc.Member(r.doc.Root(), "model")
	if quoted := jsonedit.Quote(id); n != jsonedit.None && string(r.doc.Raw(n)) != quoted {
		r.doc.Replace(n, quoted)
	}
}

// ListSystem converts a system prompt that is a string to a list of one text block, the form that the service takes
// from all clients. Together with the other changes it costs no further pass over a large body.
func (r *Request) ListSystem() {
	for n := range r.doc.Children(r.doc.Root()) {
		if r.doc.KeyIs(n, "system") && r.doc.Kind(n) == '"' && !r.doc.Wrapped(n) {
			r.doc.Wrap(n, `[{"type":"text","text":`, `}]`)
		}
	}
}

// requestShape is the part of a request that rules read.
var requestShape = func() *jsonedit.Shape {
	type members = map[string]*jsonedit.Shape
	flat := &jsonedit.Shape{}
	list := func(of *jsonedit.Shape) *jsonedit.Shape { return &jsonedit.Shape{Elements: of} }
	inner := &jsonedit.Shape{Members: members{"cache_control": flat, "source": flat}}
	block := &jsonedit.Shape{Members: members{"cache_control": flat, "source": flat, "content": list(inner)}}
	message := &jsonedit.Shape{Members: members{"content": list(block), "output_config": flat}}
	tool := &jsonedit.Shape{Members: members{"cache_control": flat, "input_schema": flat}}
	return &jsonedit.Shape{Members: members{
		"messages": list(message), "system": list(block), "tools": list(tool), "thinking": flat, "output_config": flat,
		"context_management": {Members: members{"edits": list(flat)}}, "tool_choice": flat, "metadata": flat,
		"cache_control": flat,
	}}
}()

// work is one request under repair.
type work struct {
	*jsonedit.Document
	r     *Repairer
	model Model
	betas []string

	msgs  []message // see messages
	blks  []block   // see block
	index bool      // msgs and blks are valid

	toolList []tool // see tools
	offered  bool   // toolList is valid

	placed  int    // cache marks in inserted text, which the Document does not show
	rule    string // the running rule
	fired   []Fired
	refusal *Refusal
}

// fire records that the running rule has changed something at a place.
func (w *work) fire(format string, args ...any) {
	if n := len(w.fired); n > 0 && w.fired[n-1].Rule == w.rule {
		w.fired[n-1].Count++
		return
	}
	w.fired = append(w.fired, Fired{Rule: w.rule, Count: 1, At: fmt.Sprintf(format, args...)})
}

// refuse ends the repair: the request cannot be sent.
func (w *work) refuse(format string, args ...any) {
	if w.refusal == nil {
		w.refusal = &Refusal{Rule: w.rule, Message: fmt.Sprintf(format, args...)}
	}
}

// top returns a member of the request, [jsonedit.None] if it is missing.
func (w *work) top(name string) jsonedit.Node { return w.Member(w.Root(), name) }

// member returns a member of a value that may not be an object.
func (w *work) member(n jsonedit.Node, name string) jsonedit.Node {
	if n == jsonedit.None {
		return n
	}
	return w.Member(n, name)
}

// typeIs reports whether an object has that type.
func (w *work) typeIs(n jsonedit.Node, want string) bool { return w.Is(w.member(n, "type"), want) }

// noContent replaces empty content, because no message may be empty. Claude Code writes the same text.
const noContent = "(no content)"

// dropBlock removes a block from a message, and never leaves the message empty.
func (w *work) dropBlock(m *message, b *block) {
	if !b.inner && w.Len(m.content) == 1 {
		w.Replace(b.node, `{"type":"text","text":"`+noContent+`"}`)
		*b = noBlock(b.node)
		return
	}
	w.Delete(b.node)
}

// thinks reports whether the request asks for thinking.
func (w *work) thinks() bool {
	t := w.top("thinking")
	return w.typeIs(t, "enabled") || w.typeIs(t, "adaptive")
}
