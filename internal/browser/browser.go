package browser

import (
	"context"
	"os/exec"
	"runtime"

	"parley/internal/crash"
)

// Browser opens web pages in the user's browser. Environ is its environment. It is safe for concurrent use.
type Browser struct{ Environ []string }

// Open opens a page. The browser outlives the program; the address is one argument and passes no shell.
func (b Browser) Open(ctx context.Context, address string) error {
	name, args := "xdg-open", []string{address}
	switch runtime.GOOS {
	case "darwin":
		name = "open"
	case "windows":
		name, args = "rundll32", []string{"url.dll,FileProtocolHandler", address}
	}
	cmd := exec.CommandContext(context.WithoutCancel(ctx), name, args...)
	cmd.Env = b.Environ
	if err := cmd.Start(); err != nil {
		return err
	}
	crash.Go(func() { _ = cmd.Wait() }) // so that it leaves no zombie
	return nil
}
