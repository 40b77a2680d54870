package sim

import (
	"context"
	"time"
)

// Clock is the time source of a [Server]. Its methods are called from many goroutines at once.
type Clock interface {
	Now() time.Time
	// Sleep returns after d, or earlier with ctx's error when ctx ends first.
	Sleep(ctx context.Context, d time.Duration) error
}

// wallClock is the real time.
type wallClock struct{}

func (wallClock) Now() time.Time { return time.Now() }

func (wallClock) Sleep(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return ctx.Err()
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
