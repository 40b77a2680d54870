package copilot

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
)

// EndpointMessages is the endpoint of models with the Anthropic Messages API.
const EndpointMessages = "/v1/messages"

// Model is one entry of the service's model list. Any field except ID may be missing and is then zero.
type Model struct {
	ID, Name, Vendor, Version string
	Endpoints                 []string // such as "/v1/messages"
	// Family, Type ("chat", "embeddings", …) and Tokenizer are from the capabilities.
	Family, Type, Tokenizer string
	Preview                 bool
	// Default and Fallback mean that the service would use this model for chat.
	Default, Fallback bool
	// Picker reports whether users should be offered the model; PickerCategory is a word such as "powerful", PriceCategory
	// one of "low", "medium", "high", "very_high".
	Picker                        bool
	PickerCategory, PriceCategory string
	// Policy is whether the model is allowed: State is "enabled", "disabled", "unconfigured" or "".
	Policy   Policy
	Limits   Limits
	Supports Supports
	// Price is the price of the model, nil if unknown. LongContext is the price of prompts beyond Price.Context, nil if
	// it is the same.
	Price, LongContext *Price
	// Premium and Multiplier are the older form of the price: premium requests per request.
	Premium    bool
	Multiplier float64
	// Free reports whether the plan includes the model: the service reports a price of zero.
	Free bool
	// RestrictedTo lists the plans that may use the model; empty: no known restriction.
	RestrictedTo []string
	// AutoDiscount is the fraction of the price (0.3: 30 percent) deducted when the service chooses the model.
	AutoDiscount float64
	Promo        *Promo
	// Warnings and Infos are messages of the service for users.
	Warnings, Infos []Note
	// CustomKey and CustomOwner name the key and its owner for a model that an organisation provides itself.
	CustomKey, CustomOwner string
}

// Searches reports whether the service runs the hosted web search for the model: it does for GPT 5 and later behind the Responses
// API, as seen in 2026, unless a policy says no.
func (m Model) Searches() bool {
	return m.Serves(EndpointResponses) && strings.HasPrefix(m.ID, "gpt-") && m.ID >= "gpt-5" && !m.Policy.off() && m.Supports.ToolCalls
}

// Policy is whether an account may use a model.
type Policy struct{ State, Terms string }

// Limits are in tokens unless stated otherwise; 0: unknown.
type Limits struct {
	Context, Prompt, Output int
	// NonStreamingOutput is the lower output limit of answers that are not streamed.
	NonStreamingOutput int
	// Inputs is the number of texts that an embeddings model takes at once.
	Inputs int
	// ImageBytes and Images bound the images of a prompt, MediaTypes lists their accepted types.
	ImageBytes, Images int
	MediaTypes         []string
}

// Supports lists the abilities of a model.
type Supports struct {
	Streaming, ToolCalls, ParallelToolCalls, Vision, StructuredOutputs bool
	// Thinking reports whether the model can think; AdaptiveThinking whether it decides itself how much.
	Thinking, AdaptiveThinking bool
	// MinThinkingBudget and MaxThinkingBudget are in tokens; 0: budgets are not supported.
	MinThinkingBudget, MaxThinkingBudget int
	// Efforts are the accepted efforts, in the service's order; empty: none may be sent.
	Efforts                                []string
	Prediction, ToolSearch, ContextEditing bool
}

// Price is in AI credits per million tokens; a credit is one US cent. 0: free or unknown.
type Price struct {
	Input, Output float64
	// CacheRead is for tokens read from the cache, CacheWrite for those stored for five minutes, CacheWrite1h for an
	// hour.
	CacheRead, CacheWrite, CacheWrite1h float64
	// Context is the longest prompt this price is for, in tokens.
	Context int
}

// Promo is a temporary discount.
type Promo struct {
	ID, Message     string
	DiscountPercent float64
	Ends            time.Time
}

// Note is a message about a model.
type Note struct{ Code, Message string }

// Serves reports whether the model is served at an endpoint such as [EndpointMessages].
func (m Model) Serves(endpoint string) bool { return slices.Contains(m.Endpoints, endpoint) }

// Models lists the models of the login, as the service describes them and in its order. The list is shared by callers
// and up to half an hour old; see [Client.Forget]. The contents of the models must not be changed. Errors are [*Error].
func (c *Client) Models(ctx context.Context) ([]Model, error) {
	list, err := withAccount(ctx, c, func(a *account) ([]Model, error) {
		list, _, err := a.models.get(ctx)
		if err != nil {
			return nil, c.waitError(opModels, err)
		}
		return list, nil
	})
	return slices.Clone(list), err
}

// KnownModel returns a model from the list of [Client.Models] without waiting; known is false if no list is cached. A
// list that expires soon is fetched in the background. The ID is "" for a model that is not in the list.
func (c *Client) KnownModel(id string) (m Model, known bool) {
	list, ok := c.current().models.at()
	for i := range list {
		if list[i].ID == id {
			return list[i], true
		}
	}
	return Model{}, ok
}

// fetchModels gets the list from the service, once for all waiting callers.
func (a *account) fetchModels(ctx context.Context) ([]Model, error) {
	c := a.client
	if e := a.reads.check(opModels, c.now()); e != nil {
		return nil, e
	}
	x, err := a.send(ctx, opModels, func(g grant) (*exchange, *Error) {
		return c.do(ctx, opModels, c.headerTimeout, func(ctx context.Context) (*http.Request, error) {
			req, err := http.NewRequestWithContext(ctx, http.MethodGet, g.base+"/models", nil)
			if err != nil {
				return nil, err
			}
			c.identify(req.Header, g)
			req.Header.Set("Accept", "application/json")
			return req, nil
		})
	})
	if err != nil {
		if e, ok := err.(*Error); ok && e.Op == opModels { // a limit of discovery belongs to another service
			a.reads.note(e, c.now())
		}
		return nil, err
	}
	status, header := x.resp.StatusCode, c.maskHeader(x.resp.Header)
	body, fail := c.readAll(x, opModels, maxListBody)
	if fail != nil {
		return nil, fail
	}
	list, ok := decodeModels(body)
	if !ok {
		return nil, protocolError(opModels, status, header, "the model list has no \"data\" array")
	}
	return list, nil
}

