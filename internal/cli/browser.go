package cli

import (
	"context"
	"os/exec"
	"runtime"
)

// browser opens web pages in the user's browser.
type browser struct{ environ []string }

// Open opens a page. The browser outlives the program; the address is one argument and passes no shell.
func (b browser) Open(ctx context.Context, address string) error {
	name, args := "xdg-open", []string{address}
	switch runtime.GOOS {
	case "darwin":
		name = "open"
	case "windows":
		name, args = "rundll32", []string{"url.dll,FileProtocolHandler", address}
	}
	cmd := exec.CommandContext(context.WithoutCancel(ctx), name, args...)
	cmd.Env = b.environ
	if err := cmd.Start(); err != nil {
		return err
	}
	go cmd.Wait() // so that it leaves no zombie
	return nil
}
