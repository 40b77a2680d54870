package sim

import (
	"encoding/json"
	"slices"

	"parley/copilot/sim/promptcache"
)

// usage is the cost of a request, in tokens. Four bytes of the request count as one token.
type usage struct {
	input, cacheRead, cacheWrite int
	model                        Model
}

// wire is the usage object of an answer with out tokens.
func (u usage) wire(out int) map[string]any {
	return map[string]any{"input_tokens": u.input, "cache_creation_input_tokens": u.cacheWrite,
		"cache_read_input_tokens": u.cacheRead, "output_tokens": out,
		"cache_creation": map[string]any{"ephemeral_5m_input_tokens": u.cacheWrite, "ephemeral_1h_input_tokens": 0},
		"service_tier":   "standard"}
}

// nanoPerCredit is the number of nano AI units in one credit.
const nanoPerCredit = 1e9

// billed is the copilot_usage object: what the answer costs by the prices of the model list.
func (u usage) billed(out int) map[string]any {
	const size = 1000000
	var details []any
	total := 0.0
	add := func(kind string, count int, price float64) {
		details = append(details, map[string]any{"token_type": kind, "token_count": count, "batch_size": size,
			"cost_per_batch": int64(price * nanoPerCredit)})
		total += float64(count) * price * nanoPerCredit / size
	}
	add("input", u.input, u.model.In)
	add("cache_read", u.cacheRead, u.model.In*0.1)
	add("cache_write", u.cacheWrite, u.model.In*1.25)
	add("output", out, u.model.Out)
	return map[string]any{"total_nano_aiu": int64(total), "token_details": details}
}

// Cached returns the tokens of all requests that were read from the prompt cache, and those that an earlier request to the
// same model began with, so that a client with the best marks would have had them read.
func (s *Server) Cached() (read, reusable int) { return s.cache.Totals() }

// measure splits the size of a request into read from cache, written to cache and neither.
func (s *Server) measure(model Model, size int, b *Body) usage {
	read, written := s.cache.Measure(b.Model, cacheParts(b))
	return usage{input: max((size-written)/4, 1), cacheRead: read / 4, cacheWrite: (written - read) / 4, model: model}
}

// cacheParts returns the parts of a request. OpenAI's protocols have no marks; there every item counts.
func cacheParts(b *Body) []promptcache.Part {
	var all []promptcache.Part
	list := func(data json.RawMessage) (items []json.RawMessage) {
		_ = json.Unmarshal(data, &items) // decoded before; a plain string has no items
		return items
	}
	if f := b.foreign; f != nil {
		all = append(all, promptcache.Part{JSON: slices.Concat(f.fields["tools"], f.fields["instructions"]), Marked: true})
		for _, item := range slices.Concat(list(f.fields["messages"]), list(f.fields["input"])) {
			all = append(all, promptcache.Part{JSON: item, Marked: true})
		}
		return all
	}
	for _, part := range []json.RawMessage{b.Raw["tools"], b.Raw["system"]} {
		all = append(all, promptcache.Part{JSON: part, Marked: promptcache.Marked(part)})
	}
	for _, m := range list(b.Raw["messages"]) {
		var message struct {
			Role    string
			Content json.RawMessage
		}
		_ = json.Unmarshal(m, &message) // decoded before
		blocks := list(message.Content)
		if len(blocks) == 0 {
			blocks = []json.RawMessage{message.Content}
		}
		for i, block := range blocks {
			part := promptcache.Part{JSON: block, Marked: promptcache.Marked(block)}
			if i == 0 {
				part.Role = message.Role
			}
			all = append(all, part)
		}
	}
	return all
}
