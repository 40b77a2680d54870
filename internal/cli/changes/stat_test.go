package changes

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"parley/internal/cli/output"
	"parley/session/changes"
	"parley/session/changes/patch"
)

func TestStatisticsKeepToTheirWidth(t *testing.T) {
	stats := []fileStat{
		{"main.go", changes.Open, patch.Counts{Added: 3, Removed: 1}},
		{"internal/a/rather/long/directory/日本語/of/files/main_test.go", changes.Accepted, patch.Counts{Added: 12_000, Removed: 1}},
		{"old name.txt => new name.txt", changes.Open, patch.Counts{}},
		{"gone.go", changes.Undone, patch.Counts{Removed: 400}},
		{"logo.png", changes.Open, patch.Counts{Binary: true}},
		{"large.csv", changes.Open, patch.Counts{Unkept: true}},
	}
	for _, width := range []int{40, 60, 80, 120, 240} {
		lines := statLines(stats, width)
		for _, line := range lines[:len(stats)] {
			if n := output.Measure.Width(line); n > max(width, 40) {
				t.Errorf("%d columns of %d: %q", n, width, line)
			}
		}
		if got, want := lines[len(stats)], " 5 files changed, 12,003 insertions(+), 2 deletions(-), 4 not accepted, 1 undone"; got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	lines := statLines(stats, 80)
	for i, want := range []string{"not accepted", "accepted", "not accepted", "undone", "not accepted", "not accepted"} {
		if !strings.Contains(lines[i], want) {
			t.Errorf("no %q in %q", want, lines[i])
		}
	}
	for i, want := range map[int]string{0: "+", 1: "+", 4: "Bin", 5: "?"} {
		if !strings.Contains(lines[i], want) {
			t.Errorf("no %q in %q", want, lines[i])
		}
	}
	if got := statLines(nil, 80); len(got) != 1 || got[0] != " 0 files changed" {
		t.Errorf("nothing: %q", got)
	}
}

func TestBars(t *testing.T) {
	for _, tc := range []struct{ n, most, bar, want int }{{0, 9, 9, 0}, {9, 9, 9, 9}, {1, 1000, 10, 1}, {1000, 1000, 10, 10}, {500, 1000, 10, 5}} {
		if got := scaled(tc.n, tc.most, tc.bar); got != tc.want {
			t.Errorf("%d of %d in %d columns: %d, want %d", tc.n, tc.most, tc.bar, got, tc.want)
		}
	}
}

// A terminal shows carriage returns only where they are what differs, and no line drives it.
func TestLinesOfPatches(t *testing.T) {
	for name, tc := range map[string]struct{ patch, want string }{
		"all have them":  {"@@ -1 +1 @@\n a\r\n-b\r\n+c\r\n", "@@ -1 +1 @@| a|-b|+c"},
		"one has gone":   {"@@ -1 +1 @@\n a\r\n-b\r\n+b\n", "@@ -1 +1 @@| a|-b␍|+b"},
		"only one line":  {"@@ -1,0 +1 @@\n+b\r\n", "@@ -1,0 +1 @@|+b"},
		"drives":         {"@@ -1 +1 @@\n-a\x1b[2J\n+\xff\u202e\n", "@@ -1 +1 @@|-a␛[2J|+<0xFF><U+202E>"},
		"looks like one": {"diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n--- a/y\n+++ b/y\n", "diff --git a/x b/x|--- a/x|+++ b/x|@@ -1 +1 @@|--- a/y|+++ b/y"},
	} {
		var plain []string
		for _, line := range patchLines(tc.patch) {
			plain = append(plain, ansi.Strip(line))
		}
		if got := strings.Join(plain, "|"); got != tc.want {
			t.Errorf("%s: %q, want %q", name, got, tc.want)
		}
	}
	styled := patchLines("diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n--- a/y\n+++ b/y\n")
	if styled[1] != output.Bold.Render("--- a/x") || styled[4] != removed.Render("--- a/y") || styled[5] != added.Render("+++ b/y") {
		t.Errorf("%q", styled)
	}
}
