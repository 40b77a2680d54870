package textarea

import (
	"strings"
	"unicode"
)

// marked returns the selection: from one end to behind the other, whole lines in line mode.
func (v *Vim) marked() (from, to pos) {
	from, to = v.anchor, v.c.doc.at
	if end := v.c.doc.lines.end(); end.less(from) { // the text has got shorter
		from = end
	}
	if to.less(from) {
		from, to = to, from
	}
	if v.mode == VisualLine {
		return pos{from.line, 0}, pos{to.line, len(v.c.doc.lines[to.line].text)}
	}
	return from, v.c.doc.lines.right(to)
}

// mark updates the selection on the screen.
func (v *Vim) mark() {
	from, to := v.marked()
	v.c.marked = &stretch{from, to}
	v.c.drawn.outdate()
}

func (v *Vim) unmark() {
	if v.c.marked != nil {
		v.c.marked = nil
		v.c.drawn.outdate()
	}
}

// visualKey applies a command to the selection.
func (v *Vim) visualKey(key string) {
	from, to := v.marked()
	switch key {
	case "d", "x", "c", "s", "y", ">", "<", "X", "D", "C", "S", "Y":
		v.operateMarked(key, from, to)
	case "p", "P":
		v.putOver(from, to)
	case "~", "u", "U":
		v.begin()
		v.changeCase(from, to, map[string]func(rune) rune{"~": flip, "u": unicode.ToLower, "U": unicode.ToUpper}[key])
		v.c.moveTo(from)
		v.toNormal()
	case "J":
		v.mode = Normal
		v.joinLines(from.line, max(to.line-from.line, 1))
	case "o":
		v.anchor, v.c.doc.at = v.c.doc.at, v.anchor
		v.c.doc.goal = -1
		v.mark()
	case "v", "V":
		mode := Visual
		if key == "V" {
			mode = VisualLine
		}
		if v.mode == mode {
			v.toNormal()
			return
		}
		v.mode = mode
		v.mark()
	}
}

func (v *Vim) operateMarked(key string, from, to pos) {
	lines := v.mode == VisualLine || strings.ContainsAny(key, "XDCSY<>")
	v.cmd.op = map[string]string{"x": "d", "X": "d", "D": "d", "s": "c", "C": "c", "S": "c", "Y": "y"}[key]
	if v.cmd.op == "" {
		v.cmd.op = key
	}
	v.unmark()
	if lines {
		if to.off == 0 && to.line > from.line && v.mode == Visual {
			to = v.c.doc.lines.left(to)
		}
		v.operateLines(from.line, to.line)
	} else {
		v.operate(from, to)
	}
	v.dot.keys = nil // the selection cannot be repeated
}

// putOver replaces the selection by the register, and the register by the selection.
func (v *Vim) putOver(from, to pos) {
	c := v.c
	text, lines := v.register.text()
	if text == "" && !lines {
		v.toNormal()
		return
	}
	was := c.doc.lines.text(from, to)
	if lines && v.mode == Visual {
		text = "\n" + text + "\n"
	}
	v.begin()
	c.splice(from, to, text, other)
	if v.mode == VisualLine {
		v.register.addLines(was)
	} else {
		v.register.add(was)
	}
	c.moveTo(from)
	v.toNormal()
}

// replaceMarked replaces each selected character.
func (v *Vim) replaceMarked(key string) {
	from, to := v.marked()
	var b strings.Builder
	for s := v.c.doc.lines.text(from, to); s != ""; {
		n := next(s)
		if s[0] == '\n' {
			b.WriteByte('\n')
		} else {
			b.WriteString(clean(key))
		}
		s = s[n:]
	}
	v.begin()
	v.c.splice(from, to, b.String(), other)
	v.c.moveTo(from)
	v.toNormal()
}
