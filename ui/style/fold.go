package style

import "strings"

// Fold breaks s into rows of at most w columns, at spaces. A command between backquotes stays on one row if a row can hold it,
// and a path that no row can hold breaks after a slash. Line breaks and the indent of a line stay.
func (m Measure) Fold(s string, w int) []string {
	var rows []string
	for line := range strings.SplitSeq(s, "\n") {
		text := strings.TrimLeft(line, " ")
		indent := line[:max(0, min(len(line)-len(text), w/2, w-2))]
		for _, row := range m.foldLine(text, max(1, w-len(indent))) {
			rows = append(rows, indent+row)
		}
	}
	return rows
}

// foldLine breaks one line, which has no indent.
func (m Measure) foldLine(line string, w int) (rows []string) {
	row := ""
	for _, word := range m.unbroken(line, w) {
		switch {
		case row == "":
			row = word
		case m.Width(row)+1+m.Width(word) <= w:
			row += " " + word
		default:
			rows = append(rows, row)
			row = word
		}
		for m.Width(row) > w {
			head := m.fill(nil, row, w)[0]
			if slash := strings.LastIndex(head, "/"); slash > 0 {
				head = head[:slash+1]
			}
			rows = append(rows, head)
			row = row[len(head):]
		}
	}
	if row != "" || len(rows) == 0 {
		rows = append(rows, row)
	}
	return rows
}

// unbroken splits a line into its words. A command between backquotes is one of them, unless no row can hold it.
func (m Measure) unbroken(line string, w int) (words []string) {
	open := -1 // the first word of a command that has not ended
	for _, word := range strings.Fields(line) {
		words = append(words, word)
		if open < 0 && strings.Count(word, "`")%2 == 1 {
			open = len(words) - 1
			continue
		}
		if open < 0 || !strings.Contains(word, "`") {
			continue
		}
		if whole := strings.Join(words[open:], " "); m.Width(whole) <= w {
			words = append(words[:open], whole)
		}
		open = -1
	}
	return words
}