// AcceptModel agrees to the terms of a model for the account, which the service remembers. The list of models is fetched again
// afterwards. Errors are [*Error].
func AcceptModel(ctx context.Context, c *Client, id string) error {
	_, err := c.Call(ctx, Call{Op: "accept the model's terms", Method: http.MethodPost, Path: "/models/" + url.PathEscape(id) + "/policy",
		Body: []byte(`{"state":"` + policyEnabled + `"}`)})
	if err != nil {
		return err
	}
	c.current().models.forget()
	return nil
}

// decodeModels decodes the list. It fails on anything but {"data":[…]}, and drops entries without an id.
func decodeModels(body []byte) ([]Model, bool) {
	o := object(body)
	entries := o.list("data")
	if entries == nil {
		return nil, false
	}
	out := make([]Model, 0, len(entries))
	for _, raw := range entries {
		if m := decodeModel(object(raw)); m.ID != "" {
			out = append(out, m)
		}
	}
	return out, true
}

// decodeModel reads one entry.
func decodeModel(o fields) Model {
	caps, policy, billing, custom := o.object("capabilities"), o.object("policy"), o.object("billing"),
		o.object("custom_model")
	m := Model{
		ID: o.str("id"), Name: o.str("name"), Vendor: o.str("vendor"), Version: o.str("version"),
		Endpoints: o.strings("supported_endpoints"),
		Family:    caps.str("family"), Type: caps.str("type"), Tokenizer: caps.str("tokenizer"),
		Preview: o.flag("preview"), Default: o.flag("is_chat_default"), Fallback: o.flag("is_chat_fallback"),
		Picker: o.flag("model_picker_enabled"), PickerCategory: o.str("model_picker_category"),
		PriceCategory: o.str("model_picker_price_category"),
		Policy:        Policy{State: policy.str("state"), Terms: policy.str("terms")},
		Limits:        decodeLimits(caps.object("limits")),
		Supports:      decodeSupports(caps.object("supports")),
		Premium:       billing.flag("is_premium"), Multiplier: billing.float("multiplier"),
		RestrictedTo: billing.strings("restricted_to"), AutoDiscount: billing.float("auto_discount"),
		Warnings: append(decodeNotes(o.list("warning_messages")), loneNote(o.str("warning_message"))...),
		Infos:    decodeNotes(o.list("info_messages")),

		CustomKey: custom.str("key_name"), CustomOwner: custom.str("owner_name"),
	}
	for _, code := range sortedKeys(o.object("warning_text")) {
		if text := o.object("warning_text").str(code); text != "" {
			m.Warnings = append(m.Warnings, Note{Code: code, Message: text})
		}
	}
	if p := billing.object("promo"); p != nil {
		m.Promo = &Promo{ID: p.str("id"), Message: p.str("message"), DiscountPercent: p.float("discount_percent"),
			Ends: readTime(p.str("ends_at"))}
	}
	m.Price, m.LongContext = decodePrices(billing.object("token_prices"))
	// If tokens have a price, the older multiplier means nothing.
	if m.Price != nil {
		m.Free = *m.Price == Price{Context: m.Price.Context}
	} else {
		m.Free = billing.has("multiplier") && m.Multiplier == 0 && !m.Premium
	}
	return m
}

func decodeLimits(o fields) Limits {
	vision := o.object("vision")
	return Limits{
		Context: o.whole("max_context_window_tokens"), Prompt: o.whole("max_prompt_tokens"),
		Output: o.whole("max_output_tokens"), NonStreamingOutput: o.whole("max_non_streaming_output_tokens"),
		Inputs:     o.whole("max_inputs"),
		ImageBytes: vision.whole("max_prompt_image_size"), Images: vision.whole("max_prompt_images"),
		MediaTypes: vision.strings("supported_media_types"),
	}
}

func decodeSupports(o fields) Supports {
	return Supports{
		Streaming: o.flag("streaming"), ToolCalls: o.flag("tool_calls"),
		ParallelToolCalls: o.flag("parallel_tool_calls"), Vision: o.flag("vision"),
		StructuredOutputs: o.flag("structured_outputs"), Thinking: o.flag("thinking"),
		AdaptiveThinking:  o.flag("adaptive_thinking"),
		MinThinkingBudget: o.whole("min_thinking_budget"), MaxThinkingBudget: o.whole("max_thinking_budget"),
		Efforts:    o.strings("reasoning_effort"),
		Prediction: o.flag("prediction"), ToolSearch: o.flag("tool_search"), ContextEditing: o.flag("context_editing"),
	}
}

// decodeNotes decodes messages, each an object or a single string.
func decodeNotes(list []rawMessage) []Note {
	var out []Note
	for _, raw := range list {
		if s, ok := jsonString(raw); ok {
			out = append(out, Note{Message: s})
			continue
		}
		if o := object(raw); o.str("message") != "" {
			out = append(out, Note{Code: o.str("code"), Message: o.str("message")})
		}
	}
	return out
}

// loneNote returns the single warning of older API versions as a list.
func loneNote(message string) []Note {
	if message == "" {
		return nil
	}
	return []Note{{Message: message}}
}
