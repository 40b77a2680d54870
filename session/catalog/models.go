package catalog

import (
	"cmp"
	"slices"
	"strings"

	"parley/copilot"
	"parley/internal/lazyregexp"
	"parley/session"
)

// sessionModels returns the models that users may pick, the default first and the others in the service's order.
func sessionModels(list []copilot.Model) []session.Model {
	var out []session.Model
	def, _ := copilot.DefaultModel(list)
	for _, m := range list {
		m.Default = m.ID == def.ID
		if m.Picker && m.Type != "embeddings" && m.ID != "auto" {
			out = append(out, sessionModel(m))
		}
	}
	if at := slices.IndexFunc(out, func(m session.Model) bool { return m.Default }); at > 0 {
		first := out[at]
		out = slices.Insert(slices.Delete(out, at, at+1), 0, first)
	}
	setPurposes(out)
	return out
}

// reachable reports whether the proxy can send an agent's Messages API request to a model, directly or translated. A
// model with unknown endpoints counts as reachable.
func reachable(m copilot.Model) bool {
	switch {
	case len(m.Endpoints) == 0, m.Serves(copilot.EndpointMessages):
		return true
	case strings.EqualFold(m.Vendor, "anthropic"):
		return false
	}
	return m.Serves(copilot.EndpointResponses) || m.Serves(copilot.EndpointChat)
}

// sessionModel converts a model to that of package session.
func sessionModel(m copilot.Model) session.Model {
	out := session.Model{
		ID: m.ID, Name: m.Name, Vendor: m.Vendor, Category: m.PickerCategory, Default: m.Default, Preview: m.Preview,
		ContextWindow: int64(m.Limits.Context), MaxPrompt: int64(m.Limits.Prompt), MaxOutput: int64(m.Limits.Output),
		Efforts: m.Supports.Efforts, AdaptiveThinking: adaptive(m),
		MinThinking: int64(m.Supports.MinThinkingBudget), MaxThinking: int64(m.Supports.MaxThinkingBudget),
		Structured: m.Supports.StructuredOutputs, Searches: m.Searches(), Vision: m.Supports.Vision, PDF: slices.Contains(m.Limits.MediaTypes, "application/pdf"), Unusable: unusable(m), Terms: terms(m),
	}
	if out.Name == "" {
		out.Name = m.ID
	}
	out.Price, out.LongContext = sessionPrice(m.Price), sessionPrice(m.LongContext)
	out.PriceCategory, out.Multiplier, out.Free = m.PriceCategory, m.Multiplier, m.Free
	for _, n := range slices.Concat(m.Warnings, m.Infos) {
		out.Notes = append(out.Notes, n.Message)
	}
	if m.Promo != nil && m.Promo.Message != "" {
		out.Notes = append(out.Notes, m.Promo.Message)
	}
	return out
}

// adaptive reports whether the model decides itself how much to think. Models of other protocols take an effort and
// never a budget, which the service does not call adaptive.
func adaptive(m copilot.Model) bool {
	return m.Supports.AdaptiveThinking ||
		len(m.Supports.Efforts) > 0 && len(m.Endpoints) > 0 && !m.Serves(copilot.EndpointMessages)
}

func sessionPrice(p *copilot.Price) *session.Price {
	if p == nil {
		return nil
	}
	return &session.Price{Input: p.Input, Output: p.Output, CacheRead: p.CacheRead, CacheWrite: p.CacheWrite, UpTo: int64(p.Context)}
}

// needsYes is why a model with open terms cannot be used.
const needsYes = "needs your yes to its terms"

// link matches a link of the service's texts.
var link = lazyregexp.New(`\[([^\]]+)\]\((https?://[^)\s]+)\)`)

// terms returns what the user has to agree to before the model can be used, with links as text, "" for nothing.
func terms(m copilot.Model) string {
	if !m.Policy.Open() {
		return ""
	}
	return cmp.Or(strings.TrimSpace(link.ReplaceAllString(m.Policy.Terms, "$1: $2")),
		"GitHub asks you to agree to the use of "+cmp.Or(m.Name, m.ID)+" once: https://docs.github.com/copilot")
}

// unusable returns why agents cannot work with the model, "" if they can.
func unusable(m copilot.Model) string {
	switch {
	case m.Policy.Open():
		return needsYes
	case m.Policy.State == "disabled":
		return "switched off by policy; it can be enabled in the Copilot settings on GitHub"
	case !reachable(m):
		return "speaks a protocol that parley does not know"
	case !m.Supports.ToolCalls:
		return "cannot call tools"
	default:
		return ""
	}
}
