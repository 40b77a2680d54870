package sim

import (
	"slices"
	"strings"
	"sync"
)

// Model is one entry of the model list, as the service describes it and the simulation enforces it.
type Model struct {
	ID, Name, Vendor, Family string
	Type                     string   // "chat" or "embeddings"
	Endpoints                []string // nil: the field is left out, as the service does for hidden models
	Policy                   string   // "enabled", "disabled", "unconfigured" (its terms are not accepted yet) or "" for none
	Picker, Preview          bool
	Category, PriceCategory  string
	RestrictedTo             []string

	Context, Prompt, Output int // limits in tokens; Prompt 0: not stated
	Vision, Tools           bool
	Adaptive                bool // adaptive thinking
	Manual                  bool // thinking with a budget of MinBudget to MaxBudget tokens
	MinBudget, MaxBudget    int
	Efforts                 []string
	Prefill                 bool // a trailing assistant message is accepted

	// In and Out are AI credits for a million tokens; the cache prices follow from In.
	In, Out float64
	// Multiplier is reported by older API versions in place of prices.
	Multiplier float64
	// Free means a price of zero, for models that a plan includes. In and Out are then 0.
	Free bool
}

// has reports whether the model lists the endpoint.
func (m Model) has(endpoint string) bool { return slices.Contains(m.Endpoints, endpoint) }

// anthropicID returns the id in the service's answers, with dashes for the dots of version numbers.
func (m Model) anthropicID() string {
	if !strings.HasPrefix(m.ID, "claude-") {
		return m.ID
	}
	return strings.ReplaceAll(m.ID, ".", "-")
}

var (
	allEfforts   = []string{"low", "medium", "high", "xhigh", "max"}
	olderEfforts = []string{"low", "medium", "high", "max"}
	claudePaths  = []string{"/v1/messages", "/chat/completions"}
	paidPlans    = []string{"pro", "pro_plus", "business", "enterprise", "max"}
)

// DefaultModels returns the model list of an individual paid plan of late 2026, abridged: the Claude family, models
// of the GPT and Gemini families without the Messages API, one whose terms are not accepted yet, the "auto" row and an
// embedding model. The caller may change the slice.
func DefaultModels() []Model {
	claude := func(id, name string, in, out float64, category, price string) Model {
		return Model{ID: id, Name: name, Vendor: "Anthropic", Family: id, Type: "chat", Endpoints: claudePaths,
			Policy: "enabled", Picker: true, Category: category, PriceCategory: price, RestrictedTo: paidPlans,
			Context: 1000000, Prompt: 936000, Output: 64000, Vision: true, Tools: true, Adaptive: true,
			Efforts: allEfforts, In: in, Out: out, Multiplier: in / 300}
	}
	fable := claude("claude-fable-5", "Claude Fable 5", 1000, 5000, "powerful", "very_high")
	fable.RestrictedTo = []string{"pro_plus", "business", "enterprise", "max"}
	fable.Manual, fable.MinBudget, fable.MaxBudget = true, 1024, 32000
	opus48 := claude("claude-opus-4.8", "Claude Opus 4.8", 500, 2500, "powerful", "high")
	opus48.Prompt = 0
	opus47 := claude("claude-opus-4.7", "Claude Opus 4.7", 500, 2500, "powerful", "high")
	opus47.Prompt, opus47.Policy = 0, "unconfigured"
	opus46 := claude("claude-opus-4.6", "Claude Opus 4.6", 500, 2500, "powerful", "high")
	opus46.Manual, opus46.MinBudget, opus46.MaxBudget, opus46.Efforts = true, 1024, 32000, olderEfforts
	sonnet5 := claude("claude-sonnet-5", "Claude Sonnet 5", 200, 1000, "versatile", "medium")
	sonnet46 := claude("claude-sonnet-4.6", "Claude Sonnet 4.6", 300, 1500, "versatile", "medium")
	sonnet46.Prompt = 0
	sonnet46.Manual, sonnet46.MinBudget, sonnet46.MaxBudget, sonnet46.Efforts = true, 1024, 32000, olderEfforts
	haiku := claude("claude-haiku-4.5", "Claude Haiku 4.5", 100, 500, "lightweight", "low")
	haiku.Context, haiku.Prompt, haiku.Adaptive, haiku.Efforts, haiku.Prefill = 200000, 136000, false, nil, true
	haiku.Manual, haiku.MinBudget, haiku.MaxBudget = true, 1024, 32000

	gpt := Model{ID: "gpt-5.4", Name: "GPT-5.4", Vendor: "Azure OpenAI", Family: "gpt-5.4", Type: "chat",
		Endpoints: []string{"/responses", "/chat/completions"}, Policy: "enabled", Picker: true, Category: "versatile",
		PriceCategory: "medium", RestrictedTo: paidPlans, Context: 400000, Prompt: 272000, Output: 128000, Vision: true,
		Tools: true, Efforts: []string{"low", "medium", "high", "xhigh"}, In: 250, Out: 1500, Multiplier: 1}
	mini := gpt
	mini.ID, mini.Name, mini.Family = "gpt-5-mini", "GPT-5 mini", "gpt-5-mini"
	mini.Category, mini.PriceCategory = "lightweight", "low"
	mini.Context, mini.Prompt, mini.Output, mini.In, mini.Out, mini.Multiplier = 264000, 128000, 64000, 25, 200, 0
	gemini := Model{ID: "gemini-3-pro", Name: "Gemini 3 Pro", Vendor: "Google", Family: "gemini-3-pro", Type: "chat",
		Endpoints: []string{"/chat/completions"}, Policy: "enabled", Picker: true, Preview: true, Category: "powerful",
		PriceCategory: "medium", RestrictedTo: paidPlans, Context: 1000000, Prompt: 936000, Output: 64000, Vision: true,
		Tools: true, Manual: true, MinBudget: 256, MaxBudget: 32000, In: 200, Out: 1200, Multiplier: 1}
	auto := Model{ID: "auto", Name: "Auto", Vendor: "GitHub", Family: "auto", Type: "chat", Picker: true, Tools: true,
		Category: "versatile", Context: 200000, Output: 64000}
	embed := Model{ID: "text-embedding-3-small", Name: "Embedding V3 small", Vendor: "Azure OpenAI",
		Family: "text-embedding-3-small", Type: "embeddings"}
	return []Model{fable, opus48, opus47, opus46, sonnet5, sonnet46, haiku, gpt, mini, gemini, auto, embed}
}

// catalog is the model list of one server. Policies can be accepted while it runs.
type catalog struct {
	mu   sync.Mutex
	list []Model
}

func newCatalog(list []Model) *catalog { return &catalog{list: slices.Clone(list)} }

func (c *catalog) all() []Model {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.list)
}

func (c *catalog) find(id string) (Model, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, m := range c.list {
		if m.ID == id {
			return m, true
		}
	}
	return Model{}, false
}

// setPolicy changes the policy state of a model that has one.
func (c *catalog) setPolicy(id, state string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	for i := range c.list {
		if c.list[i].ID == id && c.list[i].Policy != "" {
			c.list[i].Policy = state
			return true
		}
	}
	return false
}
