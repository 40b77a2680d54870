//go:build !unix

package paint

import (
	"context"
	"time"
)

// Without a signal the size is polled. A quarter of a second is soon enough for a resize.
const lookEvery = 250 * time.Millisecond

// watch calls look at once and then periodically.
func watch(ctx context.Context, look func()) {
	t := time.NewTicker(lookEvery)
	defer t.Stop()
	for {
		look()
		select {
		case <-t.C:
		case <-ctx.Done():
			return
		}
	}
}
