package textarea

import "strings"

// pos is a place in the text: a line and an offset in bytes, between two clusters.
type pos struct{ line, off int }

func (p pos) less(q pos) bool { return p.line < q.line || p.line == q.line && p.off < q.off }

// line is a line of the text with its layout, if it was laid out.
type line struct {
	text string
	rows []int // where its rows begin
	key  wrapKey
}

// lines are the text, at least one line. The methods look and change nothing.
type lines []line

// end returns the place behind the last character.
func (ls lines) end() pos { return ls.lineEnd(len(ls) - 1) }

// lineEnd returns the place behind the last character of a line.
func (ls lines) lineEnd(line int) pos { return pos{line, len(ls[line].text)} }

// all returns the whole text.
func (ls lines) all() string { return ls.text(pos{}, ls.end()) }

// text returns what is between two places.
func (ls lines) text(from, to pos) string {
	if from.line == to.line {
		return ls[from.line].text[from.off:to.off]
	}
	var b strings.Builder
	b.WriteString(ls[from.line].text[from.off:])
	for i := from.line + 1; i < to.line; i++ {
		b.WriteByte('\n')
		b.WriteString(ls[i].text)
	}
	b.WriteByte('\n')
	b.WriteString(ls[to.line].text[:to.off])
	return b.String()
}

// offset returns the place that has so many bytes before it, or the nearest place behind it.
func (ls lines) offset(bytes int) pos {
	for i := range ls {
		text := ls[i].text
		if bytes <= len(text) {
			return pos{i, boundary(text, max(bytes, 0))}
		}
		bytes -= len(text) + 1
	}
	return ls.end()
}

// behind returns where text ends that begins at from.
func behind(from pos, text string) pos {
	n := strings.Count(text, "\n")
	if n == 0 {
		return pos{from.line, from.off + len(text)}
	}
	return pos{from.line + n, len(text) - strings.LastIndexByte(text, '\n') - 1}
}

// left returns the place one character before p. A line feed is a character.
func (ls lines) left(p pos) pos {
	if p.off > 0 {
		return pos{p.line, before(ls[p.line].text, ls.rowStart(p), p.off)}
	}
	if p.line > 0 {
		return ls.lineEnd(p.line - 1)
	}
	return p
}

// right returns the place one character behind p.
func (ls lines) right(p pos) pos {
	text := ls[p.line].text
	if p.off < len(text) {
		return pos{p.line, p.off + next(text[p.off:])}
	}
	if p.line+1 < len(ls) {
		return pos{p.line + 1, 0}
	}
	return p
}

// rowStart returns a cluster boundary before p, and p only at the start of its line. The layout knows one that is near.
func (ls lines) rowStart(p pos) int {
	start := 0
	for _, at := range ls[p.line].rows {
		if at < p.off {
			start = at
		}
	}
	return start
}
