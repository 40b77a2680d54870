package chat

import "parley/ui/style"

// offerInstall returns the tip of a new session about a runtime that can be installed, in so many columns.
func (o *Options) offerInstall(width int) string {
	if o.Offer == nil || !o.begins() { // a session keeps its agent
		return ""
	}
	title := style.VisibleLine(o.Offer.Title)
	if width < 60 {
		return "/install adds " + title + o.Offer.Size()
	}
	return "Tip: /install adds the " + title + " agent" + o.Offer.Size()
}

// begins reports whether the chat begins with a new session.
func (o *Options) begins() bool { return o.Session != nil && o.Opening == nil && o.Session.Draft() }

// Tip returns a tip for a new user in so many columns, "" for none.
func (o *Options) Tip(width int) string {
	switch tip := o.offerInstall(width); {
	case tip != "":
		return tip
	case o.Demo && width < 80:
		return "Demo model: type anything."
	case o.Demo && width < 110:
		return "Demo: the model is a script, all else is real. Type anything to start."
	case o.Demo:
		return "Demo: the model is a script; files, commands and questions are real. Type anything to start the tour."
	case o.Outlives && o.begins() && width < 90:
		return "/quit stops what runs; a closed window doesn't"
	case o.Outlives && o.begins():
		return "/quit stops what runs; a closed window doesn't: parley attach shows it again"
	}
	return ""
}
