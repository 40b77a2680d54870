package copilot

import (
	"encoding/json"
	"fmt"

	"parley/internal/jsonedit"
)

// Event is a decoded frame: one of [MessageStart], [BlockStart], [BlockDelta], [BlockStop], [MessageDelta],
// [MessageStop].
type Event interface{ event() }

// MessageStart begins an answer.
type MessageStart struct {
	ID, Model string
	Usage     Usage
}

// BlockStart begins a content block.
type BlockStart struct {
	Index int
	// Type is such as "text", "thinking", "redacted_thinking" or "tool_use".
	Type string
	// ID and Name are of a tool call.
	ID, Name string
	// Text is what the block already holds, Raw the whole block.
	Text string
	Raw  json.RawMessage
}

// BlockDelta adds to a content block.
type BlockDelta struct {
	Index int
	// Type is "text_delta", "thinking_delta", "signature_delta", "input_json_delta" or another.
	Type string
	// Text is what is added: text, reasoning, signature or a fragment of JSON. For other types it is "".
	Text string
}

// BlockStop ends a content block.
type BlockStop struct{ Index int }

// MessageDelta ends the content and says why.
type MessageDelta struct {
	// StopReason is such as "end_turn", "tool_use", "max_tokens", "refusal" or "model_context_window_exceeded".
	StopReason, StopSequence string
	Usage                    Usage
	// Cost is nil if the service does not say; the last one of an answer counts.
	Cost *Cost
}

// MessageStop ends an answer.
type MessageStop struct{}

func (MessageStart) event() {}
func (BlockStart) event()   {}
func (BlockDelta) event()   {}
func (BlockStop) event()    {}
func (MessageDelta) event() {}
func (MessageStop) event()  {}

// Usage counts tokens. What the service does not say is 0.
type Usage struct {
	Input      int `json:"input_tokens"`
	Output     int `json:"output_tokens"`
	CacheWrite int `json:"cache_creation_input_tokens"`
	CacheRead  int `json:"cache_read_input_tokens"`
}

// Cost is what a request was charged, in billionths of an AI credit.
type Cost struct {
	NanoAIU int64
	Details []CostDetail
}

// CostDetail is the part of a cost for one type of token.
type CostDetail struct {
	// Type is "input", "cache_read", "cache_write" or "output".
	Type            string
	Tokens          int
	BatchSize       int
	NanoAIUPerBatch float64
}

// Decode reads a frame. For types it does not know, pings among them, it returns nil and no error.
func Decode(f Frame) (Event, error) {
	switch f.Event {
	case eventBlockDelta:
		return decodeBlockDelta(f.Data)
	case eventMessageStart:
		var v struct {
			Message struct {
				ID, Model string
				Usage     Usage
			}
		}
		if err := unmarshal(f, &v); err != nil {
			return nil, err
		}
		return MessageStart{ID: v.Message.ID, Model: v.Message.Model, Usage: v.Message.Usage}, nil
	case eventBlockStart:
		return decodeBlockStart(f)
	case eventBlockStop:
		var v BlockStop
		if err := unmarshal(f, &v); err != nil {
			return nil, err
		}
		return v, nil
	case eventMessageDelta:
		var v struct {
			Delta struct {
				StopReason   string `json:"stop_reason"`
				StopSequence string `json:"stop_sequence"`
			}
			Usage Usage
		}
		if err := unmarshal(f, &v); err != nil {
			return nil, err
		}
		return MessageDelta{StopReason: v.Delta.StopReason, StopSequence: v.Delta.StopSequence, Usage: v.Usage,
			Cost: DecodeCost(f.Data)}, nil
	case eventMessageStop:
		return MessageStop{}, nil
	}
	return nil, nil
}

// decodeBlockStart reads the beginning of a block.
func decodeBlockStart(f Frame) (Event, error) {
	var v struct {
		Index int
		Block json.RawMessage `json:"content_block"`
	}
	if err := unmarshal(f, &v); err != nil {
		return nil, err
	}
	b := object(v.Block)
	e := BlockStart{Index: v.Index, Type: b.str("type"), ID: b.str("id"), Name: b.str("name"), Raw: v.Block}
	e.Text = b.str("text")
	if e.Type == "thinking" {
		e.Text = b.str("thinking")
	}
	return e, nil
}

// decodeBlockDelta reads an addition to a block.
func decodeBlockDelta(data []byte) (Event, error) {
	var v struct {
		Index int
		Delta struct {
			Type      string
			Text      string
			Thinking  string
			Signature string
			Partial   string `json:"partial_json"`
		}
	}
	if err := unmarshal(Frame{Event: eventBlockDelta, Data: data}, &v); err != nil {
		return nil, err
	}
	e := BlockDelta{Index: v.Index, Type: v.Delta.Type}
	switch e.Type {
	case "text_delta":
		e.Text = v.Delta.Text
	case "thinking_delta":
		e.Text = v.Delta.Thinking
	case "signature_delta":
		e.Text = v.Delta.Signature
	case "input_json_delta":
		e.Text = v.Delta.Partial
	}
	return e, nil
}

// unmarshal reads the data of a frame and names the event where that fails.
func unmarshal(f Frame, v any) error {
	if err := json.Unmarshal(f.Data, v); err != nil {
		return fmt.Errorf("decode %s: %w", f.Event, err)
	}
	return nil
}

// DecodeCost reads "copilot_usage" from the data of a message_delta or the body of a whole answer; nil if there is
// none.
func DecodeCost(data []byte) *Cost {
	var found *Cost
	s := jsonedit.Scan(data)
	for more := s.TopObject(); more; more = s.NextMember() {
		key := s.Key()
		if value := s.Value(); s.Is(key, "copilot_usage") {
			found = decodeCost(object(data[value.From:value.To]))
		}
	}
	return found
}

// decodeCost reads the object itself.
func decodeCost(o fields) *Cost {
	total, ok := o.number("total_nano_aiu")
	if !ok {
		return nil
	}
	cost := &Cost{NanoAIU: int64(total)}
	for _, raw := range o.list("token_details") {
		d := object(raw)
		cost.Details = append(cost.Details, CostDetail{
			Type: d.str("token_type"), Tokens: d.whole("token_count"), BatchSize: d.whole("batch_size"),
			NanoAIUPerBatch: d.float("cost_per_batch"),
		})
	}
	return cost
}
