package command

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"parley/internal/crash"
)

// UntilSignal returns a context that ends, with a [Signaled] cause, when the program is told to stop.
func UntilSignal(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
	done := make(chan struct{})
	crash.Go(func() {
		defer close(done)
		select {
		case s := <-signals:
			cancel(Signaled{s.(syscall.Signal)})
		case <-ctx.Done():
		}
	})
	return ctx, func() {
		signal.Stop(signals)
		cancel(nil)
		<-done
	}
}

// CatchBrokenPipe makes writing to a closed pipe an error like any other, where by default it would kill the
// program before it has cleaned up. The signal is caught rather than ignored, because children inherit ignored signals.
func CatchBrokenPipe() (restore func()) {
	broken := make(chan os.Signal, 1)
	signal.Notify(broken, syscall.SIGPIPE)
	return func() { signal.Stop(broken) }
}
