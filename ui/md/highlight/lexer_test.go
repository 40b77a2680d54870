package highlight

import (
	"strings"
	"testing"
	"time"

	"github.com/alecthomas/chroma/v2"
)

// texts returns the parts of some code that have a kind.
func texts(lang, code string, kind chroma.TokenType) string {
	toks, _ := lex(Language{Name: lang}.lexer(), code, time.Minute)
	var found []string
	at := 0
	for _, t := range toks {
		if k := chroma.TokenType(t.Kind); k == kind || k.InSubCategory(kind) && kind == chroma.LiteralString {
			found = append(found, code[at:t.End])
		}
		at = int(t.End)
	}
	return strings.Join(found, "|")
}

func TestFencesNameTheirLanguage(t *testing.T) {
	for _, c := range []struct {
		lang, code string
		kind       chroma.TokenType
		want       string
	}{
		{"go", "func f() { return x }", chroma.Keyword, "return"},
		{"Go", "x := 1 // end", chroma.CommentSingle, "// end"},
		{".go", "return", chroma.Keyword, "return"},
		{"{.python .numbered}", "if x: pass", chroma.Keyword, "if|pass"},
		{"ts title=x", "if (x) {}", chroma.Keyword, "if"},
		{"mjs", "if (x) {}", chroma.Keyword, "if"},
		{"jsonc", `{"a": "b"}`, chroma.NameTag, `"a"`},
		{"nothing-known", "if x", chroma.Keyword, ""},
		{"text", "if x", chroma.Keyword, ""},
		{"", "if x", chroma.Keyword, ""},
	} {
		if got := texts(c.lang, c.code, c.kind); got != c.want {
			t.Errorf("%s %q: %v is %q, want %q", c.lang, c.code, c.kind, got, c.want)
		}
	}
}

func TestFilesNameTheirLanguage(t *testing.T) {
	for name, want := range map[string]string{
		"/a/b.go": "Go", "x.tsx": "TypeScript", "Makefile": "Makefile", "deep/Dockerfile": "Docker", "a.test.js": "JavaScript",
		"x.yml": "YAML", "CMakeLists.txt": "CMake", "a.h": "C", "noname": "", "x.unheard-of": "", "notes.txt": "", "": "",
	} {
		got := ""
		if l := (Language{Name: name, File: true}).lexer(); l != nil {
			got = l.Config().Name
		}
		if got != want {
			t.Errorf("%q is lexed as %q, want %q", name, got, want)
		}
	}
}

func TestLexingIsBounded(t *testing.T) {
	l := Language{Name: "go"}.lexer()
	if _, ok := lex(l, strings.Repeat("x", MaxBytes+1), time.Minute); ok {
		t.Error("more than the limit was lexed")
	}
	begin := time.Now()
	if toks, ok := lex(l, strings.Repeat(goSource, 500), 0); ok || toks != nil {
		t.Error("lexing went on without time")
	}
	if took := time.Since(begin); took > time.Second {
		t.Errorf("giving up took %v", took)
	}
}

// A window that ends within a comment or string sees it as one.
func TestWindowsEndWithinComments(t *testing.T) {
	for _, c := range []struct{ lang, code, comment string }{
		{"go", "x := 1\n/* one\n two\n", "/* one\n two\n"},
		{"js", "let a\n/**\n * b\n", "/**\n * b\n"},
		{"html", "<p>\n<!-- a\nb\n", "<!-- a\nb\n"},
		{"go", "x := `a\nb\n", "`a\nb\n"},
	} {
		toks, bounds, ok := lexWindow(Language{Name: c.lang}.lexer(), c.code, time.Minute)
		at := strings.Index(c.code, c.comment)
		if !ok || !long(kindAt(toks, at)) || !long(kindAt(toks, len(c.code)-2)) {
			t.Errorf("%s %q: tokens are %v", c.lang, c.code, toks)
		}
		if first := strings.IndexByte(c.code, '\n') + 1; first <= at && (len(bounds) == 0 || bounds[0] != first) {
			t.Errorf("%s %q: a window may begin at %v", c.lang, c.code, bounds)
		}
		for _, b := range bounds {
			if b > at && b < len(c.code) {
				t.Errorf("%s %q: a window may begin at %d, within the comment", c.lang, c.code, b)
			}
		}
	}
}

// Whatever the input, tokens cover it without gaps.
func FuzzLexers(f *testing.F) {
	f.Add("go", "a /* b\n c */ \"d\"")
	f.Add("yaml", "a: |\n  b")
	f.Add("html", "<a b='c'>&amp;")
	f.Fuzz(func(t *testing.T, lang, code string) {
		if len(code) > 2000 {
			return
		}
		code = strings.ToValidUTF8(strings.ReplaceAll(code, "\r", ""), "?")
		for _, window := range []bool{false, true} {
			l := Language{Name: lang}.lexer()
			toks, ok := lex(l, code, time.Second)
			if window {
				toks, _, ok = lexWindow(l, code, time.Second)
			}
			at := 0
			for _, tok := range toks {
				if int(tok.End) <= at {
					t.Fatalf("%q: token %+v behind %d", code, tok, at)
				}
				at = int(tok.End)
			}
			if ok && at != len(code) {
				t.Fatalf("%q: covered up to %d", code, at)
			}
		}
	})
}

const goSource = `func (s *store) load(ctx context.Context, id string) (*record, error) {
	row := s.db.QueryRowContext(ctx, "select body, at from records where id = ?", id)
	var rec record
	if err := row.Scan(&rec.body, &rec.at); err != nil {
		return nil, fmt.Errorf("load record %q: %w", id, err)
	}
	return &rec, nil
}
`

func BenchmarkLex(b *testing.B) {
	l := Language{Name: "go"}.lexer()
	for name, code := range map[string]string{"block": goSource, "300lines": strings.Repeat(goSource, 25)} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(code)))
			for b.Loop() {
				lex(l, code, time.Minute)
			}
		})
	}
}

// A short window is taken only where it makes of the known lines what they were.
func TestShortWindowsAgreeWithWhatIsKnown(t *testing.T) {
	for _, c := range []struct {
		lang, code string
		short      bool
	}{
		{"go", "func f() {\n\ta := 1\n\tb := \"x\"\n\treturn a\n", true},
		{"css", "a {\n\tcolor: red;\n\tmargin: 0;\n\ttop: 0;\n", false},
	} {
		l := Language{Name: c.lang}.lexer()
		all, _ := lex(l, c.code, time.Minute)
		lines := strings.SplitAfter(c.code, "\n")
		near := len(lines[0])
		known := len(lines[0] + lines[1] + lines[2])
		r := request{code: c.code, near: near}
		for _, tok := range all {
			if int(tok.End) > near && int(tok.End) <= known {
				r.known = append(r.known, tok)
			}
		}
		toks, _, began := lexNear(l, r, time.Minute)
		if short := began == near; short != c.short {
			t.Errorf("%s: began at %d: %v", c.lang, began, toks)
		}
		if last := len(c.code) - 3; kindAt(toks, last) != kindAt(all, last) {
			t.Errorf("%s: the end is %v, want %v", c.lang, kindAt(toks, last), kindAt(all, last))
		}
	}
}
