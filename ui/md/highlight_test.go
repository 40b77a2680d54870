package md

import (
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"parley/internal/repeat"
	"parley/ui/md/highlight"
)

// clock is a time that the test moves.
type clock struct{ t time.Time }

func (c *clock) now() time.Time { return c.t }

// inColor lays out a document with all of its code lexed, however long that takes.
func inColor(doc string, o Options) []string {
	h := highlight.New(time.Now)
	o.Highlighter = h
	Render(doc, o)
	for job, ok := h.Next(); ok; job, ok = h.Next() {
		h.Take(job.RunWithin(time.Minute))
	}
	return Render(doc, o)
}

// settle runs jobs until nothing waits, as a program would that has time.
func settle(tb testing.TB, h *highlight.Highlighter, c *clock, docs ...*Doc) {
	tb.Helper()
	for range 1000 {
		for _, d := range docs {
			d.Len()
		}
		job, ok := h.Next()
		if ok {
			h.Take(job.RunWithin(time.Minute))
			continue
		}
		wait, due := h.Due()
		if !due {
			return
		}
		c.t = c.t.Add(wait)
		h.Wake()
	}
	tb.Fatal("the queue never empties")
}

// samples are pieces of code by their language, with which chroma tests its lexers.
func samples(tb testing.TB) map[string]string {
	tb.Helper()
	files, err := filepath.Glob(filepath.Join(module(tb, "github.com/alecthomas/chroma/v2"), "lexers", "testdata", "*.actual"))
	if err != nil {
		tb.Fatal(err)
	}
	all := map[string]string{}
	for _, f := range files {
		lang, _, _ := strings.Cut(filepath.Base(f), ".")
		b, err := os.ReadFile(f)
		if err != nil {
			tb.Fatal(err)
		}
		if len(b) < 3000 && (highlight.Language{Name: lang}).Known() {
			all[lang] = strings.TrimRight(string(b), "\n") + "\n"
		}
	}
	if len(all) < 80 {
		tb.Fatalf("code in %d languages only", len(all))
	}
	return all
}

// watch follows the rows of a document while it streams. Rows never change their text once they are complete, and never
// their colors but twice: when they get some, and when the fence is closed.
type watch struct {
	rows    []string
	changes []int
}

func (w *watch) look(tb testing.TB, d *Doc) {
	tb.Helper()
	now := d.all()
	for i := range min(len(w.rows), len(now)) {
		if w.rows[i] == now[i] {
			continue
		}
		bare := func(row string) string { return strings.TrimRight(ansi.Strip(Bare(row)), " ") }
		if was, is := bare(w.rows[i]), bare(now[i]); was == is {
			w.changes[i]++
		} else if !strings.HasPrefix(is, strings.TrimRight(was, " `~")) {
			tb.Fatalf("row %d was %q and is %q", i, was, is)
		} else {
			w.changes[i] = 0 // the last row grew
		}
	}
	for len(w.changes) < len(now) {
		w.changes = append(w.changes, 0)
	}
	w.rows = now
}

// TestStreamedCodeEndsInTheColorsOfTheWhole streams code in many languages, cut anywhere and with results that come early,
// late or not at all, and compares what is left with lexing the whole at once.
func TestStreamedCodeEndsInTheColorsOfTheWhole(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	code := samples(t)
	for i, lang := range slices.Sorted(maps.Keys(code)) {
		code := code[lang]
		for round, doc := range []string{
			"Some words.\n\n~~~~~" + lang + "\n" + code + "~~~~~\n\nMore words.\n",
			// In a list, where the fence is laid out by the parser.
			"- item\n\n  ~~~~~" + lang + "\n  " + strings.ReplaceAll(code, "\n", "\n  ") + "~~~~~\n\nMore words.\n",
			// Never closed.
			"~~~~~" + lang + "\n" + strings.TrimSuffix(code, "\n"),
		} {
			if every := repeat.Times(24, 6, 1); (i+round)%every > 0 {
				continue
			}
			c := &clock{time.Unix(1000, 0)}
			h := highlight.New(c.now)
			o := Options{Width: 30 + r.IntN(60), Highlighter: h}
			d := New(o)
			var w watch
			var late []highlight.Result
			for at := 0; at < len(doc); {
				n := min(1+r.IntN(60), len(doc)-at)
				d.Append(doc[at : at+n])
				at += n
				c.t = c.t.Add(time.Duration(r.IntN(40)) * time.Millisecond)
				w.look(t, d)
				if job, ok := h.Next(); ok {
					late = append(late, job.RunWithin(time.Minute))
				}
				if len(late) > 0 && r.IntN(3) > 0 {
					h.Take(late[0])
					late = late[1:]
					w.look(t, d)
				}
			}
			d.End()
			w.look(t, d)
			for _, l := range late {
				h.Take(l)
			}
			settle(t, h, c, d)
			w.look(t, d)
			want := inColor(doc, Options{Width: o.Width})
			if diff := difference(d.all(), want); diff != "" {
				t.Fatalf("%s, round %d: %s", lang, round, diff)
			}
			if i := slices.IndexFunc(w.changes, func(n int) bool { return n > 2 }); i >= 0 {
				t.Errorf("%s, round %d: row %d changed its colors %d times: %q", lang, round, i, w.changes[i], w.rows[i])
			}
			if !d.Settled() {
				t.Errorf("%s, round %d: not settled", lang, round)
			}
		}
	}
}

