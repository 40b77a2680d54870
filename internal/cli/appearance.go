package cli

import (
	"github.com/charmbracelet/colorprofile"

	"parley/ui"
	"parley/ui/attention"
)

// appearance is how the screen is configured to look and to tell what goes on.
func (a *app) appearance() ui.Appearance {
	c := a.cfg.UI
	after := c.NotifyAfter
	if after == 0 {
		after = -1 // 0 is the screen's own default
	}
	return ui.Appearance{Inline: a.cfg.Screen == "inline", Plain: a.cfg.Screen == "plain", Notify: c.Notify, NotifyAfter: after, Desktop: attention.Desktop(a.getenv),
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
