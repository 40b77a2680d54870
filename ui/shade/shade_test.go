package shade

import (
	"image/color"
	"math"
	"math/rand/v2"
	"testing"

	"charm.land/lipgloss/v2"
)

// grounds are ten backgrounds of well-known themes, with their foregrounds.
var grounds = map[string][2]string{
	"Solarized dark": {"#002b36", "#839496"}, "Solarized light": {"#fdf6e3", "#657b83"}, "Gruvbox": {"#282828", "#ebdbb2"},
	"Dracula": {"#282a36", "#f8f8f2"}, "Nord": {"#2e3440", "#d8dee9"}, "One Light": {"#fafafa", "#383a42"},
	"GitHub dark": {"#0d1117", "#e6edf3"}, "GitHub light": {"#ffffff", "#1f2328"}, "black": {"#000000", "#c0c0c0"}, "white": {"#ffffff", "#000000"},
}

func ground(of [2]string) Ground {
	return Ground{Background: lipgloss.Color(of[0]), Foreground: lipgloss.Color(of[1])}
}

func TestEveryColorCanBeReadOnEverySurface(t *testing.T) {
	for name, of := range grounds {
		t.Run(name, func(t *testing.T) {
			p := Mix(ground(of))
			check := func(what string, c color.Color, least float64) {
				for i, s := range p.Surfaces() {
					if got := Contrast(c, s); got < least {
						t.Errorf("%s %s on surface %d %s: %.2f : 1, not %.1f", what, Hex(c), i, Hex(s), got, least)
					}
				}
			}
			for what, c := range map[string]color.Color{"accent": p.Accent, "warn": p.Warn, "bad": p.Bad, "good": p.Good} {
				check(what, c, Legible)
			}
			check("dim", p.Dim, Faint)
			for i, c := range p.Code.all() {
				least := Legible
				if i == 0 {
					least = Faint
				}
				check("code", *c, least)
			}
		})
	}
}

// TestSurfacesStayNearTheBackground bounds how much louder than the background a surface may be, and that it can be seen.
func TestSurfacesStayNearTheBackground(t *testing.T) {
	for name, of := range grounds {
		p := Mix(ground(of))
		for i, s := range p.Surfaces()[1:] {
			if got := Contrast(s, p.Background); got < 1.02 || got > 2.2 {
				t.Errorf("%s: surface %d %s on %s is %.2f : 1", name, i+1, Hex(s), Hex(p.Background), got)
			}
		}
	}
}

// TestMixKeepsItsPromiseEverywhere mixes palettes for random grounds, also such as no theme has.
func TestMixKeepsItsPromiseEverywhere(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		v := r.Uint32()
		g := Ground{Background: color.RGBA{uint8(v), uint8(v >> 8), uint8(v >> 16), 255}}
		p := Mix(g)
		var behind []float64
		for _, s := range p.Surfaces() {
			behind = append(behind, luminance(s))
		}
		ends := math.Max(worst(color.White, behind), worst(color.Black, behind))
		for _, c := range append(p.Code.all(), &p.Accent, &p.Warn, &p.Bad, &p.Good) {
			if got := worst(*c, behind); got < math.Min(Faint, ends)-0.01 {
				t.Fatalf("%s on %s: %.2f : 1", Hex(*c), Hex(p.Background), got)
			}
		}
		if again := Mix(g); again != p {
			t.Fatal("the same ground gives another palette")
		}
	}
}

func TestContrast(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		want float64
	}{{"#000000", "#ffffff", 21}, {"#ffffff", "#ffffff", 1}, {"#777777", "#ffffff", 4.48}, {"#0000ff", "#ffffff", 8.59}} {
		if got := Contrast(lipgloss.Color(tt.a), lipgloss.Color(tt.b)); math.Abs(got-tt.want) > 0.01 {
			t.Errorf("%s on %s: %.2f, not %.2f", tt.a, tt.b, got, tt.want)
		}
	}
	if Hex(lipgloss.Color("#1a2b3c")) != "#1a2b3c" {
		t.Error("a color is written wrong")
	}
}

func BenchmarkMix(b *testing.B) {
	g := ground(grounds["Nord"])
	b.ReportAllocs()
	for b.Loop() {
		Mix(g)
	}
}
