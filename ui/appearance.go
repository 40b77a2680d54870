package ui

import (
	"parley/ui/appearance"
	"parley/ui/style"
)

// Appearance is how the screen suits its terminal and its user.
type Appearance = appearance.Appearance

// onlyASCII reports whether nothing but ASCII may be drawn.
func (o *Options) onlyASCII() bool { return o.Appearance.OnlyASCII(o.Getenv) }

// offerInstall returns the tip of a new session about a runtime that can be installed.
func (o *Options) offerInstall() string {
	if o.Offer == nil || o.Session == nil || o.Opening != nil || !o.Session.Draft() { // a session keeps its agent
		return ""
	}
	return "/install gets " + style.Visible(style.OneLine(o.Offer.Title)) + o.Offer.Size()
}

// startTip returns a tip for a new user, "" for none.
func (o *Options) startTip() string {
	switch tip := o.offerInstall(); {
	case tip != "":
		return tip
	case o.Demo && o.Width < 80:
		return "Demo model: type anything."
	case o.Demo:
		return "The model is simulated, all else is real. Say anything: the tour begins."
	}
	return ""
}
