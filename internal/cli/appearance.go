package cli

import (
	"github.com/charmbracelet/colorprofile"

	"parley/config"
	"parley/ui/attention"
	"parley/ui/core"
)

// appearanceOf returns how the screen looks and notifies.
func appearanceOf(cfg *config.Config, getenv func(string) string) core.Appearance {
	c := cfg.UI
	after := c.NotifyAfter
	if after == 0 {
		after = -1 // 0 is the screen's own default
	}
	return core.Appearance{Inline: cfg.Screen == "inline", Plain: cfg.Screen == "plain", Notify: c.Notify, NotifyAfter: after, Desktop: attention.Desktop(getenv),
		NoTitle: !c.Title, Progress: c.Progress, ReducedMotion: c.Motion == "reduced", Charset: c.Charset, DiffSplit: c.DiffSplit,
		SeparateTools: !c.GroupTools}
}

// profileOf returns the configured number of colors; Unknown leaves it to the environment.
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
