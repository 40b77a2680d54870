package translate

import (
	"encoding/json"
	"strings"
)

// responsesReader reads the events of the Responses API. It identifies items by their place in the output, because
// their ids differ from event to event in the Copilot API.
type responsesReader struct {
	all   *assembler
	id    string // of the message
	items map[int]*responsesItem
	final *responsesFinal
	fault *Failure
	cost  json.RawMessage
}

// responsesItem is one item of the output.
type responsesItem struct {
	parts   map[int]*segment // of a message, by place
	single  *segment         // reasoning or a call
	summary int              // the part of a summary being written
}

// responsesEvent holds the used fields of an event. Fields that do not belong to its type are empty.
type responsesEvent struct {
	responsesDelta
	Text     string          `json:"text"`
	Refusal  string          `json:"refusal"`
	Args     string          `json:"arguments"`
	Item     json.RawMessage `json:"item"`
	Response *responsesFinal `json:"response"`
	Cost     json.RawMessage `json:"copilot_usage"`
	Code     string          `json:"code"`
	Message  string          `json:"message"`
	Error    *responsesFault `json:"error"`
}

// responsesDelta holds the used fields of an event that adds text, and the place of an item in any event.
type responsesDelta struct {
	Output  int    `json:"output_index"`
	Content int    `json:"content_index"`
	Summary int    `json:"summary_index"`
	Delta   string `json:"delta"`
}

// responsesFinal is the whole answer without the fields that repeat the request.
type responsesFinal struct {
	Status     string            `json:"status"`
	Output     []json.RawMessage `json:"output"`
	Usage      responsesUsage    `json:"usage"`
	Incomplete struct {
		Reason jsonText `json:"reason"`
	} `json:"incomplete_details"`
	Error *responsesFault `json:"error"`
	Cost  json.RawMessage `json:"copilot_usage"`
}

type responsesFault struct {
	Code    string `json:"code"`
	Type    string `json:"type"`
	Message string `json:"message"`
}

func (f responsesFault) failure() *Failure {
	out := &Failure{Code: f.Code, Message: f.Message}
	if out.Code == "" {
		out.Code = f.Type
	}
	if out.Message == "" {
		out.Message = "the model failed without a reason"
	}
	return out
}

func (r *responsesReader) event(name string, data []byte) (bool, error) {
	switch name {
	case "response.created", "response.in_progress", "response.queued":
		r.all.start()
		return false, nil
	case "response.output_item.added", "response.output_item.done",
		"response.output_text.delta", "response.output_text.done",
		"response.refusal.delta", "response.refusal.done",
		"response.reasoning_summary_text.delta", "response.reasoning_text.delta",
		"response.function_call_arguments.delta", "response.function_call_arguments.done",
		"response.completed", "response.incomplete", "response.failed", "error":
	default:
		return false, nil
	}
	if d := (responsesDelta{}); strings.HasSuffix(name, ".delta") && readResponsesDelta(data, &d) {
		r.delta(name, &d)
		return false, nil
	}
	var e responsesEvent
	if err := decode(data, &e); err != nil {
		return false, err
	}
	switch name {
	case "response.output_item.added":
		return false, r.added(e.Output, e.Item)
	case "response.output_item.done":
		return false, r.done(e.Output, e.Item)
	case "response.output_text.done":
		r.all.catchUp(r.part(e.Output, e.Content), e.Text)
	case "response.refusal.done":
		r.all.refused = true
		r.all.catchUp(r.part(e.Output, e.Content), e.Refusal)
	case "response.function_call_arguments.done":
		r.all.catchUp(r.item(e.Output).single, e.Args)
	case "response.completed", "response.incomplete", "response.failed", "error":
		return r.terminal(name, &e)
	default:
		r.delta(name, &e.responsesDelta)
	}
	return false, nil
}

// delta adds text to an item.
func (r *responsesReader) delta(name string, d *responsesDelta) {
	switch name {
	case "response.output_text.delta":
		r.all.add(r.part(d.Output, d.Content), d.Delta)
	case "response.refusal.delta":
		r.all.refused = true
		r.all.add(r.part(d.Output, d.Content), d.Delta)
	case "response.reasoning_summary_text.delta":
		r.think(d.Output, d.Summary, d.Delta)
	case "response.reasoning_text.delta":
		r.think(d.Output, d.Content, d.Delta)
	case "response.function_call_arguments.delta":
		r.all.add(r.item(d.Output).single, d.Delta)
	}
}

// terminal reads the last event of the answer.
func (r *responsesReader) terminal(name string, e *responsesEvent) (bool, error) {
	r.cost = e.Cost
	if name == "error" {
		fault := responsesFault{Code: e.Code, Message: e.Message}
		if e.Error != nil {
			fault = *e.Error
		}
		r.fault = fault.failure()
		return true, nil
	}
	if e.Response == nil {
		return false, errNotAnswer
	}
	if name == "response.failed" || e.Response.Status == "failed" {
		if r.fault = (responsesFault{}).failure(); e.Response.Error != nil {
			r.fault = e.Response.Error.failure()
		}
		return true, nil
	}
	r.all.start()
	return true, r.conclude(e.Response)
}

// conclude records the end of the answer and adds the parts of it that were not streamed.
func (r *responsesReader) conclude(f *responsesFinal) error {
	if len(r.items) == 0 {
		for i, raw := range f.Output {
			if err := r.done(i, raw); err != nil {
				return err
			}
		}
	}
	r.final = f
	return nil
}

