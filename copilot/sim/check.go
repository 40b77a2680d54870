package sim

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"sort"
	"strings"
	"sync"

	"parley/copilot/sim/script"
	"parley/internal/lazyregexp"
)

// check is one reason to refuse a request of the Messages API. The names appear in [Request.Refused].
type check struct {
	name string
	run  func(*checked) *problem
}

// checked is the input of checks.
type checked struct {
	body  *Body
	model Model
	betas []string
	size  int // of the body in bytes
}

// bodyChecks run in this order: first those of the Copilot API itself, then those of its backends.
var bodyChecks = []check{
	{"endpoint", checkEndpoint},
	{"betas", checkBetas},
	{"required fields", checkRequired},
	{"extra fields", checkExtraFields},
	{"tool count", checkToolCount},
	{"server tools", checkServerTools},
	{"tools", checkTools},
	{"effort", checkEffort},
	{"max_tokens", checkMaxTokens},
	{"thinking", checkThinking},
	{"roles", checkRoles},
	{"blocks", checkBlocks},
	{"images", checkImages},
	{"tool pairing", checkPairing},
	{"signatures", checkSignatures},
	{"cache marks", checkCacheMarks},
	{"prefill", checkPrefill},
	{"prompt size", checkPromptSize},
}

// checkBody refuses what the real service refuses. It returns the model of an accepted request.
func (s *Server) checkBody(r *http.Request, b *Body, size int) (Model, *problem) {
	model, p := s.checkModel(b)
	c := &checked{body: b, model: model, betas: splitBetas(r.Header.Values("Anthropic-Beta")), size: size}
	checks := bodyChecks
	if s.strict {
		checks = slices.Concat(bodyChecks, strictChecks)
	}
	for _, ch := range checks {
		if p != nil {
			break
		}
		if p = ch.run(c); p != nil {
			p.check = ch.name
		}
	}
	return model, p
}

// badRequest returns a refusal by a backend: an Anthropic envelope labelled text/plain.
func badRequest(message string) *problem {
	return &problem{status: http.StatusBadRequest, shape: script.ShapeMislabel, code: "invalid_request_error", message: message}
}

// refusal returns a refusal by the Copilot API itself.
func refusal(code, param, message string) *problem {
	return &problem{status: http.StatusBadRequest, shape: script.ShapeCode, code: code, param: param, message: message}
}

// checkModel finds the model. "auto" is in the list but is not a model for requests.
func (s *Server) checkModel(b *Body) (Model, *problem) {
	if b.Model == "" {
		p := refusal("invalid_request_body", "model", "model: Field required")
		p.check = "model"
		return Model{}, p
	}
	m, ok := s.models.find(b.Model)
	if !ok || m.Policy == "disabled" || m.Policy == "unconfigured" || m.ID == "auto" {
		p := refusal("model_not_supported", "model", "The requested model is not supported.")
		p.check = "model"
		return Model{}, p
	}
	return m, nil
}

func checkEndpoint(c *checked) *problem {
	if c.model.has(pathMessages) {
		return nil
	}
	return refusal("unsupported_api_for_model", "model",
		fmt.Sprintf("model %q is not accessible via the %s endpoint", c.model.ID, pathMessages))
}

// knownBetas are the beta families of the Messages API that the service accepts, without their dates. Copilot's own client
// sends the last one.
var knownBetas = []string{"interleaved-thinking", "context-management", "advanced-tool-use", "per-turn-control",
	"extended-cache-ttl", "compact", "fallback-credit"}

var datedBeta = lazyregexp.New(`^(.+)-\d{4}-\d{2}-\d{2}$`)

func splitBetas(values []string) []string {
	var out []string
	for _, v := range strings.Split(strings.Join(values, ","), ",") {
		if v = strings.TrimSpace(v); v != "" {
			out = append(out, v)
		}
	}
	return out
}

func checkBetas(c *checked) *problem {
	for _, b := range c.betas {
		m := datedBeta.FindStringSubmatch(b)
		if m == nil || !slices.Contains(knownBetas, m[1]) {
			return badRequest(fmt.Sprintf("Unexpected value(s) `%s` for the `anthropic-beta` header. Please consult our "+
				"documentation at platform.claude.com/docs or try again without the header.", b))
		}
	}
	return nil
}

func (c *checked) hasBeta(family string) bool {
	return slices.ContainsFunc(c.betas, func(b string) bool { return strings.HasPrefix(b, family+"-") })
}

