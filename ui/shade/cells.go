package shade

import (
	"image/color"

	"charm.land/lipgloss/v2"
)

// surfaces256 are the cells of the 256 colors that are surfaces, in the order of the fields of [Palette]. The darkest green is louder than
// code: only what changed in a line has it, and a changed line is a grey, with its number and sign in color.
var surfaces256 = map[bool][5]uint8{true: {236, 237, 238, 22, 52}, false: {254, 194, 224, 157, 217}}

// Cells makes the palette for a ground in the cells of the 256 colors whose values every terminal has, from 16 on. The contrast is that
// of [Mix] on the background and what is raised; on changed lines and words, which are louder, it is at least 3 : 1.
func Cells(g Ground) Palette {
	p := Mix(g)
	dark := p.Dark()
	s := surfaces256[dark]
	p.Raised, p.Added, p.Removed, p.AddedWord, p.RemovedWord = cell(s[0]), cell(s[1]), cell(s[2]), cell(s[3]), cell(s[4])
	if Contrast(p.Raised, p.Background) < leastRaised { // the background is that grey
		p.Raised = cell(s[0] + 2)
		if !dark {
			p.Raised = cell(s[0] - 3)
		} else {
			p.Added, p.Removed = cell(s[1]+2), cell(s[2]+2)
		}
	}
	h := onLight
	if dark {
		h = onDark
	}
	calm, loud := []color.Color{p.Background, p.Raised}, []color.Color{p.Added, p.Removed, p.AddedWord, p.RemovedWord}
	p.Accent, p.Warn = nearest(anyCell, h.accent, Legible, calm, nil), nearest(anyCell, h.warn, Legible, calm, nil)
	p.Bad, p.Good = nearest(anyCell, h.bad, Legible, calm, loud[:2]), nearest(anyCell, h.good, Legible, calm, loud[:2])
	p.Dim = nearest(anyGrey, h.dim, Faint, calm, loud[:2]) // the nearest of all cells is green
	for i, c := range p.Code.all() {
		least, from := Legible, anyCell
		if i == 0 { // comments are secondary
			least, from = Faint, anyGrey // the nearest of all cells is teal
		}
		*c = nearest(from, h.code[i], least, calm, loud)
	}
	return p
}

// leastRaised is the least contrast of the raised surface with the background, so that it can be seen.
const leastRaised = 1.04

// The first cells whose values every terminal has: those of the cube, and the greys.
const (
	anyCell = 16
	anyGrey = 232
)

// nearest returns the cell, from a number on, that is nearest to a color and has at least a contrast with what is calm, and [Faint]
// with what is loud. Where none has, it returns the one that is best to read.
func nearest(from int, hex string, least float64, calm, loud []color.Color) color.Color {
	want := lipgloss.Color(hex)
	var best, fallback color.Color
	distance, contrast := 0, 0.0
	for n := from; n < 256; n++ {
		c := cell(uint8(n))
		behind := min(worst(c, luminances(calm))/least, worst(c, luminances(loud))/Faint)
		if behind > contrast {
			fallback, contrast = c, behind
		}
		if d := apart(c, want); behind >= 1 && (best == nil || d < distance) {
			best, distance = c, d
		}
	}
	if best == nil {
		return fallback
	}
	return best
}

// luminances returns the luminance of each color.
func luminances(of []color.Color) []float64 {
	all := make([]float64, len(of))
	for i, c := range of {
		all[i] = luminance(c)
	}
	return all
}

// apart returns how far two colors are from each other, as the eye weighs the channels.
func apart(a, b color.Color) int {
	r, g, bl, _ := a.RGBA()
	r2, g2, b2, _ := b.RGBA()
	square := func(x, y uint32) int { d := int(x>>8) - int(y>>8); return d * d }
	return 3*square(r, r2) + 4*square(g, g2) + 2*square(bl, b2)
}

// cell returns a color of the cube or the greys of the 256 colors; n is at least 16.
func cell(n uint8) color.Color {
	if n >= 232 {
		v := 8 + 10*(n-232)
		return color.RGBA{v, v, v, 0xff}
	}
	level := func(i uint8) uint8 {
		if i == 0 {
			return 0
		}
		return 55 + 40*i
	}
	n -= 16
	return color.RGBA{level(n / 36), level(n / 6 % 6), level(n % 6), 0xff}
}
