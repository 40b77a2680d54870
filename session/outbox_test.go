package session

import (
	"fmt"
	"sync"
	"testing"
)

// Events arrive in the order they were emitted, including those that an event handler emits.
func TestOutboxKeepsOrder(t *testing.T) {
	var mu sync.Mutex
	var got []string
	var b *Outbox
	b = NewOutbox(func(e Event) {
		n := e.(Notice)
		mu.Lock()
		got = append(got, n.Text)
		mu.Unlock()
		if n.Text == "0.5" {
			b.Put(Notice{Text: "from within"})
			b.Deliver()
		}
	})
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			for i := range 200 {
				b.Put(Notice{Text: fmt.Sprintf("%d.%d", g, i)})
				b.Deliver()
			}
		})
	}
	wg.Wait()
	b.Stop()
	if b.Put(Notice{Text: "too late"}) {
		t.Error("it takes events after its end")
	}
	b.Deliver()
	next := map[int]int{}
	within := 0
	for _, text := range got {
		var g, i int
		if _, err := fmt.Sscanf(text, "%d.%d", &g, &i); err != nil {
			within++
			continue
		}
		if next[g] != i {
			t.Fatalf("%s after %d.%d", text, g, next[g]-1)
		}
		next[g]++
	}
	if within != 1 || len(got) != 8*200+1 {
		t.Errorf("%d events, %d from within", len(got), within)
	}
}
