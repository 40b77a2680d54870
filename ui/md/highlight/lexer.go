package highlight

import (
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/lexers"
)

// Token is a run of code of one kind, up to an offset. Tokens follow each other without a gap.
type Token struct {
	End  int32
	Kind int16 // a chroma.TokenType
}

// Language is the key of a lexer: the word behind a fence, or the name of a file.
type Language struct {
	Name string
	File bool
}

// lexerIndex finds lexers by name. chroma's own search compares all patterns of all lexers in 6 to 15 ms.
type lexerIndex struct {
	names, files, suffixes map[string]chroma.Lexer
	patterns               []filePattern
}

type filePattern struct {
	glob  string
	lexer chroma.Lexer
}

var lexerTable = sync.OnceValue(func() *lexerIndex {
	x := &lexerIndex{names: map[string]chroma.Lexer{}, files: map[string]chroma.Lexer{}, suffixes: map[string]chroma.Lexer{}}
	better := func(m map[string]chroma.Lexer, key string, l chroma.Lexer) {
		if old := m[key]; old == nil || l.Config().Priority > old.Config().Priority {
			m[key] = l
		}
	}
	for _, l := range lexers.GlobalLexerRegistry.Lexers {
		c := l.Config()
		for _, name := range append([]string{c.Name}, c.Aliases...) {
			better(x.names, strings.ToLower(name), l)
		}
		for _, glob := range c.Filenames {
			switch suffix, rest := strings.CutPrefix(glob, "*"); {
			case rest && !strings.ContainsAny(suffix, "*?["):
				better(x.suffixes, suffix, l)
			case strings.ContainsAny(glob, "*?["):
				x.patterns = append(x.patterns, filePattern{glob, l})
			default:
				better(x.files, glob, l)
			}
		}
	}
	return x
})

// lexer returns the lexer of a language, nil if there is none or only one for plain text.
func (l Language) lexer() chroma.Lexer {
	found := l.find(lexerTable())
	if found == nil || found.Config().Name == "plaintext" {
		return nil
	}
	return found
}

// Known reports whether there is a lexer for the language.
func (l Language) Known() bool { return l.lexer() != nil }

func (l Language) find(x *lexerIndex) chroma.Lexer {
	if l.File {
		return x.file(filepath.Base(l.Name))
	}
	name := strings.ToLower(strings.Trim(l.Name, "{}. "))
	if i := strings.IndexAny(name, " ,:{"); i > 0 {
		name = name[:i]
	}
	if name == "" {
		return nil
	}
	if found := x.names[name]; found != nil {
		return found
	}
	return x.suffixes["."+name]
}

// file returns the lexer for the base name of a file, by the whole name, its longest suffix or a pattern.
func (x *lexerIndex) file(base string) chroma.Lexer {
	if found := x.files[base]; found != nil {
		return found
	}
	for i := range len(base) {
		if found := x.suffixes[base[i:]]; found != nil {
			return found
		}
	}
	for _, p := range x.patterns {
		if ok, err := filepath.Match(p.glob, base); err == nil && ok {
			return p.lexer
		}
	}
	return nil
}

// started is the origin of cpuTime where there is no clock of the thread.
var started = time.Now()

// The bounds of one lexing. Code that is larger or takes longer stays plain.
const (
	MaxBytes = 256 << 10
	maxTime  = slow * 100 * time.Millisecond
)

// lex returns the tokens of some code; ok is false if the code is too large, the time is up or the lexer fails.
func lex(l chroma.Lexer, code string, limit time.Duration) (toks []Token, ok bool) {
	defer func() {
		if recover() != nil { // lexers panic on faults in their rules
			toks, ok = nil, false
		}
	}()
	if l == nil || len(code) > MaxBytes {
		return nil, false
	}
	runtime.LockOSThread() // its clock is read
	defer runtime.UnlockOSThread()
	it, err := l.Tokenise(nil, code)
	if err != nil {
		return nil, false
	}
	begin := cpuTime() // not counting the compilation of the rules
	at, n := 0, 0
	for t := it(); t != chroma.EOF && at < len(code); t = it() {
		if n++; n%16 == 0 && cpuTime()-begin > limit {
			return nil, false
		}
		size := len(t.Value)
		if size == 0 {
			continue
		}
		if !strings.HasPrefix(code[at:], t.Value) {
			if t.Value != code[at:]+"\n" { // a lexer may add the last line feed
				return nil, false
			}
			size--
		}
		at += size
		if k := len(toks); k > 0 && toks[k-1].Kind == int16(t.Type) && t.Type != chroma.CommentSingle {
			toks[k-1].End = int32(at)
		} else {
			toks = append(toks, Token{int32(at), int16(t.Type)})
		}
	}
	if at < len(code) {
		toks = append(toks, Token{int32(len(code)), int16(chroma.Text)})
	}
	return toks, true
}

