package md

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

// syntaxLooks reads the looks of the classes from a style.
func syntaxLooks(s *StyleSyntax) (looks [classes]overlay) {
	text := over(s.Text)
	for c, ps := range [classes][]StylePrimitive{
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

// scanner colours code line by line. Its value is the state between lines: a copy is a checkpoint.
type scanner struct {
	lang *language
	state
}

// newScanner returns the scanner of a language; one of an unknown language finds plain text.
func newScanner(lang string) scanner { return scanner{lang: languageOf(lang)} }

// line appends the tokens of one line without its newline: they cover it without a gap.
func (s *scanner) line(dst []token, b []byte) []token {
	if s.lang == nil {
		return append(dst, token{len(b), plain})
	}
	return dst
}

type language struct{}
type state struct{}

func languageOf(s string) *language { return nil }