// Rows do not depend on colors: without a highlighter they are the same but for sequences.
func TestColorsChangeNoRow(t *testing.T) {
	for name, doc := range corpus(t) {
		for _, w := range []int{80, 33} {
			plain := Render(doc, Options{Width: w})
			lit := inColor(doc, Options{Width: w})
			bare := func(row string) string { return strings.TrimRight(ansi.Strip(row), " ") }
			for i := range max(len(plain), len(lit)) {
				if i >= len(plain) || i >= len(lit) || bare(plain[i]) != bare(lit[i]) {
					t.Fatalf("%s at width %d: row %d differs in more than its colors", name, w, i)
				}
			}
			checkRows(t, lit, Options{Width: w})
		}
	}
}

func TestStaleResultsAreDropped(t *testing.T) {
	c := &clock{time.Unix(1000, 0)}
	h := highlight.New(c.now)
	d := New(Options{Highlighter: h})
	h.SetOwner("doc")
	d.Append("```go\nreturn 1\nreturn 2\n")
	d.Len()
	job, ok := h.Next()
	if !ok {
		t.Fatal("the first line is not lexed")
	}
	d.Append("```\n\n")
	before := d.all()
	if owners := h.Take(job.RunWithin(time.Minute)); len(owners) > 0 {
		t.Errorf("a window of a block that is closed changes %v", owners)
	}
	if diff := difference(d.all(), before); diff != "" {
		t.Error(diff)
	}
	job, ok = h.Next()
	if !ok {
		t.Fatal("the whole is not lexed")
	}
	if owners := h.Take(job.RunWithin(time.Minute)); !slices.Equal(owners, []any{"doc"}) {
		t.Errorf("the result changes %v", owners)
	}
	if rows := d.all(); slices.Equal(rows, before) || !d.Settled() {
		t.Errorf("no colors: %q", rows)
	}
	if _, ok := h.Next(); ok {
		t.Error("something is left to lex")
	}
}

// What was lexed under one width and theme holds for another: nothing is lexed again.
func TestColorsSurviveWidthAndTheme(t *testing.T) {
	c := &clock{time.Unix(1000, 0)}
	h := highlight.New(c.now)
	doc := corpus(t)["code.md"]
	d := New(Options{Highlighter: h})
	d.Append(doc)
	d.End()
	settle(t, h, c, d)
	for _, o := range []Options{{Width: 40}, {Width: 70, Theme: Light()}, {Width: 80, ASCII: true}} {
		want := inColor(doc, o)
		o.Highlighter = h
		d.SetOptions(o)
		if diff := difference(d.all(), want); diff != "" {
			t.Fatal(diff)
		}
	}
	if _, ok := h.Next(); ok {
		t.Error("something was to be lexed again")
	}
	// Halfway through a block as well: the lines that have colors keep them.
	d = New(Options{Width: 60, Highlighter: h})
	d.Append("```go\n" + strings.Repeat("return nil\n", 9))
	settle(t, h, c, d)
	d.SetOptions(Options{Width: 30, Highlighter: h})
	for i, row := range d.all() {
		if !strings.Contains(row, "\x1b") {
			t.Errorf("row %d is plain: %q", i, row)
		}
	}
}

