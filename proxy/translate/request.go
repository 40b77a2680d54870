package translate

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Model holds the properties of the model that will answer.
type Model struct {
	// ID is the service's id of the model; it is sent unchanged.
	ID string
	// Vendor is the vendor, such as "Azure OpenAI" or "Google".
	Vendor string
	// Efforts are the supported efforts, in any order; empty: none may be sent.
	Efforts []string
	// MinBudget and MaxBudget bound a reasoning budget in tokens; 0: budgets are not supported.
	MinBudget, MaxBudget int64
	// MaxOutput is the longest answer in tokens, 0 if unknown. A request for more is reduced to it.
	MaxOutput int64
	// Vision reports whether the model sees images; otherwise a note replaces them.
	Vision bool
	// PDF reports whether the model reads PDF documents; otherwise a request with one is refused.
	PDF bool
	// Parallel reports whether the model takes several calls in an answer, and may be told so.
	Parallel bool
	// CacheKey names the conversation, by which OpenAI's models find the prompt that they cached; empty for none.
	CacheKey string
}

// api is one of the two protocols.
type api string

const (
	apiResponses api = "responses"
	apiChat      api = "chat"
)

// Request is a translated request with the data to translate its answer. It does not change after creation and may be
// shared.
type Request struct {
	// Body is the JSON to post.
	Body []byte
	// Stream reports whether the client wants events.
	Stream bool
	// Dropped names the parts of the request without a counterpart, in order and each once, such as "temperature" or
	// "thinking of another model". It is for a log.
	Dropped []string

	answer answerPlan
}

// answerPlan holds the parts of the request that the way back needs.
type answerPlan struct {
	api    api
	model  string // in the client's spelling
	sealed string // the model's name inside signatures
	shows  bool   // thinking blocks are wanted
	silent bool   // they contain only the signature
	stops  []string
	names  toolNames
}

// conversion is a translation in progress.
type conversion struct {
	*request
	model   Model
	api     api
	names   toolNames
	dropped []string
}

func newConversion(a api, body []byte, m Model) (*conversion, error) {
	r, err := readRequest(body)
	if err != nil {
		return nil, err
	}
	return &conversion{request: r, model: m, api: a}, nil
}

// drop records a part without a counterpart.
func (c *conversion) drop(what string) {
	if !slices.Contains(c.dropped, what) {
		c.dropped = append(c.dropped, what)
	}
}

// finish encodes the body and returns the result.
func (c *conversion) finish(body any) (*Request, error) {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(body); err != nil {
		return nil, refuse("", "the request cannot be translated: %v", err)
	}
	return &Request{
		Body: bytes.TrimSuffix(out.Bytes(), []byte("\n")), Stream: c.Stream, Dropped: c.dropped,
		answer: answerPlan{
			api: c.api, model: c.request.Model, sealed: c.model.ID, shows: c.thinks(), silent: c.silent(),
			stops: c.stops(), names: c.names,
		},
	}, nil
}

// stops returns the stop sequences. The APIs refuse them or do not report which one was found, so the answer is cut
// here.
func (c *conversion) stops() []string {
	return slices.DeleteFunc(slices.Clone(c.Stop), func(s string) bool { return s == "" })
}

// billingNote begins a line that Claude Code adds before its system prompt. It is meant for Anthropic and differs in
// every request, which would make the prompt cache useless.
const billingNote = "x-anthropic-billing-header:"

// systemText returns the system prompt.
func (c *conversion) systemText() string {
	var parts []string
	for _, b := range c.System {
		if b.Type == "text" && b.Text != "" && !strings.HasPrefix(b.Text, billingNote) {
			parts = append(parts, b.Text)
		}
	}
	return strings.Join(parts, "\n\n")
}

// minOutput is the least that both APIs accept. Anthropic's clients request a single token to see whether a model
// answers.
const minOutput = 16

// maxOutput returns the limit of the answer in tokens, 0 for none.
func (c *conversion) maxOutput() int64 {
	n := c.MaxTokens
	if n <= 0 {
		return 0
	}
	if c.model.MaxOutput > 0 {
		n = min(n, c.model.MaxOutput)
	}
	return max(n, minOutput)
}

// reasons reports whether the model's sampling cannot be changed.
func (c *conversion) reasons() bool {
	return len(c.model.Efforts) > 0 || c.isOpenAI() && !isClassic(c.model.ID)
}

func (c *conversion) isOpenAI() bool {
	return strings.Contains(strings.ToLower(c.model.Vendor), "openai")
}

// isClassic reports whether a model is an OpenAI model from before the reasoning models: these take max_tokens and a
// temperature.
func isClassic(id string) bool {
	return strings.HasPrefix(id, "gpt-3") || strings.HasPrefix(id, "gpt-4") || strings.HasPrefix(id, "gpt-oss")
}

// sampling returns temperature and top_p if the model takes them.
func (c *conversion) sampling() (temperature, topP *float64) {
	if c.reasons() {
		if c.Temperature != nil && *c.Temperature != 1 {
			c.drop("temperature")
		}
		if c.TopP != nil && *c.TopP != 1 {
			c.drop("top_p")
		}
		return nil, nil
	}
	return c.Temperature, c.TopP
}

// parallel returns whether an answer may have several calls, nil where that is left to the service.
func (c *conversion) parallel() *bool {
	switch choice := c.ToolChoice; {
	case choice != nil && choice.Serially:
		return new(false)
	case c.model.Parallel && c.isOpenAI():
		return new(true)
	}
	return nil
}

// function is a tool in both APIs.
type function struct {
	name, description string
	parameters        map[string]any
	strict            bool
}

// functions translates the tools.
func (c *conversion) functions() ([]function, error) {
	var out []function
	for i, t := range c.Tools {
		path := fmt.Sprintf("tools.%d", i)
		if t.Type != "" && t.Type != "custom" {
			schema, ok := clientTools[toolFamily(t.Type)]
			if !ok {
				return nil, refuse(path, "%s runs at Anthropic's own models only; %s cannot use it", t.Type, c.model.ID)
			}
			t.Description, t.Schema = schema.description, json.RawMessage(schema.parameters)
		}
		parameters, err := toolSchema(t.Schema)
		if err != nil {
			return nil, refuse(path+".input_schema", "Input should be an object")
		}
		out = append(out, function{
			name: c.names.to(t.Name), description: t.Description, parameters: parameters,
			strict: t.Strict && isStrict(t.Schema),
		})
	}
	return out, nil
}

// arguments returns the input of a call as text, as in both APIs.
func arguments(input json.RawMessage) string {
	if s := strings.TrimSpace(string(input)); s != "" && s != "null" {
		return s
	}
	return "{}"
}
