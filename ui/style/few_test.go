package style

import (
	"strings"
	"testing"

	"charm.land/lipgloss/v2"

	"parley/ui/md"
)

// Of sixteen colors, which are the terminal's own, none is used that its background usually hides, and there are no surfaces. Without
// color there are only attributes.
func TestFewColorsCanBeRead(t *testing.T) {
	hidden := map[bool][]string{true: {"30", "34", "90"}, false: {"37", "97", "93", "92", "96", "95"}}
	for _, dark := range []bool{true, false} {
		for _, colour := range []bool{true, false} {
			th := Theme{Dark: dark, Colour: colour, Few: true}
			background := "#ffffff"
			if dark {
				background = "#000000"
			}
			th = th.On(lipgloss.Color(background))
			for name, s := range map[string]Style{"dim": th.Dim, "bold": th.Bold, "accent": th.Accent, "warn": th.Warn, "chosen": th.Chosen, "bad": th.Bad,
				"good": th.Good, "quiet": th.Quiet, "raised": th.Raised} {
				for code := range strings.SplitSeq(strings.Trim(string(s), "\x1b[m"), ";") {
					for _, h := range hidden[dark] {
						if code == h {
							t.Errorf("dark %v: %s is %q", dark, name, s)
						}
					}
					if len(code) > 1 && (!colour || code[0] == '4' || code[:2] == "10") {
						t.Errorf("dark %v, color %v: %s is %q", dark, colour, name, s)
					}
				}
			}
		}
	}
}

// In 256 colors added and removed lines are told apart by their surface, whether or not the background is known.
func TestChangesInCells(t *testing.T) {
	for _, dark := range []bool{true, false} {
		th := Theme{Dark: dark, Colour: true, Cells: true}
		want := []string{"48;2;0;95;0", "48;2;95;0;0", "48;2;0;135;0", "48;2;135;0;0"}
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