func checkRequired(c *checked) *problem {
	for _, name := range []string{"max_tokens", "messages"} {
		if _, ok := c.body.Raw[name]; !ok {
			return badRequest(name + ": Field required")
		}
	}
	if len(c.body.Messages) == 0 {
		return badRequest("messages: at least one message is required")
	}
	return nil
}

// topFields are the fields of a request; betaFields names the betas that some of them need.
var (
	topFields = []string{"model", "messages", "system", "max_tokens", "metadata", "stop_sequences", "stream",
		"temperature", "top_p", "top_k", "tools", "tool_choice", "thinking", "output_config", "service_tier",
		"context_management"}
	betaFields   = map[string][]string{"context_management": {"context-management", "compact"}}
	outputFields = []string{"effort", "format"}
	toolFields   = []string{"name", "description", "input_schema", "type", "cache_control", "strict", "defer_loading",
		"input_examples", "allowed_callers", "max_characters"}
	cacheFields = []string{"type", "ttl"}
)

func checkExtraFields(c *checked) *problem {
	for _, name := range sortedKeys(c.body.Raw) {
		families := betaFields[name]
		missing := len(families) > 0 && !slices.ContainsFunc(families, c.hasBeta)
		if !slices.Contains(topFields, name) || missing {
			return extraInput(name)
		}
	}
	if p := extraIn("output_config", c.body.Raw["output_config"], outputFields); p != nil {
		return p
	}
	for i, m := range c.body.Messages {
		slices.Sort(m.Keys)
		for _, k := range m.Keys {
			if k != "role" && k != "content" {
				return extraInput(fmt.Sprintf("messages.%d.%s", i, k))
			}
		}
	}
	return c.extraInCacheMarks()
}

// extraInCacheMarks refuses fields such as "scope" in cache marks.
func (c *checked) extraInCacheMarks() *problem {
	for _, m := range c.marks() {
		if p := extraIn(m.path+".cache_control.ephemeral", m.mark, cacheFields); p != nil {
			return p
		}
	}
	return nil
}

func extraInput(path string) *problem { return badRequest(path + ": Extra inputs are not permitted") }

// extraIn refuses unknown fields of an object, and ignores other values.
func extraIn(path string, raw json.RawMessage, known []string) *problem {
	var fields map[string]json.RawMessage
	if len(raw) == 0 || json.Unmarshal(raw, &fields) != nil {
		return nil
	}
	for _, name := range sortedKeys(fields) {
		if !slices.Contains(known, name) {
			return extraInput(path + "." + name)
		}
	}
	return nil
}

func sortedKeys(m map[string]json.RawMessage) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}

// maxTools is the number of tools that the service accepts; more get a refusal without a reason.
const maxTools = 128

func checkToolCount(c *checked) *problem {
	if len(c.body.Tools) > maxTools {
		return &problem{status: http.StatusBadRequest, shape: script.ShapeText, message: "Bad Request"}
	}
	return nil
}

// serverTools are tools that would run in the service, which does not offer them.
var serverTools = []string{"web_search", "web_fetch", "code_execution", "mcp_toolset", "advisor"}

func checkServerTools(c *checked) *problem {
	for _, t := range c.body.Tools {
		for _, name := range serverTools {
			if strings.HasPrefix(t.Type, name) {
				return refusal("unsupported_value", "tools", "The use of the "+strings.ReplaceAll(name, "_", " ")+
					" tool is not supported.")
			}
		}
	}
	return nil
}

