package style

import (
	"image/color"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"parley/ui/md"
	"parley/ui/shade"
)

// Style is the sequence that opens a style of lipgloss, "" for plain text. It is made once per theme, so that drawing a row
// is joining strings: the text has been measured and cut by [Measure].
type Style string

// opening returns the sequence that opens a style of lipgloss.
func opening(s lipgloss.Style) Style {
	before, _, _ := strings.Cut(s.Render("x"), "x")
	return Style(before)
}

// Of returns text in the style.
func (s Style) Of(text string) string {
	if s == "" || text == "" {
		return text
	}
	return string(s) + text + ansi.ResetStyle
}

// Lift puts a row on the raised surface and fills it to w columns. Without a surface the row stays as it is.
func (t *Theme) Lift(row string, w int, m Measure) string {
	if t.Raised == "" {
		return row
	}
	return t.Raised.Over(row + strings.Repeat(" ", max(0, w-m.Width(row))))
}

// Over returns text in the style, also behind the parts of it that have another one.
func (s Style) Over(text string) string {
	if s == "" || text == "" {
		return text
	}
	return string(s) + strings.ReplaceAll(text, ansi.ResetStyle, ansi.ResetStyle+string(s)) + ansi.ResetStyle
}

// Theme holds the styles of the screen: one accent, one warning color, dim for what is secondary. The gutter and the words
// carry the meaning, so that everything is readable without color.
type Theme struct {
	Dark, Colour bool
	// Few reports that there are only sixteen colors, Cells that there are 256, Contrast that legibility comes before looks.
	Few, Cells, Contrast bool

	// palette holds the colors mixed from the terminal's background, nil where that is not known or they cannot be shown.
	palette *shade.Palette

	Dim    Style // secondary: hints, reasoning, folded rows
	Bold   Style
	Accent Style // what is the user's or selected
	Warn   Style // what failed or needs care
	Chosen Style // the selected row or button
	Bad    Style // what failed
	Good   Style // what went well
	Quiet  Style // reasoning: secondary, in other letters
	// Raised is the surface of prompts and of what is chosen, "" without one.
	Raised Style
	over   Overlays
	// Epoch grows whenever the look changes; layouts of another epoch are stale.
	Epoch uint64
	// words is the theme of the agent's words if one was chosen, md the one that fits otherwise, made when needed.
	words, md *md.Theme
}

// NewTheme returns the theme for a terminal with a dark or light background, with or without color. words is the theme of
// the agent's words; nil selects the one that fits.
func NewTheme(dark, colour bool, words *md.Theme) Theme {
	t := Theme{Dark: dark, Colour: colour, words: words}
	t.Mix()
	return t
}

// Turned returns the theme for another background, of which nothing else is known.
func (t Theme) Turned(dark bool) Theme {
	t.Dark, t.palette, t.md, t.Epoch = dark, nil, nil, t.Epoch+1
	t.Mix()
	return t
}

// On returns the theme with surfaces and colors mixed from the terminal's background. It is Turned where the terminal cannot
// show them, and where contrast comes first.
func (t Theme) On(background color.Color) Theme {
	ground := shade.Ground{Background: background}
	t = t.Turned(ground.Dark())
	if !t.Colour || t.Few || t.Contrast {
		return t
	}
	mix := shade.Mix
	if t.Cells {
		mix = shade.Cells
	}
	p := mix(ground)
	t.palette = &p
	t.Mix()
	return t
}

// Same reports whether two themes draw the same, however often they were changed.
func (t *Theme) Same(other *Theme) bool {
	if t.palette != nil && other.palette != nil {
		return *t.palette == *other.palette && t.words == other.words
	}
	return t.palette == other.palette && t.Dark == other.Dark && t.Colour == other.Colour && t.words == other.words
}

