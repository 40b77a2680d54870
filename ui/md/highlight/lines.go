package highlight

// Lines splits the tokens of some code into lines.
type Lines struct {
	// Tokens are those of the code from its beginning.
	Tokens []Token

	line []Token
	next int
	at   int // where the next line begins
}

// Next returns the tokens of the next line, which is n bytes long without its line feed, relative to it. They are valid
// until the call after.
func (l *Lines) Next(n int) []Token {
	l.line = l.line[:0]
	end := l.at + n
	for ; l.next < len(l.Tokens); l.next++ {
		t := l.Tokens[l.next]
		if to := min(int(t.End), end); to > l.at {
			l.line = append(l.line, Token{int32(to - l.at), t.Kind})
		}
		if int(t.End) > end {
			break
		}
	}
	l.at = end + 1
	return l.line
}
