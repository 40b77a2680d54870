package compose

import "strings"

// object does the operator on a text object, or selects it: a word, a quoted text, what is between brackets, a paragraph.
// With around, what stands around it belongs to it.
func (v *Vim) object(around bool, key string) {
	if key == "p" {
		v.paragraph(around)
		return
	}
	from, to, ok := v.objectAt(around, key)
	switch {
	case !ok:
	case v.op != "":
		v.operate(from, to)
	case from.less(to):
		v.anchor = from
		v.c.moveTo(v.c.left(to))
		v.mode = Visual
		v.mark()
	}
}

func (v *Vim) objectAt(around bool, key string) (from, to pos, ok bool) {
	switch key {
	case "w", "W":
		from, to = v.wordAt(around, key == "W")
		return from, to, from != to || v.op == "c" && v.emptyLine(from)
	case `"`, "'", "`":
		return v.quotedAt(around, key[0])
	case "(", ")", "b":
		return v.bracketAt(around, '(', ')')
	case "[", "]":
		return v.bracketAt(around, '[', ']')
	case "{", "}", "B":
		return v.bracketAt(around, '{', '}')
	case "<", ">":
		return v.bracketAt(around, '<', '>')
	}
	return from, to, false
}

// wordAt returns the word, or the run of blanks, at the cursor. Around takes the blanks behind it, or else before it.
func (v *Vim) wordAt(around, big bool) (from, to pos) {
	at := v.c.doc.at
	text := v.c.doc.lines[at.line].text
	run := func(from, to pos, k class) (pos, pos) {
		for from.off > 0 && v.class(v.c.left(from), big) == k {
			from = v.c.left(from)
		}
		for to.off < len(text) && v.class(to, big) == k {
			to = v.c.right(to)
		}
		return from, to
	}
	k := v.class(at, big)
	from, to = run(at, at, k)
	if !around {
		return from, to
	}
	if k == blankClass { // blanks with the word behind them
		if to.off < len(text) {
			_, to = run(to, to, v.class(to, big))
		}
		return from, to
	}
	if to.off < len(text) && v.class(to, big) == blankClass {
		_, to = run(to, to, blankClass)
		return from, to
	}
	if from.off > 0 && v.class(v.c.left(from), big) == blankClass {
		before := v.c.left(from)
		from, _ = run(before, before, blankClass)
	}
	return from, to
}

// quotedAt returns the text in quotes that the cursor is in, or the next one of the line.
func (v *Vim) quotedAt(around bool, quote byte) (from, to pos, ok bool) {
	at := v.c.doc.at
	text := v.c.doc.lines[at.line].text
	open := -1
	for i := 0; i < len(text); i += next(text[i:]) {
		if text[i] == '\\' && i+1 < len(text) {
			i += next(text[i:])
			continue
		}
		if text[i] != quote {
			continue
		}
		if open < 0 {
			open = i
			continue
		}
		if i >= at.off {
			from, to = pos{at.line, open + 1}, pos{at.line, i}
			if !around {
				return from, to, true
			}
			from, to = pos{at.line, open}, pos{at.line, i + 1}
			end := len(text) - len(strings.TrimLeft(text[to.off:], " "))
			if end == to.off {
				from.off = len(strings.TrimRight(text[:from.off], " "))
			}
			to.off = end
			return from, to, true
		}
		open = -1
	}
	return from, to, false
}

// bracketAt returns what is between the brackets around the cursor, over lines if need be, or between the next ones of
// the line.
func (v *Vim) bracketAt(around bool, open, closing byte) (from, to pos, ok bool) {
	p := v.c.doc.at
	from, to, ok = v.enclosing(p, open, closing)
	if !ok {
		i := strings.IndexByte(v.c.doc.lines[p.line].text[p.off:], open)
		if i < 0 {
			return from, to, false
		}
		if from, to, ok = v.enclosing(pos{p.line, p.off + i}, open, closing); !ok {
			return from, to, false
		}
	}
	if around {
		return from, v.c.right(to), true
	}
	return v.c.right(from), to, true
}

// enclosing returns the brackets around p, one of which may be at p.
func (v *Vim) enclosing(p pos, open, closing byte) (from, to pos, ok bool) {
	at := func(p pos) byte {
		if text := v.c.doc.lines[p.line].text; p.off < len(text) {
			return text[p.off]
		}
		return '\n'
	}
	depth := 0
	for first := true; ; first = false {
		if b := at(p); b == open && depth == 0 {
			break
		} else if b == open {
			depth--
		} else if b == closing && !first {
			depth++
		}
		q := v.c.left(p)
		if q == p {
			return from, to, false
		}
		p = q
	}
	from, depth = p, 0
	for {
		if b := at(p); b == open {
			depth++
		} else if b == closing {
			if depth--; depth == 0 {
				return from, p, true
			}
		}
		q := v.c.right(p)
		if q == p {
			return from, to, false
		}
		p = q
	}
}

// paragraph does the operator on the lines up to the next empty ones, or on the empty ones; around takes both.
func (v *Vim) paragraph(around bool) {
	lines := v.c.doc.lines
	first := v.c.doc.at.line
	empty := func(i int) bool { return strings.TrimSpace(lines[i].text) == "" }
	kind := empty(first)
	last := first
	for first > 0 && empty(first-1) == kind {
		first--
	}
	for last+1 < len(lines) && empty(last+1) == kind {
		last++
	}
	for around && last+1 < len(lines) && empty(last+1) != kind {
		last++
	}
	if v.op != "" {
		v.operateLines(first, last)
		return
	}
	v.anchor, v.mode = pos{first, 0}, VisualLine
	v.c.moveTo(pos{last, 0})
	v.mark()
}