// pick returns the function that returns the color that fits the background and the profile of the terminal: one of the sixteen, which the
// terminal's own palette keeps legible, or one of 256. Without color it returns none.
func (t *Theme) pick() func(light, dark, light256, dark256 string) color.Color {
	profile := colorprofile.ANSI256
	switch {
	case !t.Colour:
		profile = colorprofile.ASCII
	case t.Few || t.Contrast:
		profile = colorprofile.ANSI
	}
	adapt, complete := lipgloss.LightDark(t.Dark), lipgloss.Complete(profile)
	return func(light, dark, light256, dark256 string) color.Color {
		few := adapt(lipgloss.Color(light), lipgloss.Color(dark))
		many := adapt(lipgloss.Color(light256), lipgloss.Color(dark256))
		return complete(few, many, many)
	}
}

// Mix makes the styles from the theme's settings. Where contrast matters nothing is dim and what is chosen is inverted.
func (t *Theme) Mix() {
	plain, pick := lipgloss.NewStyle(), t.pick()
	accent := plain.Foreground(pick("4", "14", "25", "111"))
	warn := plain.Foreground(pick("1", "11", "130", "215"))
	bad, good := plain.Foreground(pick("1", "9", "124", "210")), plain.Foreground(pick("", "2", "28", "114"))
	dim, chosen, raised := plain.Foreground(pick("8", "7", "242", "245")), accent.Bold(true), plain
	quiet := dim.Italic(true)
	switch p := t.palette; {
	case p != nil:
		accent, warn, bad, good = plain.Foreground(p.Accent), plain.Foreground(p.Warn), plain.Foreground(p.Bad), plain.Foreground(p.Good)
		dim, raised = plain.Foreground(p.Dim), plain.Background(p.Raised)
		chosen, quiet = accent.Bold(true).Background(p.Raised), dim.Italic(true)
	case t.Contrast:
		dim, accent, warn, chosen = plain, accent.Bold(true), warn.Bold(true), plain.Bold(true).Reverse(true)
		bad, good, quiet = bad.Bold(true), good.Bold(true), plain.Italic(true)
		if !t.Colour {
			warn = warn.Underline(true)
		}
	case !t.Colour:
		dim, accent, warn, chosen = plain.Faint(true), plain.Bold(true), plain.Bold(true), plain.Reverse(true)
		bad, good, quiet = plain.Bold(true), plain, plain.Faint(true).Italic(true)
	}
	t.Bold = opening(plain.Bold(true))
	t.Dim, t.Accent, t.Warn, t.Chosen = opening(dim), opening(accent), opening(warn), opening(chosen)
	t.Bad, t.Good, t.Quiet, t.Raised = opening(bad), opening(good), opening(quiet), opening(raised)
	t.over = t.overlays()
}

// Overlays are the styles that are drawn over rows: the selection, a match, and the match at which the reader is.
type Overlays struct{ Selected, Found, Current Style }

// Overlays returns the styles that fit the theme.
func (t *Theme) Overlays() Overlays { return t.over }

// overlays makes the styles that are drawn over rows.
func (t *Theme) overlays() Overlays {
	plain := lipgloss.NewStyle()
	if !t.Colour || t.Few {
		inverted := opening(plain.Reverse(true))
		return Overlays{Selected: inverted, Found: opening(plain.Underline(true)), Current: inverted}
	}
	adapt := lipgloss.LightDark(t.Dark)
	return Overlays{
		Selected: opening(plain.Background(adapt(lipgloss.Color("153"), lipgloss.Color("24")))),
		Found:    opening(plain.Background(adapt(lipgloss.Color("228"), lipgloss.Color("58")))),
		Current:  opening(plain.Foreground(lipgloss.Color("16")).Background(lipgloss.Color("215"))),
	}
}

// ParseTheme reads the theme setting: whether it fixes the background, and as dark, and the theme of the agent's words, nil
// if the background and the terminal's colors decide. It fails if the theme cannot be read.
func ParseTheme(name string) (fixed, dark bool, words *md.Theme, err error) {
	switch name {
	case "", "auto":
		return false, false, nil, nil
	case "parley-dark", "parley-light":
		return true, name == "parley-dark", nil, nil
	}
	words, err = md.LoadTheme(name)
	return name == "dark" || name == "light", name == "dark", words, err
}
