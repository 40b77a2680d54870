package textarea

import "strings"

// motion is the place to which the cursor goes, or an operator reaches.
type motion struct {
	// do returns where n times the motion end, and whether there is such a place. Nil motions are those of vertical.
	do func(ls lines, p pos, n int) (pos, bool)
	// inclusive motions take the character at which they end, linear ones whole lines.
	inclusive, linear bool
}

// motions are the motions of one key.
var motions = map[string]motion{
	"h": {do: repeated(func(ls lines, p pos) pos {
		if p.off == 0 {
			return p
		}
		return ls.left(p)
	})},
	"l": {do: repeated(func(ls lines, p pos) pos {
		if p.off == len(ls[p.line].text) {
			return p
		}
		return ls.right(p)
	})},
	"j": {linear: true}, // up and down remember the column, see vertical
	"k": {linear: true},
	"0": {do: func(_ lines, p pos, _ int) (pos, bool) { return pos{p.line, 0}, true }},
	"^": {do: func(ls lines, p pos, _ int) (pos, bool) { return ls.nonBlank(p.line), true }},
	"$": {do: lineEnd},
	"w": {do: repeated(wordStart(false))}, "W": {do: repeated(wordStart(true))},
	"b": {do: repeated(wordBack(false))}, "B": {do: repeated(wordBack(true))},
	"e": {do: repeated(wordEnd(false)), inclusive: true}, "E": {do: repeated(wordEnd(true)), inclusive: true},
	"G": {do: lastLine, linear: true},
	"%": {do: matchingBracket, inclusive: true},
	"{": {do: repeated(paragraphBack)}, "}": {do: repeated(paragraphForth)},
	"+": {linear: true}, "-": {linear: true}, "_": {linear: true},
}

// repeated returns a motion of n steps. It ends early where a step goes nowhere.
func repeated(step func(ls lines, p pos) pos) func(lines, pos, int) (pos, bool) {
	return func(ls lines, p pos, n int) (pos, bool) {
		from := p
		for range n {
			q := step(ls, p)
			if q == p {
				break
			}
			p = q
		}
		return p, p != from
	}
}

func lineEnd(ls lines, p pos, n int) (pos, bool) {
	line := min(p.line+max(n, 1)-1, len(ls)-1)
	return pos{line, len(ls[line].text)}, true
}

func lastNonBlank(ls lines, p pos, n int) (pos, bool) {
	line := min(p.line+max(n, 1)-1, len(ls)-1)
	end := len(strings.TrimRight(ls[line].text, " \t"))
	if end == 0 {
		return pos{line, 0}, true
	}
	return ls.left(pos{line, end}), true
}

func firstLine(ls lines, _ pos, n int) (pos, bool) {
	return ls.nonBlank(min(max(n, 1), len(ls)) - 1), true
}

func lastLine(ls lines, _ pos, n int) (pos, bool) {
	if n == 0 {
		n = len(ls)
	}
	return ls.nonBlank(min(n, len(ls)) - 1), true
}

func wordStart(big bool) func(lines, pos) pos {
	return func(ls lines, p pos) pos {
		k := ls.class(p, big)
		for k != blankClass && ls.class(p, big) == k {
			p = ls.right(p)
		}
		for ls.class(p, big) == blankClass {
			q := ls.right(p)
			if q == p {
				return p
			}
			if p = q; ls.emptyLine(p) {
				return p
			}
		}
		return p
	}
}

func wordBack(big bool) func(lines, pos) pos {
	return func(ls lines, p pos) pos {
		p = ls.left(p)
		for ls.class(p, big) == blankClass && !ls.emptyLine(p) {
			q := ls.left(p)
			if q == p {
				return p
			}
			p = q
		}
		k := ls.class(p, big)
		for q := ls.left(p); k != blankClass && q != p && ls.class(q, big) == k; q = ls.left(p) {
			p = q
		}
		return p
	}
}

func wordEnd(big bool) func(lines, pos) pos {
	return func(ls lines, p pos) pos {
		p = ls.right(p)
		for ls.class(p, big) == blankClass {
			q := ls.right(p)
			if q == p {
				return p
			}
			p = q
		}
		k := ls.class(p, big)
		for q := ls.right(p); q != p && ls.class(q, big) == k; q = ls.right(p) {
			p = q
		}
		return p
	}
}

func wordEndBack(big bool) func(lines, pos) pos {
	return func(ls lines, p pos) pos {
		k := ls.class(p, big)
		for k != blankClass && ls.class(p, big) == k {
			q := ls.left(p)
			if q == p {
				return p
			}
			p = q
		}
		for ls.class(p, big) == blankClass && !ls.emptyLine(p) {
			q := ls.left(p)
			if q == p {
				return p
			}
			p = q
		}
		return p
	}
}

func paragraphBack(ls lines, p pos) pos {
	line := p.line
	for line > 0 && ls[line].text == "" {
		line--
	}
	for line > 0 && ls[line].text != "" {
		line--
	}
	return pos{line, 0}
}

func paragraphForth(ls lines, p pos) pos {
	line, last := p.line, len(ls)-1
	for line < last && ls[line].text == "" {
		line++
	}
	for line < last && ls[line].text != "" {
		line++
	}
	if line == last && ls[line].text != "" {
		return ls.end()
	}
	return pos{line, 0}
}

var brackets = map[byte]struct {
	other byte
	forth bool
}{'(': {')', true}, '[': {']', true}, '{': {'}', true}, ')': {'(', false}, ']': {'[', false}, '}': {'{', false}}

// matchingBracket finds the partner of the next bracket of the line.
func matchingBracket(ls lines, p pos, _ int) (pos, bool) {
	text := ls[p.line].text
	for p.off < len(text) && brackets[text[p.off]].other == 0 {
		p = ls.right(p)
	}
	if p.off >= len(text) {
		return p, false
	}
	b, depth := text[p.off], 0
	step := ls.left
	if brackets[b].forth {
		step = ls.right
	}
	for {
		if line := ls[p.line].text; p.off < len(line) {
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
