//go:build !unix

package paint

import (
	"context"
	"time"
)

// Without a signal the size has to be asked for. A quarter of a second is soon enough for a resize.
const lookEvery = 250 * time.Millisecond

// watch calls look at once and then again and again.
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
