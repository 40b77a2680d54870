package md

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// classesOf scans code and returns, per class, the texts found.
func classesOf(lang, code string) map[class][]string {
	sc := newScanner(lang)
	found := map[class][]string{}
	for l := range strings.SplitSeq(code, "\n") {
		at := 0
		for _, t := range sc.line(nil, []byte(l)) {
			found[t.class] = append(found[t.class], l[at:t.end])
			at = t.end
		}
	}
	return found
}

func TestSyntax(t *testing.T) {
	for _, c := range []struct {
		lang, code string
		class      class
		want       string // the texts of the class, joined by |
	}{
		{"go", "func f() { return x.func }", keyword, "func|return"},
		{"Go", "a := `raw\nstill \\` + \"q\\\"x\" // end", str, "`raw|still \\`|\"q|x\""},
		{"go", "x /* a\nb */ y // c", comment, "/* a|b */|// c"},
		{"go", "1 0x1F 1e-5 .5 a1 1.5", number, "1|0x1F|1e-5|.5|1.5"},
		{"go", "'\\n' 'x' it's", str, "'|'|'x'|'s"},
		{"rust", "&'a str, 'b'", str, "'b'"},
		{"rust", "/* a /* b */ c */ d", comment, "/* a /* b */ c */"},
		{"py", "@dec\nclass A: pass # no", decorator, "@dec"},
		{"python", "'''a\nb''' + \"c\"", str, "'''a|b'''|\"c\""},
		{"sh", "echo $HOME ${x} $1 a#b # c", variable, "$HOME|${x}|$1"},
		{"sh", "a#b # c", comment, "# c"},
		{"sql", "Select A from b", keyword, "Select|from"},
		{"json", `{"a\"b" : "c"}`, attribute, `"a|b"`},
		{"yaml", "a: |\n  b: c\nd: e", tag, "a|d"},
		{"html", "<a b=\"c\"\nd>e</a>", attribute, "b|d"},
		{"css", "a { b: c; }", attribute, "b"},
		{"diff", "+a\n-b\n c", inserted, "+a"},
		{"c", "#include <x.h>\nint # a", preproc, "#include"},
		{"toml", "[a]\nb = true", constant, "true"},
		{"console", "$ ls | wc\nls", builtin, "ls|wc"},
		{".go", "if", keyword, "if"},
		{"{.python .numbered}", "if", keyword, "if"},
		{"ts title=x", "if", keyword, "if"},
		{"nothing-known", "if \"x\" // y", plain, "if \"x\" // y"},
		{"", "if", plain, "if"},
	} {
		if got := strings.Join(classesOf(c.lang, c.code)[c.class], "|"); got != c.want {
			t.Errorf("%s %q: class %d is %q, want %q", c.lang, c.code, c.class, got, c.want)
		}
	}
}

// Whatever the input, tokens cover the line without gaps, and every language ends.
func TestScannersCoverEveryLine(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	glue := []string{" ", "\"", "'", "`", "/*", "*/", "//", "#", "--", "<!--", "-->", "<", ">", "&", ";", ":", "=", "{", "}", "\\", "\n",
		"a", "If", "1", ".", "@", "$", "${", "|", "[[", "]]", "漢", "\xff", "-", "\t", "'''", "\"\"\"", "(*", "*)", "%"}
	languageOf("go")
	for name := range index {
		sc := newScanner(name)
		for range 60 {
			var code strings.Builder
			for range r.IntN(20) {
				code.WriteString(glue[r.IntN(len(glue))])
			}
			for l := range strings.SplitSeq(code.String(), "\n") {
				at := 0
				for _, tok := range sc.line(nil, []byte(l)) {
					if tok.end <= at || tok.class >= classes {
						t.Fatalf("%s %q: token %+v after %d", name, l, tok, at)
					}
					at = tok.end
				}
				if at != len(l) {
					t.Fatalf("%s %q: covered up to %d", name, l, at)
				}
			}
		}
	}
}

func FuzzScanners(f *testing.F) {
	f.Add("go", "a /* b\n c */ \"d\"")
	f.Add("yaml", "a: |\n  b")
	f.Add("html", "<a b='c'>&amp;")
	f.Fuzz(func(t *testing.T, lang, code string) {
		sc := newScanner(lang)
		for l := range strings.SplitSeq(code, "\n") {
			at := 0
			for _, tok := range sc.line(nil, []byte(l)) {
				if tok.end <= at {
					t.Fatalf("%q: token %+v after %d", l, tok, at)
				}
				at = tok.end
			}
			if at != len(l) {
				t.Fatalf("%q: covered up to %d", l, at)
			}
		}
	})
}

func BenchmarkScanner(b *testing.B) {
	code := strings.Repeat(goSource, 20)
	b.SetBytes(int64(len(code)))
	var toks []token
	for b.Loop() {
		sc := newScanner("go")
		for l := range strings.SplitSeq(code, "\n") {
			toks = sc.line(toks[:0], []byte(l))
		}
	}
}

// A name means one language: with two, the order of the table would decide.
func TestLanguageNamesAreUnique(t *testing.T) {
	of := map[string]string{}
	for _, l := range languages() {
		for _, name := range strings.Fields(l.names) {
			if other, taken := of[name]; taken {
				t.Errorf("%s is both %q and %q", name, other, l.names)
			}
			of[name] = l.names
		}
	}
	if len(of) < 150 {
		t.Errorf("there are %d names", len(of))
	}
}
