package cli

import (
	"context"
	"fmt"
	"os/exec"
	"runtime"

	"github.com/charmbracelet/colorprofile"

	"parley/ui"
)

// appearance is how the screen is configured to look and to tell what goes on.
func (a *app) appearance() ui.Appearance {
	c := a.cfg.UI
	after := c.NotifyAfter
	if after == 0 {
		after = -1 // 0 is the screen's own default
	}
	return ui.Appearance{Inline: a.cfg.Screen == "inline", Plain: a.cfg.Screen == "plain", Notify: c.Notify, NotifyAfter: after, Desktop: desktopNotice(a.getenv),
		NoTitle: !c.Title, Progress: c.Progress, ReducedMotion: c.Motion == "reduced", Charset: c.Charset}
}

// profileOf is the number of colours that is configured; Unknown leaves it to the environment.
func profileOf(colors string) colorprofile.Profile {
	switch colors {
	case "none":
		return colorprofile.ASCII
	case "16":
		return colorprofile.ANSI
	case "256":
		return colorprofile.ANSI256
	case "true":
		return colorprofile.TrueColor
	}
	return colorprofile.Unknown
}

// desktopNotice shows notifications of the system, nil where there is none to ask: over ssh it would be another one's.
func desktopNotice(getenv func(string) string) func(ctx context.Context, title, text string) error {
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

// desktopCommand is the program that shows a notification, and its arguments. Texts are arguments of their own and never
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
