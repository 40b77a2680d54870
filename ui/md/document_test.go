package md

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"parley/internal/repeat"
	"parley/ui/md/cells"
)

type example struct {
	Markdown string `json:"markdown"`
	Section  string `json:"section"`
	Example  int    `json:"example"`
}

// directories returns the directories of the modules whose examples the tests read, by module. Go is asked once.
var directories = sync.OnceValues(func() (map[string]string, error) {
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Path}} {{.Dir}}", "github.com/yuin/goldmark", "github.com/alecthomas/chroma/v2").Output()
	dirs := map[string]string{}
	for line := range strings.Lines(string(out)) {
		path, dir, _ := strings.Cut(strings.TrimSpace(line), " ")
		dirs[path] = dir
	}
	return dirs, err
})

// module returns the directory of a module that go.mod requires.
func module(tb testing.TB, path string) string {
	tb.Helper()
	dirs, err := directories()
	if err != nil || dirs[path] == "" {
		tb.Fatalf("find the module %s: %v", path, err)
	}
	return dirs[path]
}

// someOf returns every so many-th example.
func someOf(ex []example, every int) []example {
	var out []example
	for i := 0; i < len(ex); i += every {
		out = append(out, ex[i])
	}
	return out
}

// specExamples reads the examples of the CommonMark specification out of the goldmark module, which go.mod requires.
func specExamples(tb testing.TB) []example {
	tb.Helper()
	b, err := os.ReadFile(filepath.Join(module(tb, "github.com/yuin/goldmark"), "_test", "spec.json"))
	if err != nil {
		tb.Fatalf("read the specification's examples: %v", err)
	}
	var ex []example
	if err := json.Unmarshal(b, &ex); err != nil {
		tb.Fatal(err)
	}
	if len(ex) < 600 {
		tb.Fatalf("only %d examples", len(ex))
	}
	return ex
}

// corpus returns our own documents, by name.
func corpus(tb testing.TB) map[string]string {
	tb.Helper()
	files, err := filepath.Glob("testdata/corpus/*.md")
	if err != nil || len(files) == 0 {
		tb.Fatalf("no corpus: %v", err)
	}
	docs := map[string]string{}
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			tb.Fatal(err)
		}
		docs[filepath.Base(f)] = string(b)
	}
	return docs
}

// whole is Render over as much of a prefix as a document that goes on would show: an incomplete rune is held back.
func whole(prefix string, o Options) []string {
	for i := 1; i < utf8.UTFMax && i <= len(prefix); i++ {
		if p := prefix[len(prefix)-i:]; utf8.RuneStart(p[0]) {
			if !utf8.FullRuneInString(p) {
				prefix = prefix[:len(prefix)-i]
			}
			break
		}
	}
	return Render(strings.TrimSuffix(prefix, "\r"), o)
}

// stream feeds doc in portions and returns an account of the first difference from the whole, or "".
func stream(doc string, o Options, portion func() int) string {
	d := New(o)
	for at := 0; at < len(doc); {
		n := min(portion(), len(doc)-at)
		d.Append(doc[at : at+n])
		at += n
		if diff := difference(d.all(), whole(doc[:at], o)); diff != "" {
			return fmt.Sprintf("after %d bytes, %q: %s", at, doc[max(0, at-80):at], diff)
		}
	}
	d.End()
	return difference(d.all(), Render(doc, o))
}

func difference(got, want []string) string {
	for i := range max(len(got), len(want)) {
		var g, w string
		if i < len(got) {
			g = got[i]
		}
		if i < len(want) {
			w = want[i]
		}
		if g != w || i >= len(got) || i >= len(want) {
			return fmt.Sprintf("row %d of %d, whole %d:\n got %q\nwant %q", i, len(got), len(want), got[max(0, min(i-1, len(got))):min(i+3, len(got))], want[max(0, min(i-1, len(want))):min(i+3, len(want))])
		}
	}
	return ""
}

func one() int { return 1 }

func TestEveryPrefixOfTheSpecificationRendersAsTheWhole(t *testing.T) {
	bad := 0
	widths := []int{17, 80}[:repeat.Times(1, 1, 2)]
	for _, e := range someOf(specExamples(t), repeat.Times(10, 1, 1)) {
		for _, w := range widths {
			if diff := stream(e.Markdown, Options{Width: w}, one); diff != "" {
				bad++
				if bad < 8 {
					t.Errorf("example %d (%s) at width %d: %s", e.Example, e.Section, w, diff)
				}
			}
		}
	}
	if bad > 0 {
		t.Errorf("%d differ", bad)
	}
}

func TestJoinedExamplesRenderAsTheWhole(t *testing.T) {
	ex := specExamples(t)
	r := rand.New(rand.NewPCG(1, 2))
	bad := 0
	n := repeat.Times(30, 200, 1500)
	for range n {
		var doc string
		for range 2 + r.IntN(3) {
			doc += ex[r.IntN(len(ex))].Markdown
			if r.IntN(2) == 0 {
				doc += "\n"
			}
		}
		o := Options{Width: 8 + r.IntN(60)}
		if diff := stream(doc, o, func() int { return 1 + r.IntN(5) }); diff != "" {
			bad++
			if bad < 5 {
				t.Errorf("%q at width %d: %s", doc, o.Width, diff)
			}
		}
	}
	if bad > 0 {
		t.Errorf("%d of %d differ", bad, n)
	}
}

