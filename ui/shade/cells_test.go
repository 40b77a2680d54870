package shade

import (
	"image/color"
	"testing"

	"github.com/charmbracelet/x/ansi"
)

// Every color is a cell that the terminal draws as it is, the surfaces differ, and text can be read on them.
func TestCellsCanBeReadAndTold(t *testing.T) {
	for name, of := range grounds {
		t.Run(name, func(t *testing.T) {
			p := Cells(ground(of))
			calm := []color.Color{p.Background, p.Raised}
			lines := []color.Color{p.Added, p.Removed}
			words := []color.Color{p.AddedWord, p.RemovedWord}
			check := func(what string, c color.Color, least float64, on []color.Color) {
				for _, s := range on {
					if got := Contrast(c, s); got < least {
						t.Errorf("%s %s on %s: %.2f : 1, not %.1f", what, Hex(c), Hex(s), got, least)
					}
				}
			}
			for what, c := range map[string]color.Color{"accent": p.Accent, "warn": p.Warn, "bad": p.Bad, "good": p.Good} {
				check(what, c, Legible, calm)
			}
			check("bad", p.Bad, Faint, lines)
			check("good", p.Good, Faint, lines)
			check("dim", p.Dim, Faint, append(calm, lines...))
			for what, c := range map[string]color.Color{"dim": p.Dim, "a comment": p.Code.Comment} {
				if r, g, b, _ := c.RGBA(); r != g || g != b {
					t.Errorf("%s is %s and no grey", what, Hex(c))
				}
			}
			all := []color.Color{p.Accent, p.Warn, p.Bad, p.Good, p.Dim, p.Raised, p.Added, p.Removed, p.AddedWord, p.RemovedWord}
			for i, c := range p.Code.all() {
				least := Legible
				if i == 0 {
					least = Faint
				}
				check("code", *c, least, calm)
				check("code", *c, Faint, append(lines, words...))
				all = append(all, *c)
			}
			for _, c := range all {
				if n := ansi.Convert256(c); Hex(cell(uint8(n))) != Hex(c) {
					t.Errorf("%s is drawn as cell %d, %s", Hex(c), n, Hex(cell(uint8(n))))
				}
			}
			seen := map[string]bool{Hex(p.Background): true}
			for _, s := range p.Surfaces()[1:] {
				if seen[Hex(s)] {
					t.Errorf("two surfaces are %s", Hex(s))
				}
				seen[Hex(s)] = true
			}
		})
	}
	if got := Cells(ground(grounds["black"])); Hex(got.Removed) != "#444444" || Hex(got.Added) != "#3a3a3a" || Hex(got.RemovedWord) != "#5f0000" || Hex(got.AddedWord) != "#005f00" {
		t.Errorf("%v", got)
	}
}
