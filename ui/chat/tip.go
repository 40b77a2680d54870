package chat

import "parley/ui/style"

// offerInstall returns the tip of a new session about a runtime that can be installed.
func (o *Options) offerInstall() string {
	if o.Offer == nil || o.Session == nil || o.Opening != nil || !o.Session.Draft() { // a session keeps its agent
		return ""
	}
	return "/install gets " + style.Visible(style.OneLine(o.Offer.Title)) + o.Offer.Size()
}

// Tip returns a tip for a new user in so many columns, "" for none.
func (o *Options) Tip(width int) string {
	switch tip := o.offerInstall(); {
	case tip != "":
		return tip
	case o.Demo && width < 80:
		return "Demo model: type anything."
	case o.Demo && width < 110:
		return "Demo: the model is a script, all else is real. Type anything to start."
	case o.Demo:
		return "Demo: the model is a script; files, commands and questions are real. Type anything to start the tour."
	}
	return ""
}
