package textarea

import "strings"

// normalKey runs a command of normal mode that is neither a motion nor an operator.
func (v *Vim) normalKey(key string) {
	c, at, n := v.c, v.c.doc.at, v.cmd.times()
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
				to = c.doc.lines.right(to)
			}
		}
		v.changeCase(at, to, flip)
		c.moveTo(to)
		v.settle()
	case ".":
		v.again(v.cmd.count)
	}
}

// shorthand runs a command that abbreviates an operator with a motion.
func (v *Vim) shorthand(key string, at, end pos, n int) {
	switch key {
	case "x", "s":
		to := at
		for range n {
			if to != end {
				to = v.c.doc.lines.right(to)
			}
		}
		if key == "s" {
			v.cmd.op = "c"
		} else if v.cmd.op = "d"; to == at {
			return
		}
		v.operate(at, to)
	case "X":
		from := at
		for range n {
			if from.off > 0 {
				from = v.c.doc.lines.left(from)
			}
		}
		v.cmd.op = "d"
		v.operate(from, at)
	case "D", "C":
		v.cmd.op = strings.ToLower(key)
		v.operate(at, end)
	case "S":
		v.cmd.op = "c"
		v.wholeLines(n)
	case "Y":
		v.cmd.op = "y"
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
			at = c.doc.lines.right(at)
		}
		v.insert(at)
	case "I":
		v.insert(v.c.doc.lines.nonBlank(at.line))
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