func TestTheSameCodeIsLexedOnce(t *testing.T) {
	h := highlight.New(time.Now)
	for owner := range 3 {
		h.SetOwner(owner)
		d := New(Options{Width: 40 + owner, Highlighter: h})
		d.Append("```go\nreturn\n```\n\nend\n")
		d.Len()
	}
	job, ok := h.Next()
	if !ok || len(job.Parts()) != 1 {
		t.Fatalf("%d parts", len(job.Parts()))
	}
	if owners := h.Take(job.RunWithin(time.Minute)); !slices.Equal(owners, []any{0, 1, 2}) {
		t.Errorf("owners are %v", owners)
	}
}

// While a block grows, a window is lexed per four lines or 250 ms, and it does not grow with the block.
func TestWindowsArePaced(t *testing.T) {
	c := &clock{time.Unix(1000, 0)}
	h := highlight.New(c.now)
	d := New(Options{Highlighter: h})
	d.Append("```go\n")
	jobs, bytes, lines := 0, 0, 0
	for range 40 {
		for line := range strings.Lines(goSource) {
			d.Append(line)
			d.Len()
			c.t = c.t.Add(10 * time.Millisecond)
			lines++
			if job, ok := h.Next(); ok {
				jobs++
				for _, code := range job.Parts() {
					bytes += len(code)
				}
				h.Take(job.RunWithin(time.Minute))
			}
		}
	}
	if jobs > lines/highlight.WindowLines+2 {
		t.Errorf("%d jobs for %d lines", jobs, lines)
	}
	if most := 40 * len(goSource) * 6; bytes > most {
		t.Errorf("%d bytes were lexed of %d", bytes, 40*len(goSource))
	}
	settle(t, h, c, d)
	d.Append("// one line more\n")
	d.Len()
	if _, ok := h.Next(); ok {
		t.Error("one line is lexed at once")
	}
	wait, due := h.Due()
	if !due || wait > highlight.WindowTime {
		t.Fatalf("due %v in %v", due, wait)
	}
	c.t = c.t.Add(wait)
	h.Wake()
	d.Len()
	if _, ok := h.Next(); !ok {
		t.Error("the line is not lexed when its time has come")
	}
	if _, due := h.Due(); due {
		t.Error("something is due while it is lexed")
	}
}

func TestCodeThatStaysPlain(t *testing.T) {
	for name, doc := range map[string]string{
		"large":    "```go\n" + strings.Repeat("return nil\n", highlight.MaxBytes/10) + "```\n",
		"unknown":  "```nolang\nreturn\n```\n",
		"unnamed":  "```\nreturn\n```\n",
		"indented": "    return\n",
	} {
		c := &clock{time.Unix(1000, 0)}
		h := highlight.New(c.now)
		d := New(Options{Highlighter: h})
		d.Append(doc)
		d.End()
		settle(t, h, c, d)
		if row := strings.TrimRight(Bare(d.Line(0)), " "); strings.Contains(row, "\x1b") || !d.Settled() {
			t.Errorf("%s: %q, settled: %v", name, row, d.Settled())
		}
	}
}

func TestCodeIsStableOnceItHasItsColors(t *testing.T) {
	c := &clock{time.Unix(1000, 0)}
	h := highlight.New(c.now)
	d := New(Options{Highlighter: h})
	d.Append("words\n\n```go\nreturn 1\nreturn 2\n")
	settle(t, h, c, d)
	if n := d.Stable(); n != 2 {
		t.Errorf("%d rows are stable while the fence is open", n)
	}
	d.Append("```\n\nmore\n\nend\n")
	if n := d.Stable(); n != 2 {
		t.Errorf("%d rows are stable before the whole is lexed", n)
	}
	settle(t, h, c, d)
	if n := d.Stable(); n != 6 {
		t.Errorf("%d rows are stable", n)
	}
}

func TestForgottenColorsAreRequestedAgain(t *testing.T) {
	c := &clock{time.Unix(1000, 0)}
	h := highlight.New(c.now)
	d := New(Options{Highlighter: h})
	d.Append("```go\nreturn\n```\n\nend\n")
	d.Len()
	job, _ := h.Next()
	h.Take(job.RunWithin(time.Minute))
	for i := range 20_000 { // much else comes between, of which all is forgotten but the newest
		h.Tokens(highlight.Language{Name: "text"}, []byte(strconv.Itoa(i)), false)
	}
	for job, ok := h.Next(); ok; job, ok = h.Next() {
		h.Take(job.Run())
	}
	settle(t, h, c, d)
	if !strings.Contains(d.Line(0), "\x1b") {
		t.Errorf("plain: %q", d.Line(0))
	}
}
