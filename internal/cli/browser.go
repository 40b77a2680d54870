package cli

import (
	"context"
	"os/exec"
	"runtime"
)

// openBrowser opens a web page in the user's browser, which outlives the program. The address is one argument and passes
// no shell.
func (a *app) openBrowser(ctx context.Context, address string) error {
	name, args := "xdg-open", []string{address}
	switch runtime.GOOS {
	case "darwin":
		name = "open"
	case "windows":
		name, args = "rundll32", []string{"url.dll,FileProtocolHandler", address}
	}
	cmd := exec.CommandContext(context.WithoutCancel(ctx), name, args...)
	cmd.Env = a.environ
	if err := cmd.Start(); err != nil {
		return err
	}
	go cmd.Wait() // so that it leaves no zombie
	return nil
}
