package textarea

import "strings"

// wholeLines applies the operator to n lines from the cursor on.
func (v *Vim) wholeLines(n int) {
	line := v.c.doc.at.line
	v.operateLines(line, min(line+n-1, len(v.c.doc.lines)-1))
}

// operateWord applies the operator up to the start of a word. Changing a word leaves the blanks behind it, and deleting
// ends with the line.
func (v *Vim) operateWord(from, to pos, key string) {
	big := key == "W"
	if v.cmd.op == "c" && v.c.doc.lines.class(from, big) != blankClass {
		end := wordEnd(big)
		at := from
		for i := range v.cmd.times() {
			if q := v.c.doc.lines.right(at); i == 0 && (q.line != at.line || v.c.doc.lines.class(q, big) != v.c.doc.lines.class(at, big)) {
				continue // a word of one character ends where it begins
			}
			at = end(v.c.doc.lines, at)
		}
		v.operate(from, v.c.doc.lines.right(at))
		return
	}
	if to.line > from.line && !v.c.doc.lines.nonBlank(to.line).less(to) {
		line := to.line - 1
		to = pos{line, len(v.c.doc.lines[line].text)}
	}
	v.operate(from, to)
}

// operate applies the operator to the text between two places.
func (v *Vim) operate(from, to pos) {
	c := v.c
	if v.cmd.op == "<" || v.cmd.op == ">" {
		v.operateLines(from.line, to.line)
		return
	}
	text := c.doc.lines.text(from, to)
	v.register.add(text)
	switch v.cmd.op {
	case "y":
		c.moveTo(from)
		v.toNormal()
	case "d":
		v.changing()
		v.begin()
		c.splice(from, to, "", other)
		c.moveTo(from)
		v.toNormal()
	case "c":
		v.changing()
		v.begin()
		if from != to {
			c.splice(from, to, "", other)
		}
		v.insert(from)
	}
}

// operateLines applies the operator to whole lines.
func (v *Vim) operateLines(first, last int) {
	c := v.c
	start, end := pos{first, 0}, pos{last, len(c.doc.lines[last].text)}
	if v.cmd.op == "<" || v.cmd.op == ">" {
		v.indent(first, last)
		return
	}
	v.register.addLines(c.doc.lines.text(start, end))
	switch v.cmd.op {
	case "y":
		if start.line < c.doc.at.line || v.mode != Normal {
			c.moveTo(start)
		}
		v.toNormal()
	case "d":
		v.changing()
		v.begin()
		switch {
		case last+1 < len(c.doc.lines):
			end = pos{last + 1, 0}
		case first > 0:
			start = c.doc.lines.left(start)
		}
		if start != end {
			c.splice(start, end, "", other)
		}
		c.moveTo(v.c.doc.lines.nonBlank(min(first, len(c.doc.lines)-1)))
		v.toNormal()
	case "c":
		v.changing()
		v.begin()
		if start != end {
			c.splice(start, end, "", other)
		}
		v.insert(start)
	}
}

// indent shifts lines right or left by two blanks.
func (v *Vim) indent(first, last int) {
	c := v.c
	v.changing()
	v.begin()
	for line := first; line <= last; line++ {
		text := c.doc.lines[line].text
		switch {
		case v.cmd.op == ">" && text != "":
			c.splice(pos{line, 0}, pos{line, 0}, "  ", other)
		case v.cmd.op == "<":
			n := min(len(text)-len(strings.TrimLeft(text, " ")), 2)
			if n == 0 && strings.HasPrefix(text, "\t") {
				n = 1
			}
			if n > 0 {
				c.splice(pos{line, 0}, pos{line, n}, "", other)
			}
		}
	}
	c.moveTo(v.c.doc.lines.nonBlank(first))
	v.toNormal()
}
