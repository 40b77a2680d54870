package mapper

import "strings"

// token is a word, a string, a number or a mark of a query.
type token struct {
	text   string
	quoted bool
}

// statements splits a query into statements and these into tokens. Comments are left out.
func statements(query string) [][]token {
	var out [][]token
	var now []token
	for i := 0; i < len(query); {
		c := query[i]
		switch {
		case c == ' ' || c == '\n' || c == '\t' || c == '\r':
			i++
		case strings.HasPrefix(query[i:], "--"):
			end := strings.IndexByte(query[i:], '\n')
			if end < 0 {
				end = len(query) - i
			}
			i += end
		case c == '\'' || c == '"' || c == '`':
			text, n := quotedText(query[i:])
			now = append(now, token{text, c == '\''})
			i += n
		case c == ';':
			out, now = append(out, now), nil
			i++
		case isWord(c):
			n := i
			for n < len(query) && isWord(query[n]) {
				n++
			}
			now = append(now, token{text: query[i:n]})
			i = n
		default:
			now = append(now, token{text: query[i : i+1]})
			i++
		}
	}
	return append(out, now)
}

func isWord(c byte) bool {
	return c == '_' || c == '.' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

// quotedText reads a quoted text, in which a doubled quote is one, and returns its length in the query.
func quotedText(query string) (text string, n int) {
	var b strings.Builder
	quote := query[0]
	for i := 1; i < len(query); i++ {
		if query[i] != quote {
			b.WriteByte(query[i])
			continue
		}
		if i+1 < len(query) && query[i+1] == quote {
			b.WriteByte(quote)
			i++
			continue
		}
		return b.String(), i + 1
	}
	return b.String(), len(query)
}

// sqlReader reads the tokens of a statement.
type sqlReader struct {
	tokens []token
	at     int
}

func (s *sqlReader) done() bool { return s.at >= len(s.tokens) }

// next consumes a token, the empty one at the end.
func (s *sqlReader) next() token {
	if s.done() {
		return token{}
	}
	s.at++
	return s.tokens[s.at-1]
}

// is reports whether the next token is a mark.
func (s *sqlReader) is(mark string) bool {
	return !s.done() && !s.tokens[s.at].quoted && s.tokens[s.at].text == mark
}

// word consumes a word, if it is next.
func (s *sqlReader) word(w string) bool {
	if s.done() || s.tokens[s.at].quoted || !strings.EqualFold(s.tokens[s.at].text, w) {
		return false
	}
	s.at++
	return true
}

// value consumes a literal, and fails for an expression.
func (s *sqlReader) value() (string, bool) {
	if s.done() || s.is("(") || s.is(")") {
		return "", false
	}
	t := s.next()
	if s.is("(") && !t.quoted { // a function
		if !skipBraces(s) {
			return "", false
		}
		return "", true
	}
	if s.is("|") || s.is("+") || s.is("*") || s.is("/") {
		return "", false
	}
	return t.text, true
}

// skipBraces consumes a list in braces with any content.
func skipBraces(s *sqlReader) bool {
	depth := 0
	for !s.done() {
		switch {
		case s.is("("):
			depth++
		case s.is(")"):
			depth--
		}
		s.next()
		if depth == 0 {
			return true
		}
	}
	return false
}

// values consumes a list of literals in braces.
func (s *sqlReader) values() (out []string, ok bool) {
	if !s.is("(") {
		return nil, false
	}
	s.next()
	for {
		v, ok := s.value()
		if !ok {
			return nil, false
		}
		out = append(out, v)
		if s.is(")") {
			s.next()
			return out, true
		}
		if !s.is(",") {
			return nil, false
		}
		s.next()
	}
}

// where consumes the rest: nothing, or conditions joined by AND that compare columns with literals.
func (s *sqlReader) where() (func(todoRow) bool, bool) {
	if s.done() {
		return func(todoRow) bool { return true }, true
	}
	if !s.word("where") {
		return nil, false
	}
	var all []func(todoRow) bool
	for {
		column := strings.ToLower(s.next().text)
		not := false
		var values []string
		var ok bool
		switch {
		case s.is("="):
			s.next()
			var v string
			v, ok = s.value()
			values = []string{v}
		case s.is("!"), s.is("<"):
			not = true
			s.next()
			if !s.is("=") && !s.is(">") {
				return nil, false
			}
			s.next()
			var v string
			v, ok = s.value()
			values = []string{v}
		default:
			not = s.word("not")
			if !s.word("in") {
				return nil, false
			}
			values, ok = s.values()
		}
		if !ok {
			return nil, false
		}
		all = append(all, func(r todoRow) bool { return contains(values, r[column]) != not })
		if s.done() {
			return func(r todoRow) bool {
				for _, holds := range all {
					if !holds(r) {
						return false
					}
				}
				return true
			}, true
		}
		if !s.word("and") {
			return nil, false
		}
	}
}

func contains(values []string, v string) bool {
	for _, x := range values {
		if x == v {
			return true
		}
	}
	return false
}
