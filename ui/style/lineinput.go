package style

import (
	"strings"
	"unicode/utf8"
)

// LineInput is a one-line editor, such as the filter of a picker or the reason of a denial.
type LineInput struct {
	text []rune
	pos  int
}

// String returns the text.
func (l *LineInput) String() string { return string(l.text) }

// Set replaces the text and moves the cursor to its end.
func (l *LineInput) Set(s string) {
	l.text = []rune(Typed(s))
	l.pos = len(l.text)
}

// Insert inserts text at the cursor; line breaks become spaces.
func (l *LineInput) Insert(s string) {
	in := []rune(Typed(s))
	l.text = append(l.text[:l.pos:l.pos], append(in, l.text[l.pos:]...)...)
	l.pos += len(in)
}

// Key handles a key by its name, or by the text that it types, and reports whether the editor uses it. Keys with ctrl or alt
// have no text.
func (l *LineInput) Key(name, text string) bool {
	switch name {
	case "left", "ctrl+b":
		l.pos = max(0, l.pos-1)
	case "right", "ctrl+f":
		l.pos = min(len(l.text), l.pos+1)
	case "home", "ctrl+a":
		l.pos = 0
	case "end", "ctrl+e":
		l.pos = len(l.text)
	case "backspace":
		l.cut(l.pos-1, l.pos)
	case "delete":
		l.cut(l.pos, l.pos+1)
	case "ctrl+w", "alt+backspace":
		i := l.pos
		for i > 0 && l.text[i-1] == ' ' {
			i--
		}
		for i > 0 && l.text[i-1] != ' ' {
			i--
		}
		l.cut(i, l.pos)
	case "ctrl+u":
		l.cut(0, l.pos)
	case "ctrl+k":
		l.cut(l.pos, len(l.text))
	default:
		if text == "" {
			return false
		}
		l.Insert(text)
	}
	return true
}

func (l *LineInput) cut(from, to int) {
	from, to = max(from, 0), min(to, len(l.text))
	if from >= to {
		return
	}
	l.text = append(l.text[:from:from], l.text[to:]...)
	l.pos = from
}

// View returns the visible part of the text around the cursor, at most w columns, and the cursor's column.
func (l *LineInput) View(m Measure, w int) (string, int) {
	part := func(from, to int) string { return Visible(string(l.text[from:to])) }
	near := 8 * max(w, 1) // characters on either side, however long the text is: some take no column
	from, end := max(0, l.pos-near), min(len(l.text), l.pos+near)
	for from < l.pos && m.Width(part(from, l.pos)) >= w {
		from++
	}
	return m.Clip(part(from, end), w), m.Width(part(from, l.pos))
}

// Typed returns pasted text for a single line: like OneLine, without other control characters.
func Typed(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r >= 0x80 && r < 0xa0 || r == utf8.RuneError {
			return -1
		}
		return r
	}, OneLine(s))
}
