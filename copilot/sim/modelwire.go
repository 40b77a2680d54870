package sim

import "math"

// The API versions at which the description of prices changed. Versions are dates and compare as text.
const (
	versionTokenPrices = "2026-06-01" // prices per token instead of a multiplier
	versionPriceKeys   = "2026-08-01" // cache_read_price and max_prompt_tokens instead of cache_price and context_max
)

// wire is the JSON form of m for a client that asks with this X-GitHub-Api-Version ("" counts as the newest).
func (m Model) wire(version string) map[string]any {
	out := map[string]any{
		"id": m.ID, "name": m.Name, "object": "model", "vendor": m.Vendor, "version": m.ID, "preview": m.Preview,
		"is_chat_default": m.ID == "claude-sonnet-4.6", "is_chat_fallback": m.ID == "gpt-5-mini",
		"model_picker_enabled": m.Picker, "capabilities": m.wireCapabilities(),
	}
	if m.Category != "" {
		out["model_picker_category"] = m.Category
	}
	if m.PriceCategory != "" {
		out["model_picker_price_category"] = m.PriceCategory
	}
	if m.Policy != "" {
		out["policy"] = map[string]any{"state": m.Policy,
			"terms": "Enable access to the latest " + m.Name + " model from " + m.Vendor + ". [Learn more about how GitHub Copilot serves " + m.Name +
				"](https://docs.github.com/copilot/models)."}
	}
	if m.Endpoints != nil {
		out["supported_endpoints"] = m.Endpoints
	}
	if b := m.wireBilling(version); b != nil {
		out["billing"] = b
	}
	if version != "" && version < versionTokenPrices {
		out["warning_messages"] = []any{map[string]any{"code": "client_version_deprecated",
			"message": "This version of the client is no longer supported. Update it to see current prices."}}
	}
	return out
}

func (m Model) wireCapabilities() map[string]any {
	c := map[string]any{"family": m.Family, "type": m.Type, "object": "model_capabilities", "tokenizer": "o200k_base"}
	if m.Type == "embeddings" {
		c["limits"] = map[string]any{"max_inputs": 512}
		c["supports"] = map[string]any{"dimensions": true}
		return c
	}
	limits := map[string]any{"max_context_window_tokens": m.Context, "max_output_tokens": m.Output,
		"max_non_streaming_output_tokens": 16000}
	if m.Prompt > 0 {
		limits["max_prompt_tokens"] = m.Prompt
	}
	supports := map[string]any{"streaming": true, "tool_calls": m.Tools, "parallel_tool_calls": m.Tools,
		"structured_outputs": m.Tools}
	if m.Vision {
		supports["vision"] = true
		limits["vision"] = map[string]any{"max_prompt_image_size": 3145728, "max_prompt_images": 5,
			"supported_media_types": []string{"image/jpeg", "image/png", "image/webp", "image/gif", "application/pdf"}}
	}
	if m.Adaptive {
		supports["adaptive_thinking"] = true
	}
	if m.Manual {
		supports["min_thinking_budget"], supports["max_thinking_budget"] = m.MinBudget, m.MaxBudget
	}
	if m.Efforts != nil {
		supports["reasoning_effort"] = m.Efforts
	}
	c["limits"], c["supports"] = limits, supports
	return c
}

func (m Model) wireBilling(version string) map[string]any {
	if m.In == 0 && !m.Free {
		return nil
	}
	b := map[string]any{"restricted_to": m.RestrictedTo}
	if version != "" && version < versionTokenPrices {
		b["is_premium"], b["multiplier"] = m.Multiplier > 0, m.Multiplier
		return b
	}
	tier := func(limit int) map[string]any {
		t := map[string]any{"input_price": m.In, "output_price": m.Out, "cache_write_price": tenth(m.In * 1.25)}
		if version != "" && version < versionPriceKeys {
			t["cache_price"], t["context_max"] = tenth(m.In*0.1), limit
		} else {
			t["cache_read_price"], t["cache_write_1h_price"], t["max_prompt_tokens"] = tenth(m.In*0.1), m.In*2, limit
		}
		return t
	}
	prices := map[string]any{"batch_size": 1000000, "default": tier(200000)}
	if m.Context > 200000 {
		prices["long_context"] = tier(max(m.Prompt, m.Context-m.Output))
	}
	b["token_prices"] = prices
	return b
}

// tenth rounds away the noise of binary fractions.
func tenth(v float64) float64 { return math.Round(v*100) / 100 }
