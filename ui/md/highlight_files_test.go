package md

import (
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"parley/ui/md/highlight"
)

func TestFilesGetTheColorsOfTheirBeginningFirst(t *testing.T) {
	h := highlight.New(time.Now)
	o := Options{Highlighter: h}
	src := strings.Repeat("return nil\n", 500)
	File(src, "x.go", o)
	patch := "@@ -0,0 +1,500 @@\n" + strings.ReplaceAll("+"+strings.TrimSuffix(src, "\n"), "\n", "\n+")
	Diff(patch, DiffOptions{Options: o, Path: "y.go"})
	job, _ := h.Next()
	for i, code := range job.Parts() {
		if lines := strings.Count(code, "\n"); (i < 2) != (lines == headLines) {
			t.Errorf("part %d has %d lines", i, lines)
		}
	}
	h.Take(job.RunWithin(time.Minute))
	lit := 0
	for _, row := range fileRows(src, o) {
		if strings.Contains(row, "\x1b") {
			lit++
		}
	}
	if lit < headLines {
		t.Errorf("%d rows have colors", lit)
	}
}

func TestAFoldedChangeIsLexedAsFarAsItIsShown(t *testing.T) {
	h := highlight.New(time.Now)
	patch := "@@ -1,900 +1,900 @@\n" + strings.Repeat(" return nil\n", 900) + "@@ -2000 +2000 @@\n-a\n+b\n"
	Diff(patch, DiffOptions{Options: Options{Highlighter: h}, Path: "y.go", Shown: 16})
	job, _ := h.Next()
	size := 0
	for _, code := range job.Parts() {
		size += len(code)
	}
	if size == 0 || size > 2*16*len("return nil\n") {
		t.Errorf("%d bytes are lexed", size)
	}
}

func TestFilesAsToolsReturnThem(t *testing.T) {
	o := Options{Width: 20, Highlighter: highlight.AtOnce()}
	for text, want := range map[string]string{
		" 1→return 1\n10→x\n": " 1→return 1|10→x",
		"1\treturn 1\n2\tx\n": "1   return 1|2   x",
		"return 1\nreturn 2":  "return 1|return 2",
		"1\treturn 1 // as wide as it gets\n(lines 1 to 1 of 9)": "1   return 1 // as w|ide as it gets|(lines 1 to 1 of 9)",
	} {
		rows, ok := File(text, "a/x.go", o)
		for i := range rows {
			rows[i] = strings.TrimRight(rows[i], " ")
		}
		if bare := ansi.Strip(strings.Join(rows, "|")); !ok || bare != want {
			t.Errorf("%q: %q, want %q", text, bare, want)
		}
		if !strings.Contains(rows[0], "\x1b[38;5;75mreturn") {
			t.Errorf("%q has no colors: %q", text, rows)
		}
	}
	if _, ok := File("return", "notes.txt", o); ok {
		t.Error("plain text has a language")
	}
}
