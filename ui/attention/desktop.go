package attention

import (
	"context"
	"fmt"
	"os/exec"
	"runtime"
)

// Desktop returns what shows notifications of the system, nil where the system has none to ask: over ssh the desktop is
// another machine's. The function blocks until the notification program has ended.
func Desktop(getenv func(string) string) func(ctx context.Context, title, text string) error {
	if getenv("SSH_CONNECTION") != "" || getenv("SSH_TTY") != "" {
		return nil
	}
	name, args := desktopCommand(runtime.GOOS)
	if name == "" {
		return nil
	}
	return func(ctx context.Context, title, text string) error {
		if err := exec.CommandContext(ctx, name, args(title, text)...).Run(); err != nil {
			return fmt.Errorf("show a notification with %s: %w", name, err)
		}
		return nil
	}
}

// desktopCommand returns the program that shows a notification, and its arguments. Texts are arguments of their own and never
// part of a script.
func desktopCommand(goos string) (name string, args func(title, text string) []string) {
	switch goos {
	case "darwin":
		return "osascript", func(title, text string) []string {
			return []string{"-e", "on run argv", "-e", "display notification (item 2 of argv) with title (item 1 of argv)", "-e", "end run",
				"--", title, text}
		}
	case "windows":
		return "", nil
	}
	return "notify-send", func(title, text string) []string {
		return []string{"--app-name=parley", "--", title, text}
	}
}
