package textarea

// move moves the cursor, or applies the operator up to where the motion ends.
func (v *Vim) move(m motion, key string) {
	from, n := v.c.doc.at, v.cmd.times()
	if m.do == nil {
		v.vertical(key, n)
		return
	}
	if !v.cmd.counted() && (key == "G" || key == "gg") {
		n = 0
	}
	to, ok := m.do(v.c.doc.lines, from, n)
	if !ok && (v.cmd.op != "c" || key != "w" && key != "W") { // cw works at the end of the text
		return
	}
	switch {
	case v.cmd.op == "":
		v.c.moveTo(to)
		v.settle()
	case m.linear:
		v.operateLines(min(from.line, to.line), max(from.line, to.line))
	case key == "w" || key == "W":
		v.operateWord(from, to, key)
	default:
		if to.less(from) {
			from, to = to, from
			m.inclusive = m.inclusive && (key == "ge" || key == "gE" || key == "%")
		}
		if m.inclusive && to.off < len(v.c.doc.lines[to.line].text) {
			to = v.c.doc.lines.right(to)
		}
		v.operate(from, to)
	}
}

// vertical moves up or down: j and k by rows of the screen, and in normal mode on into the history, the others by lines.
func (v *Vim) vertical(key string, n int) {
	at, last := v.c.doc.at, len(v.c.doc.lines)-1
	target := at.line
	switch key {
	case "j", "+":
		target = min(at.line+n, last)
	case "k", "-":
		target = max(at.line-n, 0)
	case "_":
		target = min(at.line+n-1, last)
	}
	if v.cmd.op != "" {
		if key == "_" || target != at.line {
			v.operateLines(min(at.line, target), max(at.line, target))
		}
		return
	}
	if key != "j" && key != "k" {
		v.c.moveTo(v.c.doc.lines.nonBlank(target))
		v.settle()
		return
	}
	for range n {
		doc, before := v.c.doc, v.c.doc.at
		switch {
		case key == "j" && v.mode == Normal:
			v.c.Down()
		case key == "k" && v.mode == Normal:
			v.c.Up()
		case key == "j":
			v.c.layout.vertical(v.c.doc, 1)
			v.c.moved()
		default:
			v.c.layout.vertical(v.c.doc, -1)
			v.c.moved()
		}
		v.settle()
		if v.c.doc != doc || v.c.doc.at == before {
			return
		}
	}
}

// object applies the operator to a text object, or selects it.
func (v *Vim) object(around bool, key string) {
	c := v.c
	if key == "p" {
		first, last := c.doc.lines.paragraphAt(c.doc.at.line, around)
		if v.cmd.op != "" {
			v.operateLines(first, last)
			return
		}
		v.anchor, v.mode = pos{first, 0}, VisualLine
		c.moveTo(pos{last, 0})
		v.mark()
		return
	}
	from, to, ok := c.doc.lines.object(c.doc.at, around, key)
	switch {
	case !ok, from == to && (key == "w" || key == "W") && v.cmd.op != "c":
	case v.cmd.op != "":
		v.operate(from, to)
	case from.less(to):
		v.anchor, v.mode = from, Visual
		c.moveTo(c.doc.lines.left(to))
		v.mark()
	}
}
