package copilottest

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"hash"
	"sync"
)

// usage is what a request costs, in tokens. Four bytes of the request count as one token.
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

// nanoPerCredit is how many nano AI units make one credit.
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

// prefixCache remembers which beginnings of conversations were sent with a cache mark, as the prompt cache does.
type prefixCache struct {
	mu   sync.Mutex
	seen map[[sha256.Size]byte]bool
}

// maxPrefixes bounds the memory; beyond it everything is forgotten.
const maxPrefixes = 1 << 14

// measure splits the size of a request into read from cache, written to cache and neither, and remembers its beginnings.
func (c *prefixCache) measure(model Model, size int, b *Body) usage {
	var messages []json.RawMessage
	_ = json.Unmarshal(b.Raw["messages"], &messages) // decoded before
	h := sha256.New()
	h.Write([]byte(b.Model))
	hashUnmarked(h, b.Raw["tools"])
	hashUnmarked(h, b.Raw["system"])
	read, total := 0, len(b.Raw["tools"])+len(b.Raw["system"])
	marked := bytes.Contains(b.Raw["tools"], cacheMark) || bytes.Contains(b.Raw["system"], cacheMark)
	written := 0
	if marked {
		written = total
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.seen == nil || len(c.seen) > maxPrefixes {
		c.seen = map[[sha256.Size]byte]bool{}
	}
	var sums [][sha256.Size]byte
	step := func(mark bool) {
		sum := [sha256.Size]byte(h.Sum(nil))
		if c.seen[sum] {
			read = total
		}
		sums = append(sums, sum)
		if mark {
			written = total
			for _, s := range sums {
				c.seen[s] = true
			}
			sums = sums[:0]
		}
	}
	step(marked)
	for _, m := range messages {
		hashUnmarked(h, m)
		total += len(m)
		step(bytes.Contains(m, cacheMark))
	}
	written = max(written, read)
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

// sign makes the signature of a reasoning block. It depends on the text alone, so that a conversation can go on with
// another server of this kind, and a changed block is recognised.
func sign(thought string) string {
	sum := sha256.Sum256([]byte("simulated reasoning\n" + thought))
	return base64.StdEncoding.EncodeToString(append([]byte("sim-sig-"), sum[:]...))
}
