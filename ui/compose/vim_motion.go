package compose

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// motion says where the cursor goes, or how far an operator reaches.
type motion struct {
	// do returns the place after n times, and whether there is one.
	do func(v *Vim, p pos, n int) (pos, bool)
	// inclusive motions take the character they end at, lines all lines from the one to the other.
	inclusive, lines bool
}

// motions are those of one key.
var motions = map[string]motion{
	"h": {do: repeated(func(v *Vim, p pos) pos {
		if p.off == 0 {
			return p
		}
		return v.c.left(p)
	})},
	"l": {do: repeated(func(v *Vim, p pos) pos {
		if p.off == len(v.c.doc.lines[p.line].text) {
			return p
		}
		return v.c.right(p)
	})},
	"j": {do: nil, lines: true}, // up and down remember the column, see vertical
	"k": {do: nil, lines: true},
	"0": {do: func(_ *Vim, p pos, _ int) (pos, bool) { return pos{p.line, 0}, true }},
	"^": {do: func(v *Vim, p pos, _ int) (pos, bool) { return v.nonBlank(p.line), true }},
	"$": {do: lineEnd},
	"w": {do: repeated(wordStart(false))}, "W": {do: repeated(wordStart(true))},
	"b": {do: repeated(wordBack(false))}, "B": {do: repeated(wordBack(true))},
	"e": {do: repeated(wordEnd(false)), inclusive: true}, "E": {do: repeated(wordEnd(true)), inclusive: true},
	"G": {do: lastLine, lines: true},
	";": {do: func(v *Vim, p pos, n int) (pos, bool) { return v.findChar(v.find, p, n, true) }, inclusive: true},
	",": {do: func(v *Vim, p pos, n int) (pos, bool) { return v.findChar(v.find.reversed(), p, n, true) }, inclusive: true},
	"%": {do: matchingBracket, inclusive: true},
	"{": {do: repeated(paragraphBack)}, "}": {do: repeated(paragraphForth)},
	"+": {do: nil, lines: true}, "-": {do: nil, lines: true}, "_": {do: nil, lines: true},
}

// repeated makes a motion of a step. It ends where a step changes nothing.
func repeated(step func(v *Vim, p pos) pos) func(*Vim, pos, int) (pos, bool) {
	return func(v *Vim, p pos, n int) (pos, bool) {
		from := p
		for range n {
			q := step(v, p)
			if q == p {
				break
			}
			p = q
		}
		return p, p != from
	}
}

// move does a motion, or the operator over it.
func (v *Vim) move(m motion, key string) {
	from, n := v.c.doc.at, v.times()
	if m.do == nil {
		v.vertical(key, n)
		return
	}
	counted := v.count > 0 || v.count2 > 0
	if !counted && (key == "G" || key == "gg") {
		n = 0
	}
	if key == ";" || key == "," {
		back := v.find.key == "F" || v.find.key == "T"
		m.inclusive = back == (key == ",")
	}
	to, ok := m.do(v, from, n)
	if !ok && (v.op != "c" || key != "w" && key != "W") { // at the end of the text there is still something to write
		return
	}
	switch {
	case v.op == "":
		v.c.moveTo(to)
		v.settle()
	case m.lines:
		v.operateLines(min(from.line, to.line), max(from.line, to.line))
	case key == "w" || key == "W":
		v.operateWord(from, to, key)
	default:
		if to.less(from) {
			from, to = to, from
			m.inclusive = m.inclusive && (key == "ge" || key == "gE" || key == "%")
		}
		if m.inclusive && to.off < len(v.c.doc.lines[to.line].text) {
			to = v.c.right(to)
		}
		v.operate(from, to)
	}
}

// vertical moves by lines: j and k by rows of the screen, through the history at the ends, the others by lines.
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
	if v.op != "" {
		if key == "_" || target != at.line {
			v.operateLines(min(at.line, target), max(at.line, target))
		}
		return
	}
	if key != "j" && key != "k" {
		v.c.moveTo(v.nonBlank(target))
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
			v.c.vertical(v.c.below, no, before)
		default:
			v.c.vertical(v.c.above, no, before)
		}
		v.settle()
		if v.c.doc != doc || v.c.doc.at == before {
			return
		}
	}
}

func no() bool { return false }

// nonBlank is the first character of a line that is no blank.
func (v *Vim) nonBlank(line int) pos {
	text := v.c.doc.lines[line].text
	return pos{line, len(text) - len(strings.TrimLeft(text, " \t"))}
}

func lineEnd(v *Vim, p pos, n int) (pos, bool) {
	line := min(p.line+max(n, 1)-1, len(v.c.doc.lines)-1)
	return pos{line, len(v.c.doc.lines[line].text)}, true
}

func lastNonBlank(v *Vim, p pos, n int) (pos, bool) {
	line := min(p.line+max(n, 1)-1, len(v.c.doc.lines)-1)
	end := len(strings.TrimRight(v.c.doc.lines[line].text, " \t"))
	if end == 0 {
		return pos{line, 0}, true
	}
	return v.c.left(pos{line, end}), true
}

func firstLine(v *Vim, _ pos, n int) (pos, bool) {
	return v.nonBlank(min(max(n, 1), len(v.c.doc.lines)) - 1), true
}

func lastLine(v *Vim, _ pos, n int) (pos, bool) {
	if n == 0 {
		n = len(v.c.doc.lines)
	}
	return v.nonBlank(min(n, len(v.c.doc.lines)) - 1), true
}

// class is what a character is to word motions.
type class uint8

const (
	blankClass class = iota // line feeds too
	wordClass
	signClass
)

