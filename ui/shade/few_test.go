package shade

import (
	"fmt"
	"image/color"
	"strings"
	"testing"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
)

// sixteen are the palettes that terminals have for the sixteen colors.
var sixteen = map[string]string{
	"xterm":              "#000000 #cd0000 #00cd00 #cdcd00 #0000ee #cd00cd #00cdcd #e5e5e5 #7f7f7f #ff0000 #00ff00 #ffff00 #5c5cff #ff00ff #00ffff #ffffff",
	"VGA":                "#000000 #aa0000 #00aa00 #aa5500 #0000aa #aa00aa #00aaaa #aaaaaa #555555 #ff5555 #55ff55 #ffff55 #5555ff #ff55ff #55ffff #ffffff",
	"Terminal.app Basic": "#000000 #990000 #00a600 #999900 #0000b2 #b200b2 #00a6b2 #bfbfbf #666666 #e50000 #00d900 #e5e500 #0000ff #e500e5 #00e5e5 #e5e5e5",
	"Windows Terminal":   "#0c0c0c #c50f1f #13a10e #c19c00 #0037da #881798 #3a96dd #cccccc #767676 #e74856 #16c60c #f9f1a5 #3b78ff #b4009e #61d6d6 #f2f2f2",
	"Solarized":          "#073642 #dc322f #859900 #b58900 #268bd2 #d33682 #2aa198 #eee8d5 #002b36 #cb4b16 #586e75 #657b83 #839496 #6c71c4 #93a1a1 #fdf6e3",
}

// TestSixteenColorsCanBeRead looks at every color of the palette of sixteen, on the backgrounds that terminals with them have.
func TestSixteenColorsCanBeRead(t *testing.T) {
	for _, on := range []struct {
		name, background string
		dark             bool
	}{
		{"xterm", "#000000", true}, {"xterm", "#ffffff", false}, {"VGA", "#000000", true}, {"VGA", "#ffffff", false},
		{"Terminal.app Basic", "#000000", true}, {"Terminal.app Basic", "#ffffff", false}, {"Windows Terminal", "#0c0c0c", true},
		{"Solarized", "#002b36", true}, {"Solarized", "#fdf6e3", false},
	} {
		p := Few(on.dark)
		if p.Raised != nil || p.Added != nil || p.Removed != nil || p.AddedWord != nil || p.RemovedWord != nil {
			t.Errorf("dark %v: there is a surface", on.dark)
		}
		all := map[string]color.Color{"accent": p.Accent, "warn": p.Warn, "bad": p.Bad, "good": p.Good, "dim": p.Dim}
		for i, c := range p.Code.all() {
			all[fmt.Sprintf("code %d", i)] = *c
		}
		for what, c := range all {
			if c == nil { // the terminal's foreground
				continue
			}
			n, basic := c.(ansi.BasicColor)
			if !basic {
				t.Fatalf("%s is %v, none of sixteen", what, c)
			}
			drawn := lipgloss.Color(strings.Fields(sixteen[on.name])[n])
			if got := Contrast(drawn, lipgloss.Color(on.background)); got < Faint {
				t.Errorf("%s on %s: %s is color %d: %.1f : 1", on.name, on.background, what, n, got)
			}
		}
	}
}
