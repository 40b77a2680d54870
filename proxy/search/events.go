package search

import "encoding/json"

// Event is one event of a stream of the Messages API.
type Event struct {
	Name string
	// Data is JSON.
	Data []byte
}

// JSON returns a message as the body of a whole answer.
func (m *Message) JSON() []byte { return encode(m) }

// Events returns a message as a stream: each block whole, as the hosted search sends its results.
func (m *Message) Events() []Event {
	type object = map[string]any
	start := *m
	start.Content, start.StopReason, start.Cost = []any{}, "", nil
	begin := object{}
	_ = json.Unmarshal(encode(start), &begin) // what was encoded
	begin["stop_reason"] = nil
	events := []Event{event("message_start", object{"message": begin})}
	for i, b := range m.Content {
		var deltas []object
		switch block := b.(type) {
		case useBlock:
			deltas = append(deltas, object{"type": "input_json_delta", "partial_json": string(encode(block.Input))})
			b = object{"type": block.Type, "id": block.ID, "name": block.Name, "input": object{}}
		case textBlock:
			deltas = append(deltas, object{"type": "text_delta", "text": block.Text})
			b = textBlock{block.Type, ""}
		}
		events = append(events, event("content_block_start", object{"index": i, "content_block": b}))
		for _, d := range deltas {
			events = append(events, event("content_block_delta", object{"index": i, "delta": d}))
		}
		events = append(events, event("content_block_stop", object{"index": i}))
	}
	end := object{"delta": object{"stop_reason": m.StopReason, "stop_sequence": nil}, "usage": m.Usage}
	if m.Cost != nil {
		end["copilot_usage"] = m.Cost
	}
	return append(events, event("message_delta", end), event("message_stop", object{}))
}

func event(name string, data map[string]any) Event {
	data["type"] = name
	return Event{name, encode(data)}
}

func encode(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil { // texts, numbers and JSON that was read
		panic(err)
	}
	return b
}
