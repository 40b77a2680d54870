package compose

import (
	"strings"
	"unicode"
)

// normalKey does a command of normal mode that is neither a motion nor an operator.
func (v *Vim) normalKey(key string) {
	c, at, n := v.c, v.c.doc.at, v.times()
	line := c.doc.lines[at.line].text
	end := pos{at.line, len(line)}
	switch key {
	case "i", "a", "I", "A", "o", "O":
		v.changing()
		v.begin()
		v.enterInsert(key)
	case "v", "V":
		v.anchor, v.mode = at, Visual
		if key == "V" {
			v.mode = VisualLine
		}
		v.mark()
	case "x", "X", "s", "D", "C", "S", "Y":
		v.shorthand(key, at, end, n)
	case "p", "P":
		v.changing()
		v.put(key == "P", n)
	case "u":
		for range n {
			c.Undo()
		}
		v.settle()
	case "ctrl+r":
		for range n {
			c.Redo()
		}
		v.settle()
	case "J":
		v.changing()
		v.joinLines(at.line, max(n, 2)-1)
	case "~":
		v.changing()
		to := at
		for range n {
			if to.off < len(line) {
				to = c.right(to)
			}
		}
		v.changeCase(at, to, flip)
		c.moveTo(to)
		v.settle()
	case ".":
		v.again(v.count)
	}
}

// shorthand does the commands that stand for an operator with a motion.
func (v *Vim) shorthand(key string, at, end pos, n int) {
	switch key {
	case "x", "s":
		to := at
		for range n {
			if to != end {
				to = v.c.right(to)
			}
		}
		if key == "s" {
			v.op = "c"
		} else if v.op = "d"; to == at {
			return
		}
		v.operate(at, to)
	case "X":
		from := at
		for range n {
			if from.off > 0 {
				from = v.c.left(from)
			}
		}
		v.op = "d"
		v.operate(from, at)
	case "D", "C":
		v.op = strings.ToLower(key)
		v.operate(at, end)
	case "S":
		v.op = "c"
		v.wholeLines(n)
	case "Y":
		v.op = "y"
		v.wholeLines(n)
	}
}

func (v *Vim) enterInsert(key string) {
	c, at := v.c, v.c.doc.at
	end := pos{at.line, len(c.doc.lines[at.line].text)}
	switch key {
	case "i":
		v.insert(at)
	case "a":
		if at != end {
			at = c.right(at)
		}
		v.insert(at)
	case "I":
		v.insert(v.nonBlank(at.line))
	case "A":
		v.insert(end)
	case "o":
		c.splice(end, end, "\n", other)
		v.insert(pos{at.line + 1, 0})
	case "O":
		c.splice(pos{at.line, 0}, pos{at.line, 0}, "\n", other)
		v.insert(pos{at.line, 0})
	}
}

// wholeLines does the operator over n lines from the cursor on.
func (v *Vim) wholeLines(n int) {
	line := v.c.doc.at.line
	v.operateLines(line, min(line+n-1, len(v.c.doc.lines)-1))
}

// operateWord does the operator up to the start of a word: a changed word keeps the blanks behind it, and what is
// deleted ends with its line.
func (v *Vim) operateWord(from, to pos, key string) {
	big := key == "W"
	if v.op == "c" && v.class(from, big) != blankClass {
		end := wordEnd(big)
		at := from
		for i := range v.times() {
			if q := v.c.right(at); i == 0 && (q.line != at.line || v.class(q, big) != v.class(at, big)) {
				continue // a word of one character ends where it begins
			}
			at = end(v, at)
		}
		v.operate(from, v.c.right(at))
		return
	}
	if to.line > from.line && !v.nonBlank(to.line).less(to) {
		line := to.line - 1
		to = pos{line, len(v.c.doc.lines[line].text)}
	}
	v.operate(from, to)
}

