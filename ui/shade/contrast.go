package shade

import (
	"image/color"
	"math"

	"charm.land/lipgloss/v2"
)

// The least contrast of text with what is behind it.
const (
	Legible = 4.5
	Faint   = 3.0 // of what is secondary
)

// Contrast returns the contrast ratio of two colors, from 1 to 21, as WCAG 2.2 defines it.
func Contrast(a, b color.Color) float64 {
	return ratio(luminance(a), luminance(b))
}

// ratio returns the contrast of two luminances.
func ratio(a, b float64) float64 { return (max(a, b) + 0.05) / (min(a, b) + 0.05) }

// luminance is the relative luminance of a color, from 0 to 1.
func luminance(c color.Color) float64 {
	r, g, b, _ := c.RGBA()
	return 0.2126*linear(r) + 0.7152*linear(g) + 0.0722*linear(b)
}

// linear undoes the gamma of sRGB.
func linear(v uint32) float64 {
	x := float64(v) / 0xffff
	if x <= 0.04045 {
		return x / 12.92
	}
	return math.Pow((x+0.055)/1.055, 2.4)
}

// Part returns c moved one nth of the way to another color; n is at least 2.
func Part(c, other color.Color, n int) color.Color {
	return rounded(lipgloss.Blend1D(n+1, c, other)[1])
}

// halvings is the number of times that the way to an end is halved in search of the first color that can be read.
const halvings = 7

// readable returns c itself, or c moved to white or black until its contrast with every surface is at least least, the
// shorter way of the two. Where neither is enough it returns the better end.
func readable(c color.Color, least float64, surfaces ...color.Color) color.Color {
	behind := make([]float64, len(surfaces))
	for i, s := range surfaces {
		behind[i] = luminance(s)
	}
	if worst(c, behind) >= least {
		return c
	}
	light, up := toward(c, color.White, least, behind)
	dark, down := toward(c, color.Black, least, behind)
	switch {
	case up > 1 && down > 1:
		if worst(color.White, behind) > worst(color.Black, behind) {
			return color.White
		}
		return color.Black
	case up <= down:
		return light
	}
	return dark
}

// toward returns the first color on the way from c to an end that can be read, and how far along it is; beyond 1 if none is.
func toward(c, end color.Color, least float64, behind []float64) (color.Color, float64) {
	if worst(end, behind) < least {
		return end, 2
	}
	low, high, at, step := c, end, 1.0, 0.5
	for range halvings {
		middle := Part(low, high, 2)
		if worst(middle, behind) >= least {
			high, at = middle, at-step
		} else {
			low = middle
		}
		step /= 2
	}
	return rounded(high), at
}

// worst returns the least contrast of a color with what has these luminances.
func worst(c color.Color, behind []float64) float64 {
	l, least := luminance(c), 21.0
	for _, b := range behind {
		least = min(least, ratio(l, b))
	}
	return least
}

// rounded returns a color in eight bits a channel, as terminals take it.
func rounded(c color.Color) color.Color {
	r, g, b, _ := c.RGBA()
	return color.RGBA{R: uint8(r >> 8), G: uint8(g >> 8), B: uint8(b >> 8), A: 0xff}
}

// Hex writes a color as styles do: "#1a2b3c".
func Hex(c color.Color) string {
	r, g, b, _ := c.RGBA()
	const digits = "0123456789abcdef"
	out := []byte("#000000")
	for i, v := range []uint32{r >> 8, g >> 8, b >> 8} {
		out[1+2*i], out[2+2*i] = digits[v>>4], digits[v&15]
	}
	return string(out)
}
