package process

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
)

// Await waits until a runtime has reported its commands, or until its start fails.
func TestCommandsAreAwaited(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var c Commands
		got := make(chan error, 1)
		await := func(ctx context.Context) {
			go func() { got <- c.Await(ctx, "/x") }()
			synctest.Wait()
		}
		await(t.Context())
		c.Learn("/y", nil, nil)
		synctest.Wait()
		if len(got) != 0 {
			t.Fatal("another directory is not this one")
		}
		broken := errors.New("broken")
		c.Learn("/x", nil, broken)
		if err := <-got; err != broken {
			t.Error(err)
		}
		await(t.Context()) // what has failed before says nothing of what is being started now
		if len(got) != 0 {
			t.Fatal("it does not wait for another start")
		}
		c.Learn("/x", nil, nil)
		if err := <-got; err != nil {
			t.Error(err)
		}
		if err := c.Await(t.Context(), "/x"); err != nil {
			t.Error(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if err := c.Await(ctx, "/z"); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	})
}