// operate does the operator on the text between two places.
func (v *Vim) operate(from, to pos) {
	c := v.c
	if v.op == "<" || v.op == ">" {
		v.operateLines(from.line, to.line)
		return
	}
	text := c.doc.text(from, to)
	c.keep(text)
	switch v.op {
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

// operateLines does the operator on whole lines.
func (v *Vim) operateLines(first, last int) {
	c := v.c
	start, end := pos{first, 0}, pos{last, len(c.doc.lines[last].text)}
	if v.op == "<" || v.op == ">" {
		v.indent(first, last)
		return
	}
	v.keepLines(c.doc.text(start, end))
	switch v.op {
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
			start = c.left(start)
		}
		if start != end {
			c.splice(start, end, "", other)
		}
		c.moveTo(v.nonBlank(min(first, len(c.doc.lines)-1)))
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

// indent moves lines right or left by two blanks.
func (v *Vim) indent(first, last int) {
	c := v.c
	v.changing()
	v.begin()
	for line := first; line <= last; line++ {
		text := c.doc.lines[line].text
		switch {
		case v.op == ">" && text != "":
			c.splice(pos{line, 0}, pos{line, 0}, "  ", other)
		case v.op == "<":
			n := min(len(text)-len(strings.TrimLeft(text, " ")), 2)
			if n == 0 && strings.HasPrefix(text, "\t") {
				n = 1
			}
			if n > 0 {
				c.splice(pos{line, 0}, pos{line, n}, "", other)
			}
		}
	}
	c.moveTo(v.nonBlank(first))
	v.toNormal()
}

// keepLines adds whole lines to the kill ring, and kept returns what is to be put, and whether it is whole lines.
func (v *Vim) keepLines(text string) {
	v.c.keep(text)
	v.linear, v.lines = v.c.kills, text
}

func (v *Vim) kept() (text string, lines bool) {
	if v.linear > 0 && v.linear == v.c.kills {
		return v.lines, true
	}
	if n := len(v.c.killed); n > 0 {
		return v.c.killed[n-1], false
	}
	return "", false
}

// maxPut is how much text a count may make of what is put.
const maxPut = 64 << 10

// put adds what was killed last, n times: behind the cursor or at it, whole lines below its line or above.
func (v *Vim) put(before bool, n int) {
	c := v.c
	text, lines := v.kept()
	if text == "" && !lines {
		return
	}
	n = max(min(n, maxPut/(len(text)+1)), 1)
	v.begin()
	defer v.toNormal()
	at := c.doc.at
	if lines {
		if before {
			c.splice(pos{at.line, 0}, pos{at.line, 0}, strings.Repeat(text+"\n", n), other)
			c.moveTo(v.nonBlank(at.line))
			return
		}
		end := pos{at.line, len(c.doc.lines[at.line].text)}
		c.splice(end, end, strings.Repeat("\n"+text, n), other)
		c.moveTo(v.nonBlank(at.line + 1))
		return
	}
	if !before && at.off < len(c.doc.lines[at.line].text) {
		at = c.right(at)
	}
	c.splice(at, at, strings.Repeat(text, n), other)
	if strings.Contains(text, "\n") {
		c.moveTo(at)
	} else {
		c.moveTo(c.left(c.doc.at))
	}
}

// replaceChars writes a character over so many others of the line.
func (v *Vim) replaceChars(key string) {
	c, from := v.c, v.c.doc.at
	if key == "enter" {
		key = "\n"
	}
	if v.mode != Normal {
		v.replaceMarked(key)
		return
	}
	to := from
	for range v.times() {
		if to.off >= len(c.doc.lines[to.line].text) {
			return
		}
		to = c.right(to)
	}
	v.changing()
	c.splice(from, to, strings.Repeat(clean(key), v.times()), other)
	if key != "\n" {
		c.moveTo(c.left(c.doc.at))
	}
	v.settle()
}

// joinLines joins a line with so many of the next, a blank between them.
func (v *Vim) joinLines(line, n int) {
	c := v.c
	v.begin()
	defer v.toNormal()
	for range n {
		if line+1 >= len(c.doc.lines) {
			return
		}
		text, below := c.doc.lines[line].text, v.nonBlank(line+1)
		from := pos{line, len(text)}
		space := " "
		if text == "" || strings.HasSuffix(text, " ") || below.off == len(c.doc.lines[line+1].text) ||
			c.doc.lines[line+1].text[below.off] == ')' {
			space = ""
		}
		c.splice(from, below, space, other)
		c.moveTo(from)
	}
}

// changeCase changes the letters between two places.
func (v *Vim) changeCase(from, to pos, f func(rune) rune) {
	var b strings.Builder
	text := v.c.doc.text(from, to)
	for s := text; s != ""; {
		n := next(s)
		if s[0] == chipMark {
			b.WriteString(s[:n])
		} else {
			b.WriteString(strings.Map(f, s[:n]))
		}
		s = s[n:]
	}
	if b.String() != text {
		v.c.splice(from, to, b.String(), other)
	}
}

// flip makes a capital of a small letter and the other way round.
func flip(r rune) rune {
	if unicode.IsUpper(r) {
		return unicode.ToLower(r)
	}
	return unicode.ToUpper(r)
}
