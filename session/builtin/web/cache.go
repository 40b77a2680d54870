package web

import (
	"sync"
	"time"
)

const (
	cacheTime  = 15 * time.Minute
	cacheBytes = 16 << 20
	cachePages = 64
)

// cache holds pages for a while. The oldest go first. It is safe for concurrent use.
type cache struct {
	mu    sync.Mutex
	pages []cached // from the oldest to the newest
	bytes int
}

type cached struct {
	key  string
	page page
	at   time.Time
}

// get returns the page of an address that is not too old.
func (c *cache) get(key string, now time.Time) (page, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.drop(now)
	for _, p := range c.pages {
		if p.key == key {
			return p.page, true
		}
	}
	return page{}, false
}

// put adds a page, unless it is too large to keep.
func (c *cache) put(key string, p page, now time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	size := len(p.text) + len(key)
	if size > cacheBytes {
		return
	}
	for i := range c.pages {
		if c.pages[i].key == key {
			c.bytes -= len(c.pages[i].page.text) + len(key)
			c.pages = append(c.pages[:i], c.pages[i+1:]...)
			break
		}
	}
	c.pages = append(c.pages, cached{key, p, now})
	c.bytes += size
	c.drop(now)
}

// drop removes pages that are too old, and the oldest until the rest is within the bounds.
func (c *cache) drop(now time.Time) {
	n := 0
	for n < len(c.pages) && (c.bytes > cacheBytes || len(c.pages)-n > cachePages || now.Sub(c.pages[n].at) >= cacheTime || now.Before(c.pages[n].at)) {
		c.bytes -= len(c.pages[n].page.text) + len(c.pages[n].key)
		n++
	}
	c.pages = append([]cached(nil), c.pages[n:]...)
}
