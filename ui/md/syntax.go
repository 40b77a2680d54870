package md

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"charm.land/glamour/v2/ansi"
)

// class is what a piece of code is.
type class uint8

const (
	plain class = iota
	comment
	preproc
	keyword
	typeName
	builtin
	tag
	attribute
	constant
	decorator
	function
	variable
	number
	str
	escape
	deleted
	inserted
	heading
	classes // how many there are
)

// syntaxLooks reads the looks of the classes from a style. A class takes what its more general ones say.
func syntaxLooks(s *ansi.Chroma) (looks [classes]overlay) {
	text := over(s.Text)
	for c, ps := range [classes][]ansi.StylePrimitive{
		comment: {s.Comment}, preproc: {s.Comment, s.CommentPreproc}, keyword: {s.Keyword},
		typeName: {s.Keyword, s.KeywordType}, builtin: {s.Name, s.NameBuiltin}, tag: {s.Name, s.NameTag},
		attribute: {s.Name, s.NameAttribute}, constant: {s.Keyword, s.NameConstant}, decorator: {s.Name, s.NameDecorator},
		function: {s.Name, s.NameFunction}, variable: {s.Name, s.NameOther}, number: {s.Literal, s.LiteralNumber},
		str: {s.Literal, s.LiteralString}, escape: {s.LiteralString, s.LiteralStringEscape},
		deleted: {s.GenericDeleted}, inserted: {s.GenericInserted}, heading: {s.GenericSubheading},
	} {
		looks[c] = text
		for _, p := range ps {
			looks[c] = looks[c].then(over(p))
		}
	}
	return looks
}

// token says what the code up to an offset is.
type token struct {
	end   int
	class class
}

// scanner colours code line by line. Its value is the state between lines: a copy is a checkpoint. It takes time
// linear in the line and finds something in any input; what it does not know is plain.
type scanner struct {
	lang *language
	state
}

// state is what a line leaves to the next.
type state struct {
	closer string // the closer of a string, comment or tag that goes on, or empty
	in     class  // what goes on
	esc    byte   // its escape character, 0 for none
	indent int    // of the key that a block of YAML text belongs to, plus 1
	depth  int    // of braces in style sheets
	nested int    // of nested comments
}

// newScanner returns the scanner of a language; one of an unknown language finds plain text.
func newScanner(lang string) scanner { return scanner{lang: languageOf(lang)} }

// line appends the tokens of one line without its newline: they cover it without a gap.
func (s *scanner) line(dst []token, b []byte) []token {
	l := line{toks: dst, b: b, scanner: s}
	switch {
	case s.lang == nil:
	case s.lang.scan != nil:
		s.lang.scan(&l)
	default:
		l.words()
	}
	l.until(len(b), plain)
	return l.toks
}

// line is one line under the scanner.
type line struct {
	*scanner
	b    []byte
	i    int // scanned so far
	toks []token
}

// until says that everything up to an offset is of a class.
func (l *line) until(end int, c class) {
	if end <= l.i {
		return
	}
	l.i = end
	if n := len(l.toks); n > 0 && l.toks[n-1].class == c {
		l.toks[n-1].end = end
		return
	}
	l.toks = append(l.toks, token{end, c})
}

func (l *line) rest() []byte { return l.b[l.i:] }

func (l *line) has(prefix string) bool {
	return prefix != "" && len(l.b)-l.i >= len(prefix) && string(l.b[l.i:l.i+len(prefix)]) == prefix
}

// indented returns the number of spaces the line begins with.
func (l *line) indented() int { return len(l.b) - len(bytes.TrimLeft(l.b, " ")) }

// goOn scans what an earlier line or the opener before l.i began, to its closer or the end of the line.
func (l *line) goOn() {
	begin := l.i
	for l.i < len(l.b) {
		i := l.i
		switch c := l.b[i]; {
		case l.esc != 0 && c == l.esc && i+1 < len(l.b):
			_, n := utf8.DecodeRune(l.b[i+1:])
			l.until(i+1+n, escape)
		case l.has(l.closer):
			l.until(i+len(l.closer), l.in)
			if l.in == comment && l.nested > 0 {
				l.nested--
				continue
			}
			l.state = state{indent: l.indent, depth: l.depth}
			return
		case l.in == comment && l.lang.nests && l.has(l.lang.block[0]) && i > begin:
			l.nested++
			l.until(i+len(l.lang.block[0]), l.in)
		default:
			l.until(i+1, l.in)
		}
	}
}

// open begins something that ends with a closer, perhaps on a later line.
func (l *line) open(opener, closer string, c class, esc byte) {
	l.until(l.i+len(opener), c)
	l.closer, l.in, l.esc = closer, c, esc
	l.goOn()
}

// close forgets what this line began: it does not go on.
func (l *line) close() { l.state = state{indent: l.indent, depth: l.depth} }

