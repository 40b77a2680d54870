package textarea

import "strings"

// object returns the text object that a key names. around adds what surrounds it.
func (ls lines) object(at pos, around bool, key string) (from, to pos, ok bool) {
	switch key {
	case "w", "W":
		from, to = ls.wordAt(at, around, key == "W")
		return from, to, from != to || ls.emptyLine(from)
	case `"`, "'", "`":
		return ls.quotedAt(at, around, key[0])
	case "(", ")", "b":
		return ls.bracketAt(at, around, '(', ')')
	case "[", "]":
		return ls.bracketAt(at, around, '[', ']')
	case "{", "}", "B":
		return ls.bracketAt(at, around, '{', '}')
	case "<", ">":
		return ls.bracketAt(at, around, '<', '>')
	}
	return from, to, false
}

// wordAt returns the word, or the run of blanks, at a place. around adds the blanks behind it, or else before it.
func (ls lines) wordAt(at pos, around, big bool) (from, to pos) {
	text := ls[at.line].text
	run := func(from, to pos, k class) (pos, pos) {
		for from.off > 0 && ls.class(ls.left(from), big) == k {
			from = ls.left(from)
		}
		for to.off < len(text) && ls.class(to, big) == k {
			to = ls.right(to)
		}
		return from, to
	}
	k := ls.class(at, big)
	from, to = run(at, at, k)
	if !around {
		return from, to
	}
	if k == blankClass { // blanks with the word behind them
		if to.off < len(text) {
			_, to = run(to, to, ls.class(to, big))
		}
		return from, to
	}
	if to.off < len(text) && ls.class(to, big) == blankClass {
		_, to = run(to, to, blankClass)
		return from, to
	}
	if from.off > 0 && ls.class(ls.left(from), big) == blankClass {
		before := ls.left(from)
		from, _ = run(before, before, blankClass)
	}
	return from, to
}

// quotedAt returns the quoted text around a place, or else the next one of the line.
func (ls lines) quotedAt(at pos, around bool, quote byte) (from, to pos, ok bool) {
	text := ls[at.line].text
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

// bracketAt returns what is between the brackets around p, over lines if need be, or else between the next ones of the
// line.
func (ls lines) bracketAt(p pos, around bool, open, closing byte) (from, to pos, ok bool) {
	from, to, ok = ls.enclosing(p, open, closing)
	if !ok {
		i := strings.IndexByte(ls[p.line].text[p.off:], open)
		if i < 0 {
			return from, to, false
		}
		if from, to, ok = ls.enclosing(pos{p.line, p.off + i}, open, closing); !ok {
			return from, to, false
		}
	}
	if around {
		return from, ls.right(to), true
	}
	return ls.right(from), to, true
}

// enclosing returns the places of the brackets around p, one of which may be at p.
func (ls lines) enclosing(p pos, open, closing byte) (from, to pos, ok bool) {
	at := func(p pos) byte {
		if text := ls[p.line].text; p.off < len(text) {
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
		q := ls.left(p)
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
		q := ls.right(p)
		if q == p {
			return from, to, false
		}
		p = q
	}
}

// paragraphAt returns the lines up to the next empty ones, or the empty ones around a line; around adds the next run.
func (ls lines) paragraphAt(line int, around bool) (first, last int) {
	empty := func(i int) bool { return strings.TrimSpace(ls[i].text) == "" }
	kind := empty(line)
	for first = line; first > 0 && empty(first-1) == kind; {
		first--
	}
	for last = line; last+1 < len(ls) && empty(last+1) == kind; {
		last++
	}
	for around && last+1 < len(ls) && empty(last+1) != kind {
		last++
	}
	return first, last
}
