package textarea

import (
	"strings"
	"unicode"
)

// maxPut bounds how much text a count makes put insert, in bytes.
const maxPut = 64 << 10

// put inserts the register n times: behind the cursor or before it, whole lines below its line or above.
func (v *Vim) put(before bool, n int) {
	c := v.c
	text, lines := v.register.text()
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
			c.moveTo(v.c.doc.lines.nonBlank(at.line))
			return
		}
		end := pos{at.line, len(c.doc.lines[at.line].text)}
		c.splice(end, end, strings.Repeat("\n"+text, n), other)
		c.moveTo(v.c.doc.lines.nonBlank(at.line + 1))
		return
	}
	if !before && at.off < len(c.doc.lines[at.line].text) {
		at = c.doc.lines.right(at)
	}
	c.splice(at, at, strings.Repeat(text, n), other)
	if strings.Contains(text, "\n") {
		c.moveTo(at)
	} else {
		c.moveTo(c.doc.lines.left(c.doc.at))
	}
}

// replaceChars replaces characters of the line, or the selection, by the character of a key.
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
	for range v.cmd.times() {
		if to.off >= len(c.doc.lines[to.line].text) {
			return
		}
		to = c.doc.lines.right(to)
	}
	v.changing()
	c.splice(from, to, strings.Repeat(clean(key), v.cmd.times()), other)
	if key != "\n" {
		c.moveTo(c.doc.lines.left(c.doc.at))
	}
	v.settle()
}

// joinLines joins a line with the next n, with a blank between them.
func (v *Vim) joinLines(line, n int) {
	c := v.c
	v.begin()
	defer v.toNormal()
	for range n {
		if line+1 >= len(c.doc.lines) {
			return
		}
		text, below := c.doc.lines[line].text, v.c.doc.lines.nonBlank(line+1)
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

// changeCase maps the letters between two places.
func (v *Vim) changeCase(from, to pos, f func(rune) rune) {
	var b strings.Builder
	text := v.c.doc.lines.text(from, to)
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

// flip changes the case of a letter.
func flip(r rune) rune {
	if unicode.IsUpper(r) {
		return unicode.ToLower(r)
	}
	return unicode.ToUpper(r)
}
