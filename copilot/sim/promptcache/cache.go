package promptcache

import (
	"bytes"
	"crypto/sha256"
	"hash"
	"sync"
)

// Cache remembers beginnings of conversations: those that end at a cache mark. A request finds one that ends at most
// lookBack blocks before a mark. The zero value is empty. It is safe for concurrent use.
type Cache struct {
	mu   sync.Mutex
	seen map[[sha256.Size]byte]bool // true for those that are kept, false for those that were only sent
	// read and reusable are tokens of all requests: read from the cache, and sent before at the beginning of a request.
	read, reusable int
}

// Part is a part of a request in JSON: its tools, its instructions or a block of a message of Role. Marked ones end a
// beginning that is kept. Cache marks within the JSON do not count as its content.
type Part struct {
	Role   string
	JSON   []byte
	Marked bool
}

// Marked reports whether JSON has a cache mark.
func Marked(data []byte) bool { return bytes.Contains(data, cacheMark) }

// Totals returns the tokens of all requests that were read from the cache, and those that an earlier request to the same
// model began with, so that a client with the best marks would have had them read.
func (c *Cache) Totals() (read, reusable int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.read, c.reusable
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

// prefixesOf returns the beginnings of a request to a model, the shortest first.
func prefixesOf(model string, parts []Part) []prefix {
	h := sha256.New()
	h.Write([]byte(model))
	var all []prefix
	size := 0
	for _, p := range parts {
		h.Write([]byte(p.Role))
		hashUnmarked(h, p.JSON)
		size += len(p.JSON)
		all = append(all, prefix{[sha256.Size]byte(h.Sum(nil)), size, p.Marked})
	}
	return all
}

// Measure returns how many bytes at the beginning of a request are read from the cache and are in it afterwards, and remembers
// its beginnings.
func (c *Cache) Measure(model string, parts []Part) (read, written int) {
	all := prefixesOf(model, parts)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.seen == nil || len(c.seen) > maxPrefixes {
		c.seen = map[[sha256.Size]byte]bool{}
	}
	reusable := 0
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
	return read, written
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