// class returns what is at p. To the motions with capitals everything but blanks is a word.
func (v *Vim) class(p pos, big bool) class {
	text := v.c.doc.lines[p.line].text
	if p.off >= len(text) || text[p.off] == ' ' || text[p.off] == '\t' {
		return blankClass
	}
	if big || text[p.off] == chipMark {
		return wordClass
	}
	r, _ := utf8.DecodeRuneInString(text[p.off:])
	switch {
	case r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r):
		return wordClass
	case unicode.IsSpace(r):
		return blankClass
	}
	return signClass
}

// emptyLine reports whether p is in a line without text, which word motions stop at.
func (v *Vim) emptyLine(p pos) bool { return v.c.doc.lines[p.line].text == "" }

func wordStart(big bool) func(*Vim, pos) pos {
	return func(v *Vim, p pos) pos {
		k := v.class(p, big)
		for k != blankClass && v.class(p, big) == k {
			p = v.c.right(p)
		}
		for v.class(p, big) == blankClass {
			q := v.c.right(p)
			if q == p {
				return p
			}
			if p = q; v.emptyLine(p) {
				return p
			}
		}
		return p
	}
}

func wordBack(big bool) func(*Vim, pos) pos {
	return func(v *Vim, p pos) pos {
		p = v.c.left(p)
		for v.class(p, big) == blankClass && !v.emptyLine(p) {
			q := v.c.left(p)
			if q == p {
				return p
			}
			p = q
		}
		k := v.class(p, big)
		for q := v.c.left(p); k != blankClass && q != p && v.class(q, big) == k; q = v.c.left(p) {
			p = q
		}
		return p
	}
}

func wordEnd(big bool) func(*Vim, pos) pos {
	return func(v *Vim, p pos) pos {
		p = v.c.right(p)
		for v.class(p, big) == blankClass {
			q := v.c.right(p)
			if q == p {
				return p
			}
			p = q
		}
		k := v.class(p, big)
		for q := v.c.right(p); q != p && v.class(q, big) == k; q = v.c.right(p) {
			p = q
		}
		return p
	}
}

func wordEndBack(big bool) func(*Vim, pos) pos {
	return func(v *Vim, p pos) pos {
		k := v.class(p, big)
		for k != blankClass && v.class(p, big) == k {
			q := v.c.left(p)
			if q == p {
				return p
			}
			p = q
		}
		for v.class(p, big) == blankClass && !v.emptyLine(p) {
			q := v.c.left(p)
			if q == p {
				return p
			}
			p = q
		}
		return p
	}
}

func paragraphBack(v *Vim, p pos) pos {
	line := p.line
	for line > 0 && v.c.doc.lines[line].text == "" {
		line--
	}
	for line > 0 && v.c.doc.lines[line].text != "" {
		line--
	}
	return pos{line, 0}
}

func paragraphForth(v *Vim, p pos) pos {
	line, last := p.line, len(v.c.doc.lines)-1
	for line < last && v.c.doc.lines[line].text == "" {
		line++
	}
	for line < last && v.c.doc.lines[line].text != "" {
		line++
	}
	if line == last && v.c.doc.lines[line].text != "" {
		return v.c.doc.end()
	}
	return pos{line, 0}
}

func (f finding) reversed() finding {
	f.key = map[string]string{"f": "F", "F": "f", "t": "T", "T": "t"}[f.key]
	return f
}

// findChar finds the nth such character in the line. When a search that stops short of the character is repeated, it
// does not find the one that it stands at.
func (v *Vim) findChar(f finding, p pos, n int, repeat bool) (pos, bool) {
	if f.key == "" {
		return p, false
	}
	text := v.c.doc.lines[p.line].text
	forth, short := f.key == "f" || f.key == "t", f.key == "t" || f.key == "T"
	var places []int
	for at := 0; at < len(text); at += next(text[at:]) {
		if text[at:at+next(text[at:])] == f.char {
			places = append(places, at)
		}
	}
	if !forth {
		for i, j := 0, len(places)-1; i < j; i, j = i+1, j-1 {
			places[i], places[j] = places[j], places[i]
		}
	}
	for _, at := range places {
		q := pos{p.line, at}
		if forth && !p.less(q) || !forth && !q.less(p) {
			continue
		}
		stop := q
		if short && forth {
			stop = v.c.left(q)
		} else if short {
			stop = v.c.right(q)
		}
		if repeat && short && stop == p && n == 1 {
			continue
		}
		if n--; n == 0 {
			return stop, true
		}
	}
	return p, false
}

var brackets = map[byte]struct {
	other byte
	forth bool
}{'(': {')', true}, '[': {']', true}, '{': {'}', true}, ')': {'(', false}, ']': {'[', false}, '}': {'{', false}}

// matchingBracket finds the partner of the next bracket in the line.
func matchingBracket(v *Vim, p pos, _ int) (pos, bool) {
	text := v.c.doc.lines[p.line].text
	for p.off < len(text) && brackets[text[p.off]].other == 0 {
		p = v.c.right(p)
	}
	if p.off >= len(text) {
		return p, false
	}
	b, depth := text[p.off], 0
	step := v.c.left
	if brackets[b].forth {
		step = v.c.right
	}
	for {
		if line := v.c.doc.lines[p.line].text; p.off < len(line) {
			switch line[p.off] {
			case b:
				depth++
			case brackets[b].other:
				depth--
			}
			if depth == 0 {
				return p, true
			}
		}
		q := step(p)
		if q == p {
			return p, false
		}
		p = q
	}
}
