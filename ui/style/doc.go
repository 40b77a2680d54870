// Package style is how the screen looks: the theme, how wide text is, and what makes text from outside safe to show.
//
// In come a background, a colour profile and texts. Out come rows: measured, cut, wrapped and styled strings. [Look] holds
// what every layout depends on; the root owns it and changes it between frames. Everything here is pure but for that.
//
// The package knows no message, no key and no session. It may import ui/md for themes and for making control characters
// visible, and no other room of ui.
package style
