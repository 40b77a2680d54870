// Package style is how the screen looks: the theme, how wide text is, and what makes text from outside safe to show.
//
// A background, a color profile and texts come in; rows go out: measured, cut, wrapped and styled strings. The styles are
// made with lipgloss once per theme. [Measure] sizes text, because lipgloss counts wide graphemes differently from the
// terminal. [Look] holds what every layout depends on; the root owns it and changes it between frames. Everything else
// here is pure.
//
// The package knows no messages, keys or sessions. It may import ui/md, for themes and for making control characters
// visible, and no other room of ui.
package style
