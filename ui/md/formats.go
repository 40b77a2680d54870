package md

import (
	"bytes"
)

// These scanners know formats that are not made of words: data, markup, transcripts.

// scalar scans a string, number or named constant of a data format, or one byte of anything else.
func (l *line) scalar(names string) {
	switch c := l.b[l.i]; {
	case c == '"':
		l.open(`"`, `"`, str, '\\')
		l.close()
	case c == '\'':
		l.open("'", "'", str, 0)
		l.close()
	case digit(c) || c == '-' && l.i+1 < len(l.b) && digit(l.b[l.i+1]):
		if c == '-' {
			l.until(l.i+1, number)
		}
		l.numeral()
	case letter(c):
		n := l.word()
		w := l.b[l.i : l.i+n]
		kind := plain
		for _, k := range bytes.Fields([]byte(names)) {
			if bytes.EqualFold(k, w) {
				kind = constant
			}
		}
		l.until(l.i+n, kind)
	default:
		l.until(l.i+1, plain)
	}
}

func scanJSON(l *line) {
	if l.closer != "" {
		l.goOn()
	}
	for l.i < len(l.b) {
		switch {
		case l.has("//"):
			l.until(len(l.b), comment)
		case l.has("/*"):
			l.open("/*", "*/", comment, 0)
		case l.has(`"`) && l.isKey():
			l.open(`"`, `"`, attribute, '\\')
			l.close()
		default:
			l.scalar("true false null")
		}
	}
}

// isKey says whether the string at l.i is followed by a colon.
func (l *line) isKey() bool {
	for i := l.i + 1; i < len(l.b); i++ {
		switch l.b[i] {
		case '\\':
			i++
		case '"':
			rest := bytes.TrimLeft(l.b[i+1:], " \t")
			return len(rest) > 0 && rest[0] == ':'
		}
	}
	return false
}

const yamlNames = "true false null yes no on off ~"

func scanYAML(l *line) {
	blank := len(bytes.TrimSpace(l.b)) == 0
	if l.indent > 0 { // inside a block of text
		if blank || l.indented() >= l.indent {
			l.until(len(l.b), str)
			return
		}
		l.indent = 0
	}
	if l.closer != "" {
		l.goOn()
	}
	in := l.indented()
	for l.i < len(l.b) && (l.b[l.i] == ' ' || l.has("- ")) {
		if l.b[l.i] == '-' {
			in = l.i + 2
		}
		l.until(l.i+1, plain)
	}
	if l.has("---") || l.has("...") || l.has("%") {
		l.until(len(l.b), preproc)
		return
	}
	if k := yamlKey(l.rest()); k > 0 {
		l.until(l.i+k, tag)
		l.until(l.i+1, plain)
	}
	value := bytes.TrimSpace(l.rest())
	if len(value) > 0 && len(value) < 4 && (value[0] == '|' || value[0] == '>') {
		l.until(len(l.b), keyword)
		l.indent = in + 1
		return
	}
	for l.i < len(l.b) {
		switch c := l.b[l.i]; {
		case c == '#' && (l.i == 0 || l.b[l.i-1] == ' '):
			l.until(len(l.b), comment)
		case (c == '&' || c == '*' || c == '!') && l.i+1 < len(l.b) && letter(l.b[l.i+1]):
			l.until(l.i+1, decorator)
			l.until(l.i+l.word(), decorator)
		default:
			l.scalar(yamlNames)
		}
	}
}

// yamlKey returns the length of the key b begins with, or 0.
func yamlKey(b []byte) int {
	for i, c := range b {
		switch {
		case c == ':' && (i+1 == len(b) || b[i+1] == ' '):
			return i
		case c == '#' && (i == 0 || b[i-1] == ' '), i == 0 && (c == '[' || c == '{'):
			return 0
		}
	}
	return 0
}

func scanINI(l *line) {
	if l.closer != "" {
		l.goOn()
	}
	begin := bytes.TrimLeft(l.b, " \t")
	switch {
	case l.i > 0 || len(begin) == 0:
	case begin[0] == '#' || begin[0] == ';':
		l.until(len(l.b), comment)
	case begin[0] == '[':
		l.until(len(l.b), heading)
	default:
		if k := bytes.IndexByte(l.b, '='); k > 0 {
			l.until(k, attribute)
			l.until(k+1, plain)
		}
	}
	for l.i < len(l.b) {
		switch {
		case l.has("#") && (l.i == 0 || l.b[l.i-1] == ' '):
			l.until(len(l.b), comment)
		case l.has(`"""`):
			l.open(`"""`, `"""`, str, '\\')
		case l.has("'''"):
			l.open("'''", "'''", str, 0)
		default:
			l.scalar("true false yes no on off")
		}
	}
}

