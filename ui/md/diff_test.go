package md

import (
	"strings"
	"sync"
	"testing"
)

func TestDiff(t *testing.T) {
	for _, c := range []struct {
		name, patch, want string // rows joined by newlines
	}{
		{"empty", "", ""},
		{"no hunk", "just text\n", ""},
		{"numbers", "--- a\n+++ b\n@@ -9,2 +9,3 @@\n a\n-b\n+c\n+d\n", "" +
			" 9   a\n10 - b\n10 + c\n11 + d"},
		{"added file", "--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+a\n", " 1 + a"},
		{"no last newline", "--- a\n+++ b\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n", "" +
			" 1 - a\n     No newline at end of file\n 1 + b"},
		{"two hunks", "--- a\n+++ b\n@@ -1 +1 @@\n a\n@@ -7 +7 @@\n b\n", " 1   a\n⋯\n 7   b"},
		{"two files", "--- a/x\n+++ b/x\n@@ -1 +1 @@\n a\n--- a/y\n+++ b/y\n@@ -1 +1 @@\n b\n", "" +
			"x\n 1   a\ny\n 1   b"},
		{"lines like headers", "--- a\n+++ b\n@@ -1,2 +1,2 @@\n--- x\n+++ y\n z\n", " 1 - -- x\n 1 + ++ y\n 2   z"},
		{"controls", "--- a\n+++ b\n@@ -1 +1 @@\n-\x1b[2J\r\n+\u202ex\n", " 1 - ␛[2J\n 1 + <U+202E>x"},
		{"empty context line", "--- a\n+++ b\n@@ -1,2 +1,2 @@\n\n x\n", " 1\n 2   x"},
		{"tab", "--- a\n+++ b\n@@ -1 +1 @@\n \tx\n", " 1       x"},
	} {
		got := strings.Join(Diff(c.patch, DiffOptions{Options: Options{Width: 60, Plain: true}}), "\n")
		if got != c.want {
			t.Errorf("%s:\n got %q\nwant %q", c.name, got, c.want)
		}
	}
}

// fileRows lays out a Go file.
func fileRows(text string, o Options) []string {
	rows, _ := File(text, "x.go", o)
	return rows
}

func TestFile(t *testing.T) {
	o := Options{Width: 10, Plain: true}
	for in, want := range map[string]string{
		"":                     "",
		"\n":                   "",
		"a\n":                  "a",
		"a\n\nb":               "a||b",
		"\tx":                  "    x",
		"0123456789abc\n":      "0123456789|abc",
		"漢漢漢漢漢漢":               "漢漢漢漢漢|漢",
		"\x1b[0m\x00":          "␛[0m␀",
		"trailing  \nspaces  ": "trailing|spaces",
	} {
		if got := strings.Join(fileRows(in, o), "|"); got != want {
			t.Errorf("File(%q) = %q, want %q", in, got, want)
		}
	}
}

// A theme, and everything that is built once, is shared by documents of several owners.
func TestDocumentsOfSeveralOwners(t *testing.T) {
	doc := corpus(t)["code.md"]
	want := Render(doc, Options{Width: 60, Theme: Light()})
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			if diff := difference(Render(doc, Options{Width: 60, Theme: Light()}), want); diff != "" {
				t.Error(diff)
			}
		})
	}
	wg.Wait()
}
