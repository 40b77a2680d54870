package ui

import "parley/ui/md"

// style is the sequence that opens a text style; empty for plain text. Openers are made once per theme, so that drawing a
// row is joining strings.
type style string

// of puts text into the style.
func (s style) of(text string) string {
	if s == "" || text == "" {
		return text
	}
	return string(s) + text + "\x1b[m"
}

// theme is the few styles the screen is made of: one accent, one warning colour, dim for what is secondary. Everything
// stays readable without colour: the gutter and the words carry the meaning.
type theme struct {
	dark, colour bool
	// few says that there are only sixteen colours, contrast that legibility comes before looks.
	few, contrast bool

	dim    style // secondary: hints, reasoning, folded rows
	bold   style
	accent style // what is yours or selected
	warn   style // what went wrong or wants care
	chosen style // the selected row or button
	// epoch grows whenever the look changes; layouts made under another epoch are stale.
	epoch uint64
	// words is the theme of the agent's words where one was chosen, md the one that fits otherwise, made when needed.
	words, md *md.Theme
}

// newTheme makes the theme for a terminal with a dark or light background, with or without colour. words is the theme of
// the agent's words; nil picks the one that fits.
func newTheme(dark, colour bool, words *md.Theme) theme {
	t := theme{dark: dark, colour: colour, bold: "\x1b[1m", words: words}
	t.mix()
	return t
}

// turned is the same theme for another background.
func (t theme) turned(dark bool) theme {
	t.dark, t.md, t.epoch = dark, nil, t.epoch+1
	t.mix()
	return t
}

// mix chooses the styles. With sixteen colours those are taken that the terminal's own palette keeps legible; where
// contrast matters nothing is dim, and what is chosen is inverted.
func (t *theme) mix() {
	dark := t.dark
	switch {
	case t.contrast && !t.colour:
		t.dim, t.accent, t.warn, t.chosen = "", "\x1b[1m", "\x1b[1;4m", "\x1b[1;7m"
	case t.contrast && dark:
		t.dim, t.accent, t.warn, t.chosen = "", "\x1b[1;96m", "\x1b[1;93m", "\x1b[1;7m"
	case t.contrast:
		t.dim, t.accent, t.warn, t.chosen = "", "\x1b[1;34m", "\x1b[1;31m", "\x1b[1;7m"
	case t.colour && t.few && dark:
		t.dim, t.accent, t.warn, t.chosen = "\x1b[37m", "\x1b[96m", "\x1b[93m", "\x1b[1;96m"
	case t.colour && t.few:
		t.dim, t.accent, t.warn, t.chosen = "\x1b[90m", "\x1b[34m", "\x1b[31m", "\x1b[1;34m"
	case !t.colour:
		t.dim, t.accent, t.warn, t.chosen = "\x1b[2m", "\x1b[1m", "\x1b[1m", "\x1b[7m"
	case dark:
		t.dim, t.accent, t.warn, t.chosen = "\x1b[38;5;245m", "\x1b[38;5;111m", "\x1b[38;5;215m", "\x1b[1;38;5;111m"
	default:
		t.dim, t.accent, t.warn, t.chosen = "\x1b[38;5;242m", "\x1b[38;5;25m", "\x1b[38;5;130m", "\x1b[1;38;5;25m"
	}
}

// markdown is the theme of the agent's words that goes with this one.
func (t *theme) markdown() *md.Theme {
	if t.words != nil {
		return t.words
	}
	if t.md == nil {
		if t.dark {
			t.md = md.Dark()
		} else {
			t.md = md.Light()
		}
	}
	return t.md
}

// themeOf reads the theme setting: whether it fixes the background and as dark, and the theme of the agent's words, nil if
// the background decides.
func themeOf(name string) (fixed, dark bool, words *md.Theme, err error) {
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
