package style

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"charm.land/lipgloss/v2"

	"parley/ui/md"
	"parley/ui/md/highlight"
)

// drawn is all that a theme draws with: its styles, and markdown, code and a change in its colors.
func drawn(th Theme) string {
	var b strings.Builder
	o := th.Overlays()
	for _, s := range []Style{th.Dim, th.Bold, th.Accent, th.Warn, th.Chosen, th.Bad, th.Good, th.Quiet, th.Raised, o.Selected, o.Found, o.Current} {
		b.WriteString(s.Of("x"))
	}
	options := md.Options{Width: 60, Theme: th.Markdown(), Highlighter: highlight.AtOnce()}
	const code = "// Package x is one.\npackage x\n\nimport \"fmt\"\n\ntype T struct{ A int `json:\"a\"` }\n\nfunc (t T) f() bool { fmt.Print(\"a\\n\", 1, nil); return true }\n"
	const text = "# One\n## Two\n#### Four\n> quoted\n\n~~struck~~ *emph* **strong** `code` [link](http://a.b) ![image](c.png)\n\n---\n\n- [x] done\n" +
		"\n| a | b |\n| --- | --- |\n| 1 | 2 |\n\n<b>html</b>\n\n> [!NOTE]\n> n\n\n> [!TIP]\n> t\n\n> [!IMPORTANT]\n> i\n\n> [!WARNING]\n> w\n\n> [!CAUTION]\n> c\n"
	rows := md.Render(text+"\n```go\n"+code+"```\n\n```python\n@dec\ndef f(x: int) -> str:\n    return f'{x}\\n'\n```\n", options)
	file, _ := md.File(code, "x.go", options)
	rows = append(rows, file...)
	rows = append(rows, md.Diff("@@ -1,2 +1,2 @@\n package x\n-the old word of a line\n+the new word of a line\n", md.DiffOptions{Options: options, Path: "x.go"})...)
	return b.String() + strings.Join(rows, "\n")
}

// parameters returns each parameter of the sequences in drawn rows that set a style.
func parameters(rows string) map[string]bool {
	all := map[string]bool{}
	for _, sequence := range regexp.MustCompile("\x1b\\[([0-9;:]*)m").FindAllStringSubmatch(rows, -1) {
		for one := range strings.SplitSeq(sequence[1], ";") {
			all[one] = true
		}
	}
	return all
}

// Of sixteen colors, which are the terminal's own, only those are used that [shade.Few] chose for the background, and there are no
// surfaces. Without color there are only attributes.
func TestFewColorsCanBeRead(t *testing.T) {
	chosen := map[bool][]string{true: {"37", "32", "33", "36", "91", "93", "95", "96"}, false: {"31", "34", "35", "90"}}
	for _, dark := range []bool{true, false} {
		for _, colour := range []bool{true, false} {
			for _, contrast := range []bool{true, false} {
				background, name := "#ffffff", "auto"
				if dark {
					background = "#000000"
				}
				if contrast {
					name = "high-contrast"
				}
				_, _, words, err := ParseTheme(name)
				if err != nil {
					t.Fatal(err)
				}
				th := Theme{Dark: dark, Colour: colour, Few: true, Contrast: contrast, words: words}.On(lipgloss.Color(background))
				for one := range parameters(drawn(th)) {
					if contrast && one == "91" { // can be read on both; ui/paint drops it where there is no color
						continue
					}
					n, _ := strconv.Atoi(one)
					if n > 9 && (!colour || !slices.Contains(chosen[dark], one)) {
						t.Errorf("dark %v, color %v, contrast %v: %s is used", dark, colour, contrast, one)
					}
				}
			}
		}
	}
}

// A theme with surfaces for changed lines has none of sixteen colors, of which the nearest may be that of the text.
func TestNamedThemesOfFewColorsChangeLegibly(t *testing.T) {
	for _, name := range []string{"dark", "light", "dracula", "tokyo-night"} {
		fixed, dark, words, err := ParseTheme(name)
		if err != nil {
			t.Fatal(err)
		}
		for few, want := range map[bool]bool{true: false, false: true} {
			th := Theme{Dark: dark || !fixed, Colour: true, Few: few, words: words}
			rows := strings.Join(md.Diff("@@ -1 +1 @@\n-the old word // c\n+the new word // c\n", md.DiffOptions{Path: "x.go",
				Options: md.Options{Width: 60, Theme: th.Markdown(), Highlighter: highlight.AtOnce()}}), "\n")
			if surfaces := regexp.MustCompile("\x1b\\[(?:[0-9;]*;)?(?:48;|4[0-7]|10[0-7])").MatchString(rows); surfaces != want {
				t.Errorf("%s, few %v: surfaces %v in %q", name, few, surfaces, rows)
			}
			allowed := map[bool][]string{true: {"32", "91"}, false: {"31", "38", "234"}}[th.Dark] // 234 is nearly black, the text of "light"
			for one := range parameters(rows) {
				if n, _ := strconv.Atoi(one); few && n > 9 && !slices.Contains(allowed, one) {
					t.Errorf("%s: %s is used", name, one)
				}
			}
		}
	}
}

// What changed in a line is marked where lines have no surface.
func TestChangedWordsWithoutSurfaces(t *testing.T) {
	for name, th := range map[string]Theme{"16 colors": {Dark: true, Colour: true, Few: true}, "none": {Dark: true}} {
		rows := strings.Join(md.Diff("@@ -1,1 +1,1 @@\n-the old word of a line\n+the new word of a line\n", md.DiffOptions{Options: md.Options{Width: 60, Theme: th.Markdown()}}), "\n")
		if parts := parameters(rows); !parts["4"] {
			t.Errorf("%s: no word is underlined: %q", name, rows)
		}
	}
}

// In 256 colors added and removed lines are told apart by their surface, whether or not the background is known.
func TestChangesInCells(t *testing.T) {
	for _, dark := range []bool{true, false} {
		th := Theme{Dark: dark, Colour: true, Cells: true}
		want := []string{"48;2;58;58;58", "48;2;68;68;68", "48;2;0;95;0", "48;2;95;0;0"}
		if !dark {
			want = []string{"48;2;215;255;215", "48;2;255;215;215", "48;2;175;255;175", "48;2;255;175;175"}
		}
		known := th.On(lipgloss.Color(map[bool]string{true: "#1e1e1e", false: "#fafafa"}[dark]))
		for name, th := range map[string]Theme{"unknown": th, "known": known} {
			rows := md.Diff("@@ -1,1 +1,1 @@\n-the old word of a line\n+the new word of a line\n", md.DiffOptions{Options: md.Options{Width: 60, Theme: th.Markdown()}})
			all := strings.Join(rows, "\n")
			for _, w := range want {
				if !strings.Contains(all, w) {
					t.Errorf("dark %v, %s: no surface %s in %q", dark, name, w, all)
				}
			}
		}
	}
}
