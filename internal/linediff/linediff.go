package linediff

import (
	"strconv"
	"strings"
)

// Patch is the difference of two texts.
type Patch struct {
	// Text has the hunks: a line that begins with "@@", then the lines, each after a space, "+" or "-". It is empty if the
	// texts are equal.
	Text string
	// Added and Removed count lines.
	Added, Removed int
}

// around is the number of equal lines before and after each change.
const around = 3

// Between returns the difference from one text to another. Lines end with a line feed. Below a last line without one, the
// patch has the line "\ No newline at end of file".
func Between(before, after string) Patch {
	if before == after {
		return Patch{}
	}
	a, b := split(before), split(after)
	edits := compare(a, b)
	var p Patch
	for _, e := range edits {
		p.Removed += e.a1 - e.a0
		p.Added += e.b1 - e.b0
	}
	var text strings.Builder
	for len(edits) > 0 {
		n := 1
		for n < len(edits) && edits[n].a0-edits[n-1].a1 <= 2*around {
			n++
		}
		writeHunk(&text, a, b, edits[:n])
		edits = edits[n:]
	}
	p.Text = text.String()
	return p
}

// Count returns how many lines hunks add and remove.
func Count(hunks string) (added, removed int) {
	for line := range strings.Lines(hunks) {
		switch line[0] {
		case '+':
			added++
		case '-':
			removed++
		}
	}
	return added, removed
}

// writeHunk writes neighbouring edits as one hunk.
func writeHunk(text *strings.Builder, a, b []string, edits []edit) {
	first, last := edits[0], edits[len(edits)-1]
	before, after := min(around, first.a0), min(around, len(a)-last.a1)
	text.WriteString("@@ -")
	writeRange(text, first.a0-before, last.a1+after)
	text.WriteString(" +")
	writeRange(text, first.b0-before, last.b1+after)
	text.WriteString(" @@\n")
	at := first.a0 - before
	for _, e := range edits {
		writeLines(text, ' ', a[at:e.a0])
		writeLines(text, '-', a[e.a0:e.a1])
		writeLines(text, '+', b[e.b0:e.b1])
		at = e.a1
	}
	writeLines(text, ' ', a[at:last.a1+after])
}

// writeRange writes lines from an index until before another, counted from 1. No lines count from the line before them.
func writeRange(text *strings.Builder, from, until int) {
	n := until - from
	if n > 0 {
		from++
	}
	text.WriteString(strconv.Itoa(from))
	if n != 1 {
		text.WriteByte(',')
		text.WriteString(strconv.Itoa(n))
	}
}

func writeLines(text *strings.Builder, kind byte, lines []string) {
	for _, l := range lines {
		text.WriteByte(kind)
		text.WriteString(l)
		if !strings.HasSuffix(l, "\n") {
			text.WriteString("\n\\ No newline at end of file\n")
		}
	}
}

// split returns the lines of a text with their line feeds.
func split(text string) []string {
	lines := make([]string, 0, strings.Count(text, "\n")+1)
	for len(text) > 0 {
		end := strings.IndexByte(text, '\n') + 1
		if end == 0 {
			end = len(text)
		}
		lines = append(lines, text[:end])
		text = text[end:]
	}
	return lines
}
