package style

import "testing"

func TestThemeFitsTheTerminal(t *testing.T) {
	type styles struct{ dim, accent, warn, chosen Style }
	for name, c := range map[string]struct {
		theme Theme
		want  styles
	}{
		"dark":               {Theme{Dark: true, Colour: true}, styles{"\x1b[38;5;245m", "\x1b[38;5;111m", "\x1b[38;5;215m", "\x1b[1;38;5;111m"}},
		"light":              {Theme{Colour: true}, styles{"\x1b[38;5;242m", "\x1b[38;5;25m", "\x1b[38;5;130m", "\x1b[1;38;5;25m"}},
		"dark, 16 colors":    {Theme{Dark: true, Colour: true, Few: true}, styles{"\x1b[37m", "\x1b[96m", "\x1b[93m", "\x1b[1;96m"}},
		"light, 16 colors":   {Theme{Colour: true, Few: true}, styles{"\x1b[90m", "\x1b[34m", "\x1b[31m", "\x1b[1;34m"}},
		"no color":           {Theme{Dark: true}, styles{"\x1b[2m", "\x1b[1m", "\x1b[1m", "\x1b[7m"}},
		"contrast, dark":     {Theme{Dark: true, Colour: true, Contrast: true}, styles{"", "\x1b[1;96m", "\x1b[1;93m", "\x1b[1;7m"}},
		"contrast, light":    {Theme{Colour: true, Contrast: true}, styles{"", "\x1b[1;34m", "\x1b[1;31m", "\x1b[1;7m"}},
		"contrast, no color": {Theme{Contrast: true}, styles{"", "\x1b[1m", "\x1b[1;4;4m", "\x1b[1;7m"}}, // lipgloss underlines twice
	} {
		c.theme.Mix()
		if got := (styles{c.theme.Dim, c.theme.Accent, c.theme.Warn, c.theme.Chosen}); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// TestOurThemesByName leaves the agent's words of our own themes to what the terminal can show, as without a name.
func TestOurThemesByName(t *testing.T) {
	for name, want := range map[string]struct{ fixed, dark, words bool }{
		"auto": {}, "parley-dark": {true, true, false}, "parley-light": {true, false, false}, "dark": {true, true, true}, "light": {true, false, true}, "dracula": {false, false, true},
	} {
		fixed, dark, words, err := ParseTheme(name)
		if err != nil || fixed != want.fixed || dark != want.dark || (words != nil) != want.words {
			t.Errorf("%s: %v %v %v %v", name, fixed, dark, words != nil, err)
		}
	}
	if _, _, _, err := ParseTheme("no such theme"); err == nil {
		t.Error("an unknown theme")
	}
}