func scanMarkup(l *line) {
	if l.closer == ">" { // inside a tag
		l.attributes()
	} else if l.closer != "" {
		l.goOn()
	}
	for l.i < len(l.b) {
		switch {
		case l.has("<!--"):
			l.open("<!--", "-->", comment, 0)
		case l.has("<"):
			n := 1
			for l.i+n < len(l.b) && (letter(l.b[l.i+n]) || digit(l.b[l.i+n]) || bytes.IndexByte([]byte("/!?:.-"), l.b[l.i+n]) >= 0) {
				n++
			}
			l.until(l.i+n, tag)
			if n > 1 {
				l.closer, l.in = ">", tag
				l.attributes()
			}
		case l.has("&"):
			n := bytes.IndexByte(l.rest()[:min(len(l.rest()), 12)], ';')
			if n > 0 {
				l.until(l.i+n+1, constant)
			} else {
				l.until(l.i+1, plain)
			}
		default:
			l.until(l.i+1, plain)
		}
	}
}

// attributes scans inside a tag, to its end or that of the line.
func (l *line) attributes() {
	for l.i < len(l.b) {
		switch c := l.b[l.i]; {
		case c == '>':
			l.until(l.i+1, tag)
			l.close()
			return
		case c == '/' || c == '?':
			l.until(l.i+1, tag)
		case c == '"' || c == '\'':
			n := bytes.IndexByte(l.b[l.i+1:], c)
			if n < 0 {
				n = len(l.b) - l.i - 2
			}
			l.until(l.i+n+2, str)
		case c == ' ' || c == '=' || c == '\t':
			l.until(l.i+1, plain)
		default:
			l.until(l.i+1, attribute)
		}
	}
}

func scanCSS(l *line) {
	if l.closer != "" {
		l.goOn()
	}
	for l.i < len(l.b) {
		switch c := l.b[l.i]; {
		case l.has("/*"):
			l.open("/*", "*/", comment, 0)
		case l.has("//") && (l.i == 0 || l.b[l.i-1] != ':'):
			l.until(len(l.b), comment)
		case c == '{':
			l.depth++
			l.until(l.i+1, plain)
		case c == '}':
			l.depth = max(l.depth-1, 0)
			l.until(l.i+1, plain)
		case c == '"' || c == '\'':
			l.scalar("")
		case c == '@' || c == '$':
			l.until(l.i+1, keyword)
			l.until(l.i+l.cssWord(), keyword)
		case c == '#' && l.depth > 0:
			l.until(l.i+1, number)
			l.until(l.i+l.cssWord(), number)
		case digit(c):
			l.numeral()
		case letter(c) || c == '-':
			n := max(l.cssWord(), 1)
			after := bytes.TrimLeft(l.b[l.i+n:], " ")
			kind := plain
			if l.depth > 0 && len(after) > 0 && after[0] == ':' {
				kind = attribute
			} else if l.depth == 0 {
				kind = tag
			} else if len(after) > 0 && after[0] == '(' {
				kind = function
			}
			l.until(l.i+n, kind)
		default:
			l.until(l.i+1, plain)
		}
	}
}

func (l *line) cssWord() int {
	r := l.rest()
	n := 0
	for n < len(r) && (letter(r[n]) || digit(r[n]) || r[n] == '-') {
		n++
	}
	return n
}

func scanDiff(l *line) {
	c := plain
	switch {
	case l.has("+++"), l.has("---"), l.has("diff "), l.has("index "):
		c = comment
	case l.has("@@"):
		c = heading
	case l.has("+"), l.has(">"):
		c = inserted
	case l.has("-"), l.has("<"):
		c = deleted
	}
	l.until(len(l.b), c)
}

func scanMarkdown(l *line) {
	begin := bytes.TrimLeft(l.b, " ")
	fence := bytes.HasPrefix(begin, []byte("```")) || bytes.HasPrefix(begin, []byte("~~~"))
	switch {
	case fence:
		l.depth = 1 - l.depth
		l.until(len(l.b), comment)
		return
	case l.depth > 0:
		l.until(len(l.b), str)
		return
	case bytes.HasPrefix(begin, []byte("#")):
		l.until(len(l.b), heading)
		return
	case bytes.HasPrefix(begin, []byte(">")):
		l.until(len(l.b), comment)
		return
	}
	for l.i < len(l.b) {
		if l.has("`") {
			l.open("`", "`", str, 0)
			l.close()
		} else {
			l.until(l.i+1, plain)
		}
	}
}

// scanConsole colours what was typed at a prompt and leaves what was answered.
func scanConsole(l *line) {
	if l.has("$ ") || l.has("> ") || l.has("% ") || l.has("# ") {
		l.until(2, comment)
		outer := l.lang
		l.lang = languageOf("sh")
		l.words()
		l.lang = outer
		l.close()
	}
}
