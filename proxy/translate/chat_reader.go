package translate

import (
	"bytes"
	"encoding/json"
)

// chatReader reads the chunks of Chat Completions, which do not mark the end of a block. Text is complete when
// something else begins; a call is complete when its input is a whole JSON object and something else has begun.
type chatReader struct {
	all    *assembler
	id     string           // of the message
	tail   *segment         // the newest block
	calls  map[int]*segment // by the index the service gives
	raw    map[*segment]string
	last   *segment // the newest call
	reason string   // finish_reason
	usage  *chatUsage
	cost   json.RawMessage
	fault  *Failure
}

// chatChunk is a chunk of a stream or a whole answer, where the delta is the message.
type chatChunk struct {
	Choices []struct {
		Delta   chatDelta `json:"delta"`
		Message chatDelta `json:"message"`
		Reason  string    `json:"finish_reason"`
	} `json:"choices"`
	Usage *chatUsage      `json:"usage"`
	Cost  json.RawMessage `json:"copilot_usage"`
	Error json.RawMessage `json:"error"`
}

// chatDelta is a piece of the answer. Reasoning has three names; reasoning_opaque is its encrypted form in the Copilot
// API.
type chatDelta struct {
	Content          string        `json:"content"`
	Refusal          string        `json:"refusal"`
	ReasoningText    string        `json:"reasoning_text"`
	ReasoningContent string        `json:"reasoning_content"`
	Reasoning        loose[string] `json:"reasoning"`
	Opaque           string        `json:"reasoning_opaque"`
	Calls            []chatCall    `json:"tool_calls"`
}

type chatCall struct {
	Index    *int   `json:"index"`
	ID       string `json:"id"`
	Function struct {
		Name      string `json:"name"`
		Arguments string `json:"arguments"`
	} `json:"function"`
}

func (r *chatReader) event(_ string, data []byte) (bool, error) {
	data = bytes.TrimSpace(data)
	if string(data) == "[DONE]" {
		return r.reason != "", nil
	}
	var d chatDelta
	if readChatDelta(data, &d) {
		r.all.start()
		r.delta(&d)
		r.settle()
		return false, nil
	}
	var c chatChunk
	if err := decode(data, &c); err != nil {
		return false, err
	}
	r.chunk(&c, false)
	return false, nil
}

// chunk reads a chunk or a whole answer. The choices are parts of one answer: the Copilot API sometimes puts text and
// calls into separate ones.
func (r *chatReader) chunk(c *chatChunk, whole bool) {
	if len(c.Error) > 0 && string(c.Error) != "null" {
		var f responsesFault
		if json.Unmarshal(c.Error, &f) != nil {
			_ = json.Unmarshal(c.Error, &f.Message) // some send a plain string
		}
		r.fault = f.failure()
		return
	}
	r.all.start()
	for i := range c.Choices {
		d := &c.Choices[i].Delta
		if whole {
			d = &c.Choices[i].Message
		}
		r.delta(d)
		if reason := c.Choices[i].Reason; reason != "" && r.reason != "content_filter" && r.reason != "length" {
			r.reason = reason
		}
	}
	if c.Usage != nil {
		r.usage = c.Usage
	}
	if len(c.Cost) > 0 {
		r.cost = c.Cost
	}
	r.settle()
}

func (r *chatReader) delta(d *chatDelta) {
	thought := d.ReasoningText
	if thought == "" {
		thought = d.ReasoningContent
	}
	if thought == "" {
		thought = d.Reasoning.value
	}
	if thought != "" {
		r.all.add(r.words(kindThinking), thought)
	}
	if d.Opaque != "" {
		r.seal(d.Opaque)
	}
	if d.Content != "" {
		r.all.add(r.words(kindText), d.Content)
	}
	if d.Refusal != "" {
		r.all.refused = true
		r.all.add(r.words(kindText), d.Refusal)
	}
	for i := range d.Calls {
		r.call(&d.Calls[i])
	}
}

// words returns the block for text of a kind: the newest one, or a new one.
func (r *chatReader) words(k kind) *segment {
	if r.tail != nil && r.tail.kind == k && !r.tail.complete {
		return r.tail
	}
	return r.begin(k)
}

func (r *chatReader) begin(k kind) *segment {
	s := r.all.begin(k)
	if s != nil {
		r.tail = s
	}
	return s
}

// seal attaches encrypted reasoning to the block it belongs to, or emits a separate block if others have followed.
func (r *chatReader) seal(opaque string) {
	s := r.words(kindThinking)
	if s == nil {
		return
	}
	if s.seal.Content != "" && s.seal.Content != opaque {
		r.all.complete(s)
		s = r.begin(kindThinking)
	}
	s.seal.Content = opaque
}

// call reads a piece of a call.
func (r *chatReader) call(c *chatCall) {
	s := r.find(c)
	if s == nil {
		s = r.begin(kindTool)
		s.id = r.all.uniqueID(c.ID, r.id)
		if r.raw == nil {
			r.raw = map[*segment]string{}
		}
		r.raw[s], r.last = c.ID, s
		if c.Index != nil {
			r.calls[*c.Index] = s
		}
	}
	if s.name == "" && c.Function.Name != "" {
		s.name = r.all.plan.names.from(c.Function.Name)
		r.all.pump()
	}
	r.all.add(s, c.Function.Arguments)
}

// find returns the call of a piece, nil for a new one. Some backends give every call the index 0, or none, and separate
// them only by id, or not at all.
func (r *chatReader) find(c *chatCall) *segment {
	s := r.last
	if c.Index != nil {
		s = r.calls[*c.Index]
	}
	switch {
	case s == nil:
		return nil
	case c.ID != "" && r.raw[s] != "" && c.ID != r.raw[s]:
		return nil
	case c.ID == "" && c.Function.Name != "" && isObject(s.text):
		return nil
	case c.Index == nil && c.ID == "" && c.Function.Name != "" && s.name != "":
		return nil
	}
	return s
}

// settle completes the blocks that cannot grow: all of them once the answer has a reason to end, before that all but
// the newest.
func (r *chatReader) settle() {
	if r.reason != "" {
		r.all.completeAll()
		return
	}
	queue := r.all.queue
	for _, s := range queue[:max(len(queue)-1, 0)] {
		if s.kind != kindTool || bytes.HasSuffix(bytes.TrimSpace(s.text), []byte("}")) && isObject(s.text) {
			s.complete = true
		}
	}
	r.all.pump()
}

func (r *chatReader) failure() *Failure { return r.fault }

func (r *chatReader) ending() (ending, bool) {
	if r.reason == "" {
		return ending{}, false
	}
	e := ending{reason: "end_turn", cost: r.cost}
	if r.usage != nil {
		e.usage = r.usage.usage()
	}
	switch {
	case r.reason == "length":
		e.reason = "max_tokens"
	case r.reason == "content_filter":
		e.reason = "refusal"
	case r.all.tools > 0:
		e.reason = "tool_use"
	}
	return e, true
}

// whole reads an answer that was not streamed.
func (r *chatReader) whole(body []byte) error {
	var c chatChunk
	if err := decode(body, &c); err != nil {
		return err
	}
	if c.Choices == nil && c.Error == nil {
		return errNotAnswer
	}
	r.chunk(&c, true)
	if r.reason == "" && r.fault == nil && len(c.Choices) > 0 {
		r.reason = "stop" // a whole answer is complete, whatever it says
		r.all.completeAll()
	}
	return nil
}
