package textarea

import "strings"

// draw returns a row as it is drawn.
func (l *layout) draw(d *document, r rowPos, marked *stretch) string {
	from, to := l.span(d, r)
	text := d.lines[r.line].text[from:to]
	if isPlain(text) && marked == nil {
		return text
	}
	var b strings.Builder
	for text != "" {
		n := next(text)
		cluster := text[:n]
		v, _ := l.show(cluster)
		switch {
		case marked.has(pos{r.line, to - len(text)}):
			v = style(l.looks.Selected, v)
		case cluster[0] == chipMark:
			v = style(l.looks.Chip, v)
		case v != cluster && cluster != "\t":
			v = style(l.looks.Hidden, v)
		}
		b.WriteString(v)
		text = text[n:]
	}
	return b.String()
}

func isPlain(s string) bool {
	for i := range len(s) {
		if s[i] < 0x20 || s[i] > 0x7e {
			return false
		}
	}
	return true
}

func style(f func(string) string, s string) string {
	if f == nil {
		return s
	}
	return f(s)
}

// hint returns the placeholder, cut to the width.
func (l *layout) hint() string {
	text, column, at := l.looks.Hint, 0, 0
	for at < len(text) {
		n := next(text[at:])
		_, w := l.show(text[at : at+n])
		if column+w > l.width {
			break
		}
		at, column = at+n, column+w
	}
	return style(l.looks.Placeholder, text[:at])
}
