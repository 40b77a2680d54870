package shade

import (
	"image/color"

	"charm.land/lipgloss/v2"
)

// Few returns the palette of a terminal with sixteen colors, which are its own: by number, those that can be read on a dark or a light
// background in the palettes that terminals have. It has no surfaces; a color that is nil is the terminal's foreground.
func Few(dark bool) Palette {
	n := lipgloss.Color
	if dark {
		return Palette{Ground: Ground{Background: color.Black}, Accent: n("14"), Warn: n("11"), Bad: n("9"), Good: n("2"), Dim: n("7"),
			Code: Code{Comment: n("7"), Preproc: n("13"), Keyword: n("14"), Type: n("6"), Tag: n("14"), Attribute: n("6"), Constant: n("13"),
				Decorator: n("3"), Function: n("3"), Number: n("13"), String: n("2"), Escape: n("3")}}
	}
	// No green, yellow or cyan of sixteen can be read on white.
	return Palette{Ground: Ground{Background: color.White}, Accent: n("4"), Warn: n("1"), Bad: n("1"), Dim: n("8"),
		Code: Code{Comment: n("8"), Preproc: n("5"), Keyword: n("4"), Type: n("4"), Tag: n("4"), Attribute: n("5"), Constant: n("5"),
			Decorator: n("5"), Number: n("5"), String: n("1"), Escape: n("5")}}
}

// Plain returns the palette of a terminal without colors.
func Plain() Palette { return Palette{Ground: Ground{Background: color.Black}} }
