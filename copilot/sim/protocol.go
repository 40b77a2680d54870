package sim

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"sort"
	"strings"
	"time"

	"parley/copilot/sim/script"
	"parley/copilot/sim/seal"
)

// The paths of the inference APIs with OpenAI's protocols.
const (
	pathResponses = "/responses"
	pathChat      = "/chat/completions"
)

// protocol is one inference API: how its requests are parsed and refused, and how its answers are sent. All of them
// play the same scripts.
type protocol struct {
	decode func([]byte) (*Body, error)
	check  func(*Server, *http.Request, *Body, int) (Model, *problem)
	stream func(telling) sink
	whole  func(telling) sink
}

// protocolOf returns the protocol of a path, nil if it is not an inference API.
func protocolOf(path string) *protocol {
	switch path {
	case pathMessages:
		return &protocol{decode: decodeBody, check: (*Server).checkBody,
			stream: func(t telling) sink {
				return &streamSink{wire: t.wire, model: t.model.anthropicID(), usage: t.usage, hidden: t.hidden, head: t.head}
			},
			whole: messagesWhole}
	case pathResponses:
		return &protocol{decode: decodeResponses, check: (*Server).checkForeign,
			stream: func(t telling) sink { return &responsesStream{responsesTeller: newResponsesTeller(t)} },
			whole:  responsesWhole}
	case pathChat:
		return &protocol{decode: decodeChat, check: (*Server).checkForeign,
			stream: func(t telling) sink { return &chatStream{chatTeller: newChatTeller(t)} },
			whole:  chatWhole}
	}
	return nil
}

// telling holds the parts that a sink needs to send an answer.
type telling struct {
	wire    *wire
	head    func()             // writes the header of a stream
	send    func(answer) error // sends a whole answer
	drip    func(time.Duration)
	model   Model
	usage   usage
	hidden  bool // reasoning has no text
	sealed  bool // reasoning is encrypted
	counted bool // a stream ends with a count of tokens
	// searches reports that a call of the script named web_search is one of the service.
	searches bool
}

// foreign is the part of a request in one of OpenAI's protocols that [Body] lacks.
type foreign struct {
	path    string
	fields  map[string]json.RawMessage
	maximum string   // name of the field that limits the answer, "" if none was sent
	refused *problem // an error that does not depend on the model
	sealed  []string // encrypted reasoning that came back
	encrypt bool     // reasoning is wanted encrypted
	usage   bool     // a stream must end with a count
	// searches reports that the service may search the web.
	searches bool
}

// refuse records the first problem.
func (f *foreign) refuse(check string, p *problem) {
	if f.refused == nil {
		p.check = check
		f.refused = p
	}
}

// extra refuses fields that the service does not know.
func (f *foreign) extra(path string, fields map[string]json.RawMessage, known ...string) {
	var names []string
	for k := range fields {
		if !slices.Contains(known, k) {
			names = append(names, k)
		}
	}
	if len(names) > 0 {
		sort.Strings(names)
		f.refuse("extra fields", openAIError("unknown_parameter", path+names[0],
			"Unknown parameter: '"+path+names[0]+"'."))
	}
}

// openAIError returns a refusal in OpenAI's form.
func openAIError(code, param, message string) *problem {
	return &problem{status: http.StatusBadRequest, shape: script.ShapeCode, code: code, param: param, message: message}
}

// checkForeign refuses what the service refuses in requests of OpenAI's protocols.
func (s *Server) checkForeign(_ *http.Request, b *Body, size int) (Model, *problem) {
	model, p := s.checkModel(b)
	if p != nil {
		return model, p
	}
	f := b.foreign
	if !model.has(f.path) {
		p := refusal("unsupported_api_for_model", "model",
			fmt.Sprintf("model %q is not accessible via the %s endpoint", model.ID, f.path))
		p.check = "endpoint"
		return model, p
	}
	if f.refused != nil {
		return model, f.refused
	}
	f.checkAbilities(b, model)
	f.checkSearching(b, model)
	f.checkCalls(b)
	if model.Prompt > 0 && size/4 > model.Prompt {
		f.refuse("prompt size", refusal("model_max_prompt_tokens_exceeded", "",
			fmt.Sprintf("prompt token count of %d exceeds the limit of %d", size/4, model.Prompt)))
	}
	return model, f.refused
}

