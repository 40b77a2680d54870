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
	a.list.ticked, a.list.unticked = plainMark(t.list.ticked, "[x] "), plainMark(t.list.unticked, "[ ] ")
	a.list.item.prefix, a.list.enum.suffix = plainMark(t.list.item.prefix, "- "), plainMark(t.list.enum.suffix, ". ")
	a.quote.prefix, a.ruleGlyph = plainMark(t.quote.prefix, "> "), plainMark(t.ruleGlyph, "-")
	a.table.column, a.table.row, a.table.cross = plainMark(t.table.column, "|"), plainMark(t.table.row, "-"), plainMark(t.table.cross, "+")
	a.imageFormat, a.source.skipped = plainMark(t.imageFormat, "{{.text}}"), plainMark(t.source.skipped, "...")
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
