package md

import (
	"image/color"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
)

// attr is a set of SGR attributes.
type attr uint8

const (
	bold attr = 1 << iota
	faint
	italic
	underline
	blink
	inverse
	conceal
	strike
)

// ink is the style in which text is drawn. A nil color is the terminal's own. The colors are those of lipgloss, which are comparable.
type ink struct {
	fg, bg color.Color
	on     attr
}

// look is the ink of text and what it links to.
type look struct {
	ink
	link uint32 // the number of the address; 0 is none
}

// overlay is the change that an element of a style makes in the look of what contains it.
type overlay struct {
	fg, bg   color.Color
	set, off attr
}

func (l look) with(o overlay) look {
	if o.fg != nil {
		l.fg = o.fg
	}
	if o.bg != nil {
		l.bg = o.bg
	}
	l.on = l.on&^o.off | o.set
	return l
}

// then returns the overlay that applies p after o.
func (o overlay) then(p overlay) overlay {
	if p.fg != nil {
		o.fg = p.fg
	}
	if p.bg != nil {
		o.bg = p.bg
	}
	o.set = o.set&^p.off | p.set
	o.off = o.off&^p.set | p.off
	return o
}

// reset ends every look. The package writes no SGR sequences but this one and those of opener.
const reset = ansi.ResetStyle

// opener returns the sequence that opens the ink after a reset, "" for plain text.
func (k ink) opener() string {
	if k == (ink{}) {
		return ""
	}
	var s ansi.Style
	for _, a := range []struct {
		bit attr
		set func(ansi.Style) ansi.Style
	}{
		{bold, ansi.Style.Bold}, {faint, ansi.Style.Faint},
		{italic, func(s ansi.Style) ansi.Style { return s.Italic(true) }},
		{underline, func(s ansi.Style) ansi.Style { return s.Underline(true) }},
		{blink, func(s ansi.Style) ansi.Style { return s.Blink(true) }},
		{inverse, func(s ansi.Style) ansi.Style { return s.Reverse(true) }},
		{conceal, func(s ansi.Style) ansi.Style { return s.Conceal(true) }},
		{strike, func(s ansi.Style) ansi.Style { return s.Strikethrough(true) }},
	} {
		if k.on&a.bit != 0 {
			s = a.set(s)
		}
	}
	if k.fg != nil {
		s = s.ForegroundColor(k.fg)
	}
	if k.bg != nil {
		s = s.BackgroundColor(k.bg)
	}
	return s.String()
}

// parseColor parses a color as glamour does: a number of the palette, or hexadecimal digits behind #. Anything else is
// nil.
func parseColor(s string) color.Color {
	c := lipgloss.Color(s)
	if c == (lipgloss.NoColor{}) {
		return nil
	}
	return c
}
