package md

import (
	"sync"
	"unicode/utf8"
)

// asciiThemes caches the ASCII variants of themes.
var asciiThemes sync.Map

// ascii returns the theme with marks in ASCII: no box drawing, no bullets.
func (t *Theme) ascii() *Theme {
	if a, ok := asciiThemes.Load(t); ok {
		return a.(*Theme)
	}
	a := *t
	a.ticked, a.unticked = plainMark(t.ticked, "[x] "), plainMark(t.unticked, "[ ] ")
	a.item.prefix, a.enum.suffix = plainMark(t.item.prefix, "- "), plainMark(t.enum.suffix, ". ")
	a.quote.prefix, a.ruleGlyph = plainMark(t.quote.prefix, "> "), plainMark(t.ruleGlyph, "-")
	a.column, a.row, a.cross = plainMark(t.column, "|"), plainMark(t.row, "-"), plainMark(t.cross, "+")
	a.imageFormat, a.skipped = plainMark(t.imageFormat, "{{.text}}"), plainMark(t.skipped, "...")
	for _, b := range []*block{&a.emph, &a.strong, &a.struck, &a.code} {
		b.prefix, b.suffix = plainMark(b.prefix, ""), plainMark(b.suffix, "")
	}
	for i := range a.heading {
		a.heading[i].prefix, a.heading[i].suffix = plainMark(a.heading[i].prefix, "# "), plainMark(a.heading[i].suffix, "")
	}
	// Of two made at once the first is used, so that equal options stay equal.
	first, _ := asciiThemes.LoadOrStore(t, &a)
	return first.(*Theme)
}

// plainMark returns the mark if it is ASCII, and otherwise its replacement.
func plainMark(s, otherwise string) string {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return otherwise
		}
	}
	return s
}