// lexWindow lexes a part of some code that may end within a comment or a string. bounds are the offsets of lines that no
// token spans, where a later window may begin.
func lexWindow(l chroma.Lexer, code string, limit time.Duration) (toks []Token, bounds []int, ok bool) {
	toks, ok = lex(l, code, limit)
	if !ok {
		return nil, nil, false
	}
	defer func() {
		for i, t := range toks {
			if t.Kind == int16(chroma.Error) { // later lines may make sense of it
				toks[i].Kind = int16(chroma.Text)
			}
		}
	}()
	if closed, also := lexClosed(l, code, toks, limit); also {
		toks = closed
	}
	k := 0
	for at := 0; at < len(code); {
		i := strings.IndexByte(code[at:], '\n')
		if i < 0 {
			break
		}
		at += i + 1
		for k < len(toks) && int(toks[k].End) < at {
			k++
		}
		if k < len(toks) && (int(toks[k].End) == at || chroma.TokenType(toks[k].Kind).InCategory(chroma.Text)) {
			bounds = append(bounds, at)
		}
	}
	return toks, bounds, true
}

// lexNear lexes a window from its later line on, and all of it if that does not return the known tokens, because earlier
// lines decide what code means, as in a style sheet. near is where it began.
func lexNear(l chroma.Lexer, r request, limit time.Duration) (toks []Token, bounds []int, near int) {
	if r.near > 0 {
		toks, bounds, ok := lexWindow(l, r.code[r.near:], limit)
		for i := range toks {
			toks[i].End += int32(r.near)
		}
		for i := range bounds {
			bounds[i] += r.near
		}
		if ok && agree(toks, r.known) {
			return toks, bounds, r.near
		}
	}
	toks, bounds, _ = lexWindow(l, r.code, limit)
	return toks, bounds, 0
}

// agree reports whether tokens begin with the known ones, the last of which may be cut off.
func agree(toks, known []Token) bool {
	n := len(known) - 1
	return n >= 0 && len(toks) > n && slices.Equal(toks[:n], known[:n]) && toks[n].Kind == known[n].Kind && toks[n].End >= known[n].End
}

// closers end the multi-line comments and strings that most lexers match only whole.
var closers = [][2]string{{"/*", "*/"}, {"<!--", "-->"}, {`"""`, `"""`}, {"'''", "'''"}, {"`", "`"}}

// lexClosed lexes code again with its last comment or string closed, if that is open and the lexer misread it.
func lexClosed(l chroma.Lexer, code string, toks []Token, limit time.Duration) ([]Token, bool) {
	for _, c := range closers {
		at := strings.LastIndex(code, c[0])
		if at < 0 || c[0] != c[1] && strings.Contains(code[at:], c[1]) || long(kindAt(toks, at)) {
			continue
		}
		again, ok := lex(l, code+"\n"+c[1]+"\n", limit)
		if !ok || !long(kindAt(again, at)) {
			continue
		}
		for i := range again {
			if int(again[i].End) >= len(code) {
				again[i].End = int32(len(code))
				return again[:i+1], true
			}
		}
	}
	return nil, false
}

// long reports whether tokens of a kind span lines.
func long(kind chroma.TokenType) bool {
	return kind.InCategory(chroma.Comment) || kind.InSubCategory(chroma.LiteralString)
}

// kindAt returns the kind of the token at an offset.
func kindAt(toks []Token, at int) chroma.TokenType {
	for _, t := range toks {
		if int(t.End) > at {
			return chroma.TokenType(t.Kind)
		}
	}
	return chroma.Text
}
