package sim

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"hash"
	"slices"
	"sync"
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

// prefixCache remembers beginnings of conversations as the prompt cache does: those that end at a cache mark. A request
// finds one that ends at most lookBack blocks before a mark. OpenAI's protocols have no marks; there every item counts.
type prefixCache struct {
	mu   sync.Mutex
	seen map[[sha256.Size]byte]bool // true for those that are kept, false for those that were only sent
	// read and reusable are tokens of all requests: read from the cache, and sent before at the beginning of a request.
	read, reusable int
}

// Cached returns the tokens of all requests that were read from the prompt cache, and those that an earlier request to the
// same model began with, so that a client with the best marks would have had them read.
func (s *Server) Cached() (read, reusable int) {
	s.cache.mu.Lock()
	defer s.cache.mu.Unlock()
	return s.cache.read, s.cache.reusable
}

const (
	// maxPrefixes bounds the memory; beyond it everything is forgotten.
	maxPrefixes = 1 << 16
	// lookBack is how many blocks before a mark the service looks for something that is in its cache.
	lookBack = 20
)

// prefix is the beginning of a request up to the end of a block.
type prefix struct {
	sum    [sha256.Size]byte
	size   int // in bytes
	marked bool
}

// prefixesOf returns the beginnings of a request, the shortest first.
func prefixesOf(b *Body) []prefix {
	h := sha256.New()
	h.Write([]byte(b.Model))
	var all []prefix
	size := 0
	add := func(data []byte, marked bool) {
		hashUnmarked(h, data)
		size += len(data)
		all = append(all, prefix{[sha256.Size]byte(h.Sum(nil)), size, marked})
	}
	list := func(data json.RawMessage) (items []json.RawMessage) {
		_ = json.Unmarshal(data, &items) // decoded before; a plain string has no items
		return items
	}
	if f := b.foreign; f != nil {
		add(slices.Concat(f.fields["tools"], f.fields["instructions"]), true)
		for _, item := range slices.Concat(list(f.fields["messages"]), list(f.fields["input"])) {
			add(item, true)
		}
		return all
	}
	for _, part := range []json.RawMessage{b.Raw["tools"], b.Raw["system"]} {
		add(part, bytes.Contains(part, cacheMark))
	}
	for _, m := range list(b.Raw["messages"]) {
		var message struct {
			Role    string
			Content json.RawMessage
		}
		_ = json.Unmarshal(m, &message) // decoded before
		h.Write([]byte(message.Role))
		blocks := list(message.Content)
		if len(blocks) == 0 {
			blocks = []json.RawMessage{message.Content}
		}
		for _, block := range blocks {
			add(block, bytes.Contains(block, cacheMark))
		}
	}
	return all
}

// measure splits the size of a request into read from cache, written to cache and neither, and remembers its beginnings.
func (c *prefixCache) measure(model Model, size int, b *Body) usage {
	all := prefixesOf(b)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.seen == nil || len(c.seen) > maxPrefixes {
		c.seen = map[[sha256.Size]byte]bool{}
	}
	read, written, reusable := 0, 0, 0
	for i, p := range all {
		if _, sent := c.seen[p.sum]; sent {
			reusable = p.size
		}
		if !p.marked {
			continue
		}
		written = p.size
		for _, q := range all[max(i-lookBack, 0) : i+1] {
			if c.seen[q.sum] {
				read = q.size
			}
		}
	}
	for _, p := range all {
		c.seen[p.sum] = c.seen[p.sum] || p.marked
	}
	c.read, c.reusable = c.read+read/4, c.reusable+reusable/4
	return usage{input: max((size-written)/4, 1), cacheRead: read / 4, cacheWrite: (written - read) / 4, model: model}
}

// cacheMark begins a cache mark in JSON.
var cacheMark = []byte(`"cache_control":`)

// hashUnmarked hashes JSON without its cache marks, which wander from message to message while the text stays.
func hashUnmarked(h hash.Hash, data []byte) {
	for {
		i := bytes.Index(data, cacheMark)
		if i < 0 {
			h.Write(data)
			return
		}
		before := bytes.TrimRight(data[:i], ", \n\t")
		h.Write(before)
		end := bytes.IndexByte(data[i:], '}')
		if end < 0 {
			return
		}
		data = data[i+end+1:]
		if bytes.HasSuffix(before, []byte("{")) {
			data = bytes.TrimLeft(data, ", \n\t")
		}
	}
}
