package host

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

// Outlast makes the process survive its terminal, and returns a context that only SIGTERM ends. It catches the other signals: what an
// agent starts would inherit ignored ones, so that `yes | head` fails there and nothing can be interrupted.
func Outlast(ctx context.Context) (lasting context.Context, stop func()) {
	caught := make(chan os.Signal, 1) // nothing receives: more are dropped
	signal.Notify(caught, syscall.SIGHUP, syscall.SIGINT, syscall.SIGPIPE)
	lasting, cancel := signal.NotifyContext(context.WithoutCancel(ctx), syscall.SIGTERM)
	return lasting, func() {
		cancel()
		signal.Stop(caught)
	}
}
