// Package shade mixes the colors of the screen from those of the terminal.
//
// In comes a [Ground]: the terminal's own background and foreground. Out goes a [Palette]: surfaces a little off the background,
// and colors of text that can be read on every one of them.
//
// The contrast of a color that the palette chooses, on the background and on every surface, is at least 4.5 : 1, of a dim
// one 3 : 1, as WCAG 2.2 counts it, wherever the background allows that at all. Blending is lipgloss's.
//
// Everything is pure. The package knows no style, no terminal and no other room.
package shade