// words scans a line of an ordinary language.
func (l *line) words() {
	if l.closer != "" {
		l.goOn()
	}
	for l.i < len(l.b) {
		if !l.space() && !l.commented() && !l.quoted() && !l.numeral() && !l.name() && !l.marked() {
			l.until(l.i+1, plain)
		}
	}
}

func (l *line) space() bool {
	n := len(l.rest()) - len(bytes.TrimLeft(l.rest(), " \t"))
	l.until(l.i+n, plain)
	return n > 0
}

func (l *line) commented() bool {
	g := l.lang
	if g.block[0] != "" && l.has(g.block[0]) {
		l.open(g.block[0], g.block[1], comment, 0)
		return true
	}
	for _, c := range g.line {
		if l.has(c) && (c != "#" || l.i == 0 || l.b[l.i-1] == ' ' || !g.hashInWords) {
			l.until(len(l.b), comment)
			return true
		}
	}
	return false
}

func (l *line) quoted() bool {
	for i := range l.lang.strings {
		q := &l.lang.strings[i]
		if !l.has(q.open) {
			continue
		}
		if q.char && !l.charLiteral() {
			return false
		}
		l.open(q.open, q.close, str, q.esc)
		if !q.multi {
			l.close()
		}
		return true
	}
	return false
}

// charLiteral tells 'x' and '\n' from a lifetime or an apostrophe.
func (l *line) charLiteral() bool {
	r := l.rest()
	if len(r) < 3 {
		return false
	}
	if r[1] == '\\' {
		return bytes.IndexByte(r[2:min(len(r), 12)], '\'') >= 0
	}
	_, n := utf8.DecodeRune(r[1:])
	return len(r) > 1+n && r[1+n] == '\''
}

func digit(c byte) bool { return c >= '0' && c <= '9' }

func letter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' || c >= utf8.RuneSelf }

// numeral scans a number: a digit and what may belong to it.
func (l *line) numeral() bool {
	r := l.rest()
	if !digit(r[0]) && !(r[0] == '.' && len(r) > 1 && digit(r[1])) {
		return false
	}
	n := 1
	for n < len(r) && (digit(r[n]) || letter(r[n]) && r[n] < utf8.RuneSelf ||
		r[n] == '.' && n+1 < len(r) && digit(r[n+1]) ||
		(r[n] == '+' || r[n] == '-') && r[n-1]|0x20 == 'e' && !bytes.HasPrefix(r, []byte("0x"))) {
		n++
	}
	l.until(l.i+n, number)
	return true
}

// word returns the length of the name at l.i.
func (l *line) word() int {
	r := l.rest()
	n := 0
	for n < len(r) && (letter(r[n]) || n > 0 && (digit(r[n]) || strings.IndexByte(l.lang.inWords, r[n]) >= 0)) {
		n++
	}
	return n
}

// name scans a name and says what it is: a word of the language, a call, a type, or nothing special.
func (l *line) name() bool {
	n := l.word()
	if n == 0 {
		return false
	}
	w := l.b[l.i : l.i+n]
	g := l.lang
	c, ok := g.words[string(w)]
	if !ok && g.fold {
		c, ok = g.words[strings.ToLower(string(w))]
	}
	if ok && l.i > 0 && l.b[l.i-1] == '.' { // a field may have any name
		ok = false
	}
	after := l.b[l.i+n:]
	switch {
	case ok:
	case g.calls && len(after) > 0 && (after[0] == '(' || after[0] == '!' && g.bang):
		c = function
	case g.types && w[0] >= 'A' && w[0] <= 'Z' && bytes.IndexFunc(w, func(r rune) bool { return r >= 'a' && r <= 'z' }) > 0:
		c = typeName
	default:
		c = plain
	}
	l.until(l.i+n, c)
	return true
}

// marked scans names behind a mark: @decorator, $variable, #directive, :symbol.
func (l *line) marked() bool {
	m := l.b[l.i]
	g := l.lang
	switch {
	case m == g.decorator && m != 0 || m == g.variable && m != 0:
		c := variable
		if m == g.decorator {
			c = decorator
		}
		l.i++
		n := l.word()
		if n == 0 && c == variable && l.i < len(l.b) {
			n = 1
			if l.b[l.i] == '{' {
				if n = bytes.IndexByte(l.rest(), '}') + 1; n == 0 {
					n = 1
				}
			} else if strings.IndexByte(" \t\"'()", l.b[l.i]) >= 0 {
				n = 0
			}
		}
		l.i--
		if n == 0 {
			return false
		}
		l.until(l.i+1+n, c)
		return true
	case m == g.directive && m != 0 && len(bytes.TrimLeft(l.b[:l.i], " ")) == 0:
		l.i++
		n := l.word()
		l.i--
		l.until(l.i+1+n, preproc)
		if n > 0 && l.has(" <") {
			l.until(len(l.b), str)
		}
		return true
	}
	return false
}