func (r *responsesReader) item(output int) *responsesItem {
	it := r.items[output]
	if it == nil {
		it = &responsesItem{parts: map[int]*segment{}}
		r.items[output] = it
	}
	return it
}

// part returns the block of a part of a message.
func (r *responsesReader) part(output, content int) *segment {
	it := r.item(output)
	s := it.parts[content]
	if s == nil {
		for _, before := range it.parts {
			r.all.complete(before)
		}
		s = r.all.begin(kindText)
		it.parts[content] = s
	}
	return s
}

// think adds text to the reasoning of an item. Its parts become paragraphs of one block.
func (r *responsesReader) think(output, part int, text string) {
	it := r.item(output)
	if it.single == nil {
		it.single, it.summary = r.all.begin(kindThinking), part
	}
	if part != it.summary && it.single != nil {
		it.summary = part
		text = paragraph + text
	}
	r.all.add(it.single, text)
}

// paragraph separates the parts of a summary.
const paragraph = "\n\n"

// added reads the beginning of an item.
func (r *responsesReader) added(output int, raw json.RawMessage) error {
	var v struct {
		Type   string `json:"type"`
		CallID string `json:"call_id"`
		Name   string `json:"name"`
	}
	if err := decode(raw, &v); err != nil {
		return err
	}
	it := r.item(output)
	switch v.Type {
	case "message":
		r.part(output, 0)
	case "reasoning":
		if it.single == nil {
			it.single = r.all.begin(kindThinking)
		}
	case "function_call":
		if it.single == nil {
			it.single = r.all.begin(kindTool)
		}
		r.name(it.single, v.Name, v.CallID)
	}
	return nil
}

// name sets the name and id of a call, which are fixed once the block is open.
func (r *responsesReader) name(s *segment, name, id string) {
	if s.open {
		return
	}
	if name != "" {
		s.name = r.all.plan.names.from(name)
	}
	if id != "" {
		s.id = r.all.uniqueID(id, r.id)
	}
	r.all.pump()
}

// done reads a complete item.
func (r *responsesReader) done(output int, raw json.RawMessage) error {
	var v struct {
		Type string `json:"type"`
	}
	if err := decode(raw, &v); err != nil {
		return err
	}
	it := r.item(output)
	switch v.Type {
	case "message":
		if err := r.messageDone(output, raw); err != nil {
			return err
		}
	case "reasoning":
		var item responsesThought
		if err := decode(raw, &item); err != nil {
			return err
		}
		r.reasoningDone(it, &item)
	case "function_call":
		var item responsesCall
		if err := decode(raw, &item); err != nil {
			return err
		}
		r.callDone(it, &item)
	}
	for _, s := range it.parts {
		r.all.complete(s)
	}
	r.all.complete(it.single)
	return nil
}

func (r *responsesReader) messageDone(output int, raw json.RawMessage) error {
	var item responsesMessage
	if err := decode(raw, &item); err != nil {
		return err
	}
	for i, c := range item.Content.value {
		switch c.Type {
		case "output_text":
			r.all.catchUp(r.part(output, i), string(c.Text))
		case "refusal":
			r.all.refused = true
			r.all.catchUp(r.part(output, i), string(c.Refusal))
		}
	}
	return nil
}

func (r *responsesReader) reasoningDone(it *responsesItem, item *responsesThought) {
	if it.single == nil {
		it.single = r.all.begin(kindThinking)
	}
	if it.single == nil {
		return // not wanted
	}
	var texts []string
	parts := item.Summary.value
	if len(parts) == 0 {
		parts = item.Content.value
	}
	for _, p := range parts {
		texts = append(texts, string(p.Text))
	}
	r.all.catchUp(it.single, strings.Join(texts, paragraph))
	it.single.seal = sealed{ID: string(item.ID), Content: string(item.EncryptedContent)}
}

func (r *responsesReader) callDone(it *responsesItem, item *responsesCall) {
	if it.single == nil {
		it.single = r.all.begin(kindTool)
	}
	s := it.single
	id := string(item.CallID)
	if s.id != "" {
		id = "" // the first one counts
	} else if id == "" {
		id = madeID(r.id, r.all.tools)
	}
	r.name(s, string(item.Name), id)
	r.all.catchUp(s, string(item.Arguments))
}

func (r *responsesReader) failure() *Failure { return r.fault }

func (r *responsesReader) ending() (ending, bool) {
	f := r.final
	if f == nil {
		return ending{}, false
	}
	e := ending{reason: "end_turn", usage: f.Usage.usage(), cost: f.Cost}
	if len(r.cost) > 0 {
		e.cost = r.cost
	}
	switch {
	case f.Status == "incomplete" && f.Incomplete.Reason == "content_filter":
		e.reason = "refusal"
	case f.Status == "incomplete":
		e.reason = "max_tokens"
	case r.all.tools > 0:
		e.reason = "tool_use"
	}
	return e, true
}

// whole reads an answer that was not streamed.
func (r *responsesReader) whole(body []byte) error {
	var f responsesFinal
	if err := decode(body, &f); err != nil {
		return err
	}
	name := "response.completed"
	if f.Status == "" && f.Output == nil && f.Error == nil {
		return errNotAnswer
	}
	if f.Error != nil && f.Status != "completed" && f.Status != "incomplete" {
		name = "response.failed"
	}
	_, err := r.terminal(name, &responsesEvent{Response: &f})
	return err
}