// checkAbilities refuses what this model does not support.
func (f *foreign) checkAbilities(b *Body, model Model) {
	reasons := len(model.Efforts) > 0
	for _, name := range []string{"temperature", "top_p"} {
		if _, ok := f.fields[name]; ok && reasons {
			f.refuse("sampling", openAIError("unsupported_parameter", name,
				"Unsupported parameter: '"+name+"' is not supported with this model."))
		}
	}
	if b.Effort != "" && reasons && !slices.Contains(model.Efforts, b.Effort) { // Copilot's own client sends one to any model
		f.refuse("effort", openAIError("invalid_reasoning_effort", "reasoning_effort",
			"Supported values are: "+strings.Join(model.Efforts, ", ")))
	}
	if f.maximum == "max_tokens" && reasons {
		f.refuse("max_tokens", openAIError("unsupported_parameter", "max_tokens", "Unsupported parameter: 'max_tokens' is "+
			"not supported with this model. Use 'max_completion_tokens' instead."))
	}
	if b.MaxTokens != nil && (*b.MaxTokens < 16 && f.path == pathResponses || *b.MaxTokens < 1) {
		f.refuse("max_tokens", openAIError("integer_below_min_value", f.maximum,
			"Invalid '"+f.maximum+"': integer below minimum value."))
	}
	if b.MaxTokens != nil && *b.MaxTokens > model.Output {
		f.refuse("max_tokens", refusal("invalid_request_body", f.maximum,
			"maximum tokens you requested exceeds the model limit"))
	}
	for _, content := range f.sealed {
		if !seal.By(content, model.ID) {
			f.refuse("encrypted reasoning", openAIError("invalid_encrypted_content", "input",
				"The encrypted content could not be verified."))
		}
	}
	for _, m := range b.Messages {
		for _, blk := range m.Blocks {
			if blk.Type == "image" && !model.Vision {
				f.refuse("images", openAIError("invalid_request_body", "", "image media type not supported"))
			}
		}
	}
}

// checkCalls refuses results without a call, and calls without a result.
func (f *foreign) checkCalls(b *Body) {
	open := map[string]bool{}
	for _, m := range b.Messages {
		for _, blk := range m.Blocks {
			switch blk.Type {
			case "tool_use":
				if len(blk.ID) > 64 || open[blk.ID] {
					f.refuse("tool pairing", openAIError("invalid_value", "", "Invalid or repeated call id '"+blk.ID+"'."))
				}
				open[blk.ID] = true
			case "tool_result":
				if !open[blk.ToolUseID] {
					f.refuse("tool pairing", openAIError("invalid_request_body", "",
						"No tool call found for function call output with call_id "+blk.ToolUseID+"."))
				}
				delete(open, blk.ToolUseID)
			}
		}
	}
	for id := range open {
		f.refuse("tool pairing", openAIError("invalid_request_body", "", "No tool output found for function call "+id+"."))
	}
}

// checkFunction refuses function definitions that the service does not accept.
func (f *foreign) checkFunction(path string, t *Tool) {
	if t.Name == "" || len(t.Name) > 64 || strings.Trim(t.Name, toolNameChars) != "" {
		f.refuse("tools", openAIError("invalid_value", path+".name", "Invalid '"+path+".name'."))
	}
	var schema map[string]json.RawMessage
	if raw := t.Raw["parameters"]; len(raw) > 0 && (json.Unmarshal(raw, &schema) != nil ||
		string(schema["type"]) != `"object"` || len(schema["properties"]) == 0) {
		f.refuse("tools", openAIError("invalid_function_parameters", path+".parameters",
			"Invalid schema for function '"+t.Name+"': object schema missing properties."))
	}
}

const toolNameChars = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-"

// imageBlock parses an image, which must be in the request itself.
func (f *foreign) imageBlock(path, url string) Block {
	mediaType, data, ok := strings.Cut(strings.TrimPrefix(url, "data:"), ";base64,")
	if !strings.HasPrefix(url, "data:") || !ok || data == "" {
		f.refuse("images", openAIError("invalid_request_body", path, "external image URLs are not supported"))
	}
	return Block{Type: "image", Source: &Source{Type: "base64", MediaType: mediaType}}
}

// append adds blocks to the conversation, to the last message if it is of the same role.
func (b *Body) append(role string, blocks ...Block) {
	if n := len(b.Messages); n > 0 && b.Messages[n-1].Role == role {
		b.Messages[n-1].Blocks = append(b.Messages[n-1].Blocks, blocks...)
		return
	}
	b.Messages = append(b.Messages, Message{Role: role, Blocks: blocks})
}

// cacheAll marks every item of a conversation for the cache, which these APIs use automatically.
func cacheAll(items []json.RawMessage) json.RawMessage {
	out := []byte{'['}
	for i, item := range items {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, `{"cache_control":{},"item":`...)
		out = append(append(out, item...), '}')
	}
	return append(out, ']')
}