var toolName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-zA-Z0-9_-]{1,128}$`) })

// checkTools checks the client's own tools; the backend knows those with another type by name.
func checkTools(c *checked) *problem {
	seen := map[string]bool{}
	for i, t := range c.body.Tools {
		if t.Type != "" && t.Type != "custom" {
			continue
		}
		path := fmt.Sprintf("tools.%d.custom.", i)
		for _, k := range sortedKeys(t.Raw) {
			if !slices.Contains(toolFields, k) {
				return extraInput(path + k)
			}
		}
		if !toolName().MatchString(t.Name) {
			return badRequest(path + "name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'")
		}
		if seen[t.Name] {
			return badRequest("tools: Tool names must be unique.")
		}
		seen[t.Name] = true
		var schema struct {
			Type string `json:"type"`
		}
		raw, ok := t.Raw["input_schema"]
		if !ok {
			return badRequest(path + "input_schema: Field required")
		}
		if json.Unmarshal(raw, &schema) != nil || schema.Type != "object" {
			return badRequest(path + "input_schema.type: Input should be 'object'")
		}
	}
	return nil
}

func checkEffort(c *checked) *problem {
	if e := c.body.Effort; e != "" && !slices.Contains(c.model.Efforts, e) {
		return refusal("invalid_reasoning_effort", "output_config.effort",
			fmt.Sprintf("output_config.effort %q is not supported by model %s; supported values: %v", e,
				c.model.ID, c.model.Efforts))
	}
	return nil
}

func checkMaxTokens(c *checked) *problem {
	switch n := *orZero(c.body.MaxTokens); {
	case n < 1:
		return badRequest("max_tokens: Input should be greater than or equal to 1")
	case n > c.model.Output:
		return badRequest(fmt.Sprintf("max_tokens: %d > %d, which is the maximum allowed number of output tokens for %s",
			n, c.model.Output, c.model.anthropicID()))
	}
	return nil
}

func orZero(p *int) *int {
	if p == nil {
		return new(int)
	}
	return p
}

func checkThinking(c *checked) *problem {
	t := c.body.Thinking
	if t == nil || t.Type == "disabled" {
		return nil
	}
	switch {
	case t.Type != "enabled" && t.Type != "adaptive":
		return badRequest(fmt.Sprintf("thinking: Input tag '%s' found using 'type' does not match any of the expected "+
			"tags: 'adaptive', 'disabled', 'enabled'", t.Type))
	case t.Type == "adaptive" && !c.model.Adaptive:
		return badRequest("adaptive thinking is not supported on this model")
	case t.Type == "enabled" && !c.model.Manual:
		return badRequest("\"thinking.type.enabled\" is not supported for this model. Use \"thinking.type.adaptive\" and " +
			"\"output_config.effort\" to control thinking behavior.")
	case t.Type == "enabled" && t.Budget < c.model.MinBudget:
		return badRequest(fmt.Sprintf("thinking.enabled.budget_tokens: Input should be greater than or equal to %d",
			c.model.MinBudget))
	case t.Type == "enabled" && t.Budget >= *orZero(c.body.MaxTokens):
		return badRequest("`max_tokens` must be greater than `thinking.budget_tokens`.")
	}
	var temperature float64
	if raw, ok := c.body.Raw["temperature"]; ok && json.Unmarshal(raw, &temperature) == nil && temperature != 1 {
		return badRequest("`temperature` may only be set to 1 when thinking is enabled or in adaptive mode.")
	}
	return nil
}

// maxMarks is the number of cache marks that a request may have.
const maxMarks = 4

func checkCacheMarks(c *checked) *problem {
	if n := len(c.marks()); n > maxMarks {
		return tooManyMarks(n)
	}
	return nil
}

func tooManyMarks(n int) *problem {
	return badRequest(fmt.Sprintf("A maximum of %d blocks with cache_control may be provided. Found %d.", maxMarks, n))
}

// cacheAt is a cache mark with its place.
type cacheAt struct {
	path string
	mark json.RawMessage
}

// marks returns all cache marks.
func (c *checked) marks() []cacheAt {
	var out []cacheAt
	add := func(path string, raw json.RawMessage) {
		if len(raw) > 0 && string(raw) != "null" {
			out = append(out, cacheAt{path, raw})
		}
	}
	for i, t := range c.body.Tools {
		add(fmt.Sprintf("tools.%d.custom", i), t.Cache)
	}
	for i, blk := range c.body.System {
		add(fmt.Sprintf("system.%d", i), blk.Cache)
	}
	for i, m := range c.body.Messages {
		for j, blk := range m.Blocks {
			add(fmt.Sprintf("messages.%d.content.%d.%s", i, j, blk.Type), blk.Cache)
		}
	}
	return out
}

// checkPromptSize counts four bytes as a token.
func checkPromptSize(c *checked) *problem {
	limit := c.model.Prompt
	if limit == 0 {
		limit = c.model.Context - c.model.Output
	}
	if n := c.size / 4; n > limit {
		return refusal("model_max_prompt_tokens_exceeded", "messages",
			fmt.Sprintf("prompt token count of %d exceeds the limit of %d", n, limit))
	}
	return nil
}