func TestEveryPrefixOfTheCorpusRendersAsTheWhole(t *testing.T) {
	all := []Options{{Width: 23, Method: cells.Grapheme, Theme: named("notty")}, {Width: 80}, {Width: 70, Prose: 31}}[:repeat.Times(1, 1, 3)]
	portion := repeat.Times(20, 3, 1)
	for name, doc := range corpus(t) {
		t.Run(name, func(t *testing.T) {
			for _, o := range all {
				if diff := stream(doc, o, func() int { return portion }); diff != "" {
					t.Fatalf("at width %d: %s", o.Width, diff)
				}
			}
		})
	}
}

func TestChangedOptionsLayOutAgain(t *testing.T) {
	for name, doc := range corpus(t) {
		d := New(Options{Width: 80})
		d.Append(doc[:len(doc)/2])
		d.Len()
		o := Options{Width: 37, Theme: Light(), Method: cells.Grapheme}
		d.SetOptions(o)
		if diff := difference(d.all(), whole(doc[:len(doc)/2], o)); diff != "" {
			t.Fatalf("%s: %s", name, diff)
		}
		d.Append(doc[len(doc)/2:])
		d.End()
		if diff := difference(d.all(), Render(doc, o)); diff != "" {
			t.Fatalf("%s: %s", name, diff)
		}
		before := d.Stats().Layouts
		d.SetOptions(o)
		if d.all(); d.Stats().Layouts != before {
			t.Fatalf("%s: equal options laid out again", name)
		}
	}
}

func FuzzStreamEqualsWhole(f *testing.F) {
	for _, e := range specExamples(f) {
		f.Add(e.Markdown, uint8(40), uint8(1))
	}
	f.Fuzz(func(t *testing.T, doc string, width, portion uint8) {
		if len(doc) > 400 {
			return
		}
		n := int(portion)%9 + 1
		if diff := stream(doc, Options{Width: int(width), Prose: int(width) / 2}, func() int { return n }); diff != "" {
			t.Fatal(diff)
		}
	})
}

func TestListsThatAreCutRenderAsTheWhole(t *testing.T) {
	for _, doc := range []string{
		"-\n\n- a\n  b\n- c\n", "-\n\n- a\n\n  b\n- c\n\n  d\n", "- a\n  -\n\n- b\n  c\n- d\n", "- a\n-\n\n  b\n- c\n  d\n- e\n",
		"*\n\n* a\n  - b\n* c\n", "1.\n\n1. a\n   b\n1. c\n", "- a\n  > -\n\n- b\n  c\n- d\n",
		"3. a\n3. b\n\n3. c\n   - d\n3. e\n\nend\n", "10) a\n11) b\n1) c\n", "1. a\n 2. b\n  3. c\n   4. d\n    5. e\n6. f\n",
		"- a\n - b\n  - c\n   - d\n    - e\n- f\n", "- a\n* b\n+ c\n- d\n", "- a\n\n\n- b\n\n      code\n- c\n---\n- d\n***\n",
		"- [a]: /u\n- [a]\n- 't'\n", "- a\nlazy\n- b\n  ===\n- c\n-\n", "1. a\n\n   ```\n   x\n2. b\n   ```\n3. c\n",
		"- a\n\n <!-- x -->\n\n- b\n", "- a\n\tb\n\t- c\n-\td\n", "- - a\n  - b\n- - c\n", "- a\n  - b\n    - c\n- d\n",
	} {
		if diff := stream(doc, Options{Width: 30}, one); diff != "" {
			t.Errorf("%q: %s", doc, diff)
		}
	}
}

// pieces of markdown that interact.
var bits = []string{
	"a", "b c", " ", "  ", "    ", "\n", "\n", "\n\n", "- ", "-", "* ", "+ ", "1. ", "2) ", "10. ", "> ", ">", "```", "```go", "~~~",
	"# ", "#", "===", "---", "***", "[a]", "[b]: ", "[a]: /u", "[^1]", "[^1]: x", "'t'", "\"t", "(x)", "](", "!", "`", "``", "*", "**", "_",
	"~~", "|", "|-|", "| a | b |", "|-|-|", "\t", "<div>", "</div>", "<!--", "-->", "<b>", "$", "$$", "\\", "\\(", "\\)", "\\[", "\\]",
	"&amp;", "&#9;", "http://a.bc", "x@y.zz", "漢字", "é", "👩‍👩", "\x1b", "\u200d", "\r\n", "\xff", "[ ] ", "[x] ", "<http://x>",
}

// lines of lists that interact.
var listLines = []string{
	"-\n", "- \n", "- a\n", "  b\n", "\n", "\n", "  - c\n", "  -\n", "    d\n", "1.\n", "1. e\n", "   f\n", "> -\n", "> g\n",
	"\t- h\n", " - i\n", "   - j\n", "    - k\n", "      - l\n", "-\tm\n", "2) n\n", "- ```\n", "  ```\n", "[a]: /u\n", "- [a]\n",
}

func TestRandomBitsRenderAsTheWhole(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	n := repeat.Times(50, 400, 3000)
	for i := range n {
		bits := bits
		if i%2 == 0 {
			bits = listLines
		}
		var doc strings.Builder
		for range 3 + r.IntN(20) {
			doc.WriteString(bits[r.IntN(len(bits))])
		}
		o := Options{Width: 2 + r.IntN(40), Prose: r.IntN(60), Method: cells.Method(r.IntN(2))}
		if diff := stream(doc.String(), o, func() int { return 1 + r.IntN(4) }); diff != "" {
			t.Fatalf("%q at width %d: %s", doc.String(), o.Width, diff)
		}
		checkRows(t, Render(doc.String(), o), o)
	}
}

// all returns a copy of the rows.
func (d *Doc) all() []string {
	rows := make([]string, d.Len())
	for i := range rows {
		rows[i] = d.Line(i)
	}
	return rows
}
