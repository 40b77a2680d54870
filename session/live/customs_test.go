package live

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"parley/session"
)

// lister has one prompt file, and counts how often it is read.
type lister struct {
	reads atomic.Int32
	gate  chan struct{}
}

func (l *lister) Customs(ctx context.Context, _ string) session.Customs {
	l.reads.Add(1)
	select {
	case <-l.gate:
	case <-ctx.Done():
	}
	return session.Customs{Prompts: []session.CustomPrompt{{Name: "fix"}}}
}

// Lists are read in the background, once for a while, and reading ends with the manager.
func TestCustomsAreReadInTheBackground(t *testing.T) {
	now := time.Unix(0, 0)
	l, key := &lister{gate: make(chan struct{})}, customsKey{"a", "/d"}
	c := newCustoms(func() time.Time { return now })
	for range 3 {
		if _, read := c.get(l, key); read {
			t.Fatal("read before it could be")
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if c.await(ctx, l, key) == nil {
		t.Error("waited beyond its context")
	}
	close(l.gate)
	if err := c.await(t.Context(), l, key); err != nil {
		t.Fatal(err)
	}
	if list, read := c.get(l, key); !read || len(list.Prompts) != 1 || l.reads.Load() != 1 {
		t.Errorf("%+v, read %d times", list, l.reads.Load())
	}
	c.mu.Lock()
	now = now.Add(customsFor)
	c.mu.Unlock()
	l.gate = make(chan struct{}) // reading again does not end by itself
	if list, read := c.get(l, key); !read || len(list.Prompts) != 1 {
		t.Errorf("the old list is gone: %+v", list)
	}
	c.close()
	if got := l.reads.Load(); got != 2 {
		t.Errorf("read %d times", got)
	}
}
