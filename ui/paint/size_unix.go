//go:build unix

package paint

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

// watch calls look at once and at every SIGWINCH.
func watch(ctx context.Context, look func()) {
	changed := make(chan os.Signal, 1)
	signal.Notify(changed, syscall.SIGWINCH)
	defer signal.Stop(changed)
	for {
		look()
		select {
		case <-changed:
		case <-ctx.Done():
			return
		}
	}
}
