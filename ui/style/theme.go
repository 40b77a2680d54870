package style

import "parley/ui/md"

// Style is the sequence that opens a text style; empty for plain text. Openers are made once per theme, so that drawing a
// row is joining strings.
type Style string

// Of puts text into the style.
func (s Style) Of(text string) string {
	if s == "" || text == "" {
		return text
	}
	return string(s) + text + "\x1b[m"
}

// Theme is the few styles the screen is made of: one accent, one warning colour, dim for what is secondary. Everything
// stays readable without colour: the gutter and the words carry the meaning.
type Theme struct {
	Dark, Colour bool
	// Few says that there are only sixteen colours, contrast that legibility comes before looks.
	Few, Contrast bool

	Dim    Style // secondary: hints, reasoning, folded rows
	Bold   Style
	Accent Style // what is yours or selected
	Warn   Style // what went wrong or wants care
	Chosen Style // the selected row or button
	// Epoch grows whenever the look changes; layouts made under another epoch are stale.
	Epoch uint64
	// words is the theme of the agent's words where one was chosen, md the one that fits otherwise, made when needed.
	words, md *md.Theme
}

// NewTheme makes the theme for a terminal with a dark or light background, with or without colour. words is the theme of
// the agent's words; nil picks the one that fits.
func NewTheme(dark, colour bool, words *md.Theme) Theme {
	t := Theme{Dark: dark, Colour: colour, Bold: "\x1b[1m", words: words}
	t.Mix()
	return t
}

// Turned is the same theme for another background.
func (t Theme) Turned(dark bool) Theme {
	t.Dark, t.md, t.Epoch = dark, nil, t.Epoch+1
	t.Mix()
	return t
}

// Mix chooses the styles. With sixteen colours those are taken that the terminal's own palette keeps legible; where
// contrast matters nothing is dim, and what is chosen is inverted.
func (t *Theme) Mix() {
	dark := t.Dark
	switch {
	case t.Contrast && !t.Colour:
		t.Dim, t.Accent, t.Warn, t.Chosen = "", "\x1b[1m", "\x1b[1;4m", "\x1b[1;7m"
	case t.Contrast && dark:
		t.Dim, t.Accent, t.Warn, t.Chosen = "", "\x1b[1;96m", "\x1b[1;93m", "\x1b[1;7m"
	case t.Contrast:
		t.Dim, t.Accent, t.Warn, t.Chosen = "", "\x1b[1;34m", "\x1b[1;31m", "\x1b[1;7m"
	case t.Colour && t.Few && dark:
		t.Dim, t.Accent, t.Warn, t.Chosen = "\x1b[37m", "\x1b[96m", "\x1b[93m", "\x1b[1;96m"
	case t.Colour && t.Few:
		t.Dim, t.Accent, t.Warn, t.Chosen = "\x1b[90m", "\x1b[34m", "\x1b[31m", "\x1b[1;34m"
	case !t.Colour:
		t.Dim, t.Accent, t.Warn, t.Chosen = "\x1b[2m", "\x1b[1m", "\x1b[1m", "\x1b[7m"
	case dark:
		t.Dim, t.Accent, t.Warn, t.Chosen = "\x1b[38;5;245m", "\x1b[38;5;111m", "\x1b[38;5;215m", "\x1b[1;38;5;111m"
	default:
		t.Dim, t.Accent, t.Warn, t.Chosen = "\x1b[38;5;242m", "\x1b[38;5;25m", "\x1b[38;5;130m", "\x1b[1;38;5;25m"
	}
}

// Markdown is the theme of the agent's words that goes with this one.
func (t *Theme) Markdown() *md.Theme {
	if t.words != nil {
		return t.words
	}
	if t.md == nil {
		if t.Dark {
			t.md = md.Dark()
		} else {
			t.md = md.Light()
		}
	}
	return t.md
}

// ParseTheme reads the theme setting: whether it fixes the background and as dark, and the theme of the agent's words, nil
// if the background decides. The error names a theme that cannot be read.
func ParseTheme(name string) (fixed, dark bool, words *md.Theme, err error) {
	if name == "" || name == "auto" {
		return false, false, nil, nil
	}
	words, err = md.LoadTheme(name)
	switch name {
	case "dark", "parley-dark":
		return true, true, words, err
	case "light", "parley-light":
		return true, false, words, err
	}
	return false, false, words, err
}
