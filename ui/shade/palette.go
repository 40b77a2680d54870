package shade

import (
	"image/color"

	"charm.land/lipgloss/v2"
)

// Ground is what the terminal draws on and with where nothing else is asked for.
type Ground struct{ Background, Foreground color.Color }

// Dark reports whether the background is dark.
func (g Ground) Dark() bool {
	return Contrast(g.Background, color.White) >= Contrast(g.Background, color.Black)
}

// Palette is the colors of a screen. All are of eight bits a channel.
type Palette struct {
	Ground
	// Raised is the surface of prompts, code and what is chosen.
	Raised color.Color
	// Added and Removed are the surfaces of changed lines, AddedWord and RemovedWord of the words that changed in them.
	Added, Removed, AddedWord, RemovedWord color.Color

	Accent, Warn, Bad, Good color.Color
	// Dim is secondary text; it is less legible than the rest.
	Dim color.Color
	// Code holds the colors of code by role.
	Code Code
}

// Code is the colors of code.
type Code struct {
	Comment, Preproc, Keyword, Type, Tag, Attribute, Constant, Decorator, Function, Number, String, Escape color.Color
}

// How far a surface is from the background: one part in so many.
const (
	raised  = 20
	changed = 8
	word    = 4
)

// The hues that changes are mixed from.
var (
	green = lipgloss.Color("#2ea043")
	red   = lipgloss.Color("#f85149")
)

// hues are the colors before they are made legible.
type hues struct {
	accent, warn, bad, good, dim string
	code                         [12]string // in the order of Code
}

var (
	onDark = hues{"#87afff", "#ffaf5f", "#ff7b72", "#7ec699", "#8a8a8a", [12]string{
		"#8a8f98", "#d787af", "#7fb4ff", "#5fd7af", "#7fb4ff", "#87d7ff", "#b294f2", "#e0d58e", "#e6db8c", "#afd7af", "#dfb183", "#ffaf87"}}
	onLight = hues{"#005faf", "#9a5200", "#b3261e", "#1a7f37", "#6c6c6c", [12]string{
		"#6a737d", "#a626a4", "#005cc5", "#0f7b63", "#005cc5", "#005f87", "#7e3fb8", "#795e00", "#7a5200", "#197d2f", "#a04a00", "#b8520a"}}
)

// Mix makes the palette for a ground. A foreground that is missing is white or black, whichever can be read better.
func Mix(g Ground) Palette {
	g.Background = rounded(g.Background)
	dark := g.Dark()
	h, far := onLight, color.Color(color.Black)
	if dark {
		h, far = onDark, color.White
	}
	if g.Foreground == nil || Contrast(g.Foreground, g.Background) < Faint {
		g.Foreground = far
	}
	g.Foreground = rounded(g.Foreground)
	p := Palette{Ground: g}
	p.Raised = Part(g.Background, g.Foreground, raised)
	p.Added, p.Removed = Part(g.Background, green, changed), Part(g.Background, red, changed)
	p.AddedWord, p.RemovedWord = Part(g.Background, green, word), Part(g.Background, red, word)
	behind := p.Surfaces()
	of := func(hex string, least float64) color.Color {
		return rounded(readable(lipgloss.Color(hex), least, behind...))
	}
	p.Accent, p.Warn, p.Bad, p.Good = of(h.accent, Legible), of(h.warn, Legible), of(h.bad, Legible), of(h.good, Legible)
	p.Dim = of(h.dim, Faint)
	for i, c := range p.Code.all() {
		least := Legible
		if i == 0 { // comments are secondary
			least = Faint
		}
		*c = of(h.code[i], least)
	}
	return p
}

// Surfaces returns everything that text may stand on.
func (p *Palette) Surfaces() []color.Color {
	return []color.Color{p.Background, p.Raised, p.Added, p.Removed, p.AddedWord, p.RemovedWord}
}

// all returns the colors in the order of their fields.
func (c *Code) all() []*color.Color {
	return []*color.Color{&c.Comment, &c.Preproc, &c.Keyword, &c.Type, &c.Tag, &c.Attribute, &c.Constant, &c.Decorator, &c.Function,
		&c.Number, &c.String, &c.Escape}
}
