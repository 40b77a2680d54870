package shell

import (
	"slices"
	"strings"
)

// Quote returns a word as every shell reads it back behind the name of a command, and as [Read] does.
func Quote(word string) string {
	if word != "" && strings.Trim(word, letters+digits+"-_./:,@+=%") == "" && word[0] != '=' {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'"'"'`) + "'"
}

// Same reports whether two lines are the same words, signs and redirections, apart from blanks and plain quotes. It reads no
// shell's language but what all of them read alike, and knows nothing of the parser: of any other line it reports false.
func Same(a, b string) bool {
	one, ok := plainWords(a)
	two, fine := plainWords(b)
	return ok && fine && slices.Equal(one, two)
}

// plainSigns are the signs between words with their full forms, longer ones first.
var plainSigns = [][2]string{{"&&", "&&"}, {"||", "||"}, {"2>&1", "2>&1"}, {"1>&2", "1>&2"}, {">&2", "1>&2"}, {"2>>", "2>>"}, {"1>>", "1>>"}, {">>", "1>>"},
	{"2>", "2>"}, {"1>", "1>"}, {"0<", "0<"}, {">", "1>"}, {"<", "0<"}, {"|", "|"}, {";", ";"}, {"\n", ";"}}

// plainWords takes a line apart. A sign is a word with a blank before it, which no other word has.
func plainWords(line string) (words []string, ok bool) {
	word, open, last := "", false, byte(0)
	end := func() {
		if open {
			words = append(words, word)
		}
		word, open = "", false
	}
	for rest := strings.Trim(line, " \t\n"); rest != ""; {
		c := rest[0]
		at := slices.IndexFunc(plainSigns, func(s [2]string) bool {
			return strings.HasPrefix(rest, s[0]) && (c > '9' || c < '0' || !open)
		})
		before := last
		last = c
		switch {
		case at >= 0:
			sign := plainSigns[at][0]
			digit := open && (c == '<' || c == '>') && strings.Trim(word, digits) == "" // it may be a descriptor
			end()
			words, rest = append(words, " "+plainSigns[at][1]), rest[len(sign):]
			if digit || rest != "" && !plainAfter(sign, rest[0]) {
				return nil, false
			}
		case c == ' ' || c == '\t':
			end()
			rest = rest[1:]
		case c == '\'' || c == '"':
			n := strings.IndexByte(rest[1:], c)
			if n < 0 || c == '"' && strings.ContainsAny(rest[1:1+n], "$`\\!") || c == before { // quotes that touch are a quote to some shells
				return nil, false
			}
			word, open, rest = word+rest[1:1+n], true, rest[n+2:]
		case strings.IndexByte(letters+digits+"-_./:,@+%", c) >= 0, c == '=' && open:
			word, open, rest = word+rest[:1], true, rest[1:]
		default:
			return nil, false
		}
	}
	end()
	return words, len(words) > 0
}

// plainAfter reports whether a sign ends where another character comes: after some of them shells take both for one.
func plainAfter(sign string, next byte) bool {
	switch {
	case strings.Contains(sign, ">&"):
		return strings.IndexByte(" \t\n;|<>", next) >= 0
	case strings.HasSuffix(sign, ">"), strings.HasSuffix(sign, "<"):
		return strings.IndexByte("<>|&;", next) < 0
	}
	return true
}
