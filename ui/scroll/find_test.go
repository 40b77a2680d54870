package scroll

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// text is an item with text for the search.
type text struct {
	page
	version uint64
	words   string
	asked   *int
}

func (t *text) Version() uint64 { return t.version }
func (t *text) Text() string    { *t.asked++; return t.words }

func library(words ...string) (*List, []*text, *int) {
	l, asked := New(10), new(int)
	l.SetSize(20, 5)
	texts := make([]*text, len(words))
	for i, w := range words {
		texts[i] = &text{words: w, asked: asked}
		texts[i].key = fmt.Sprint(i)
		texts[i].trace = Trace{Rows: []Row{{Text: w, Join: "\n", Block: -1}}}
		l.Append(texts[i])
	}
	l.Frame()
	return l, texts, asked
}

// step goes to the next match, or the previous one, however far it is.
func step(f *Finder, dir int) (Found, bool) {
	found, ok, _ := f.Walk(dir, math.MaxInt)
	return found, ok
}

func TestFinderGoesRound(t *testing.T) {
	l, _, _ := library("one fish", "two Fish fish", "", "red", "blue FISH")
	f := NewFinder(l)
	f.SetQuery("fish")
	if !f.Step(1 << 20) {
		t.Fatal("not done")
	}
	if n, all := f.Count(); n != 4 || !all {
		t.Errorf("%d, %v", n, all)
	}
	at := func(found Found, ok bool) string {
		return fmt.Sprintf("%d.%d[%d:%d] #%d %v", found.Item, found.Nth, found.From, found.To, found.Number, ok)
	}
	for _, want := range []string{"0.0[4:8] #1 true", "1.0[4:8] #2 true", "1.1[9:13] #3 true", "4.0[5:9] #4 true", "0.0[4:8] #1 true"} {
		if got := at(step(f, 1)); got != want {
			t.Errorf("next: %s, want %s", got, want)
		}
	}
	for _, want := range []string{"4.0[5:9] #4 true", "1.1[9:13] #3 true", "1.0[4:8] #2 true"} {
		if got := at(step(f, -1)); got != want {
			t.Errorf("previous: %s, want %s", got, want)
		}
	}
	f.SetQuery("Fish")
	f.Step(1 << 20)
	if n, _ := f.Count(); n != 1 {
		t.Errorf("%d with a capital", n)
	}
	f.SetQuery("nowhere")
	if found, ok := step(f, 1); ok {
		t.Errorf("found %v", found)
	}
	f.SetQuery("")
	if _, ok := step(f, -1); ok || !f.Step(1) {
		t.Error("nothing was found")
	}
}

func TestANarrowerQueryLooksOnlyWhereTheLastWasFound(t *testing.T) {
	words := make([]string, 1000)
	for i := range words {
		words[i] = "word"
		if i%100 == 0 {
			words[i] = "fish and fin"
		}
	}
	l, texts, asked := library(words...)
	f := NewFinder(l)
	f.SetQuery("f")
	f.Step(1 << 30)
	if *asked != 1000 {
		t.Errorf("asked %d", *asked)
	}
	texts[1].words, texts[1].version = "fist", 1
	*asked = 0
	f.SetQuery("fi")
	f.SetQuery("fis")
	f.Step(1 << 30)
	if n, _ := f.Count(); n != 11 || *asked != 11 {
		t.Errorf("%d found, asked %d", n, *asked)
	}
}

func TestFinderDoesAPartAtATime(t *testing.T) {
	words := make([]string, 10_000)
	for i := range words {
		words[i] = strings.Repeat("a word ", 50)
	}
	l, _, asked := library(words...)
	f := NewFinder(l)
	f.SetQuery("w")
	steps := 0
	for before := 0; !f.Step(64 << 10); steps++ {
		if *asked-before > 200 {
			t.Fatalf("%d items in a step", *asked-before)
		}
		before = *asked
	}
	if steps < 50 || *asked != 10_000 {
		t.Errorf("%d steps, %d items", steps, *asked)
	}
	*asked = 0
	for range 100 {
		f.Step(64 << 10)
	}
	if *asked != 0 {
		t.Errorf("asked %d when all was known", *asked)
	}
}

func TestFinderFollowsTheList(t *testing.T) {
	l, texts, asked := library("fish", "fish fish", "none")
	f := NewFinder(l)
	f.SetQuery("fish")
	f.Step(1 << 20)
	step(f, 1)
	count := func(want int) {
		t.Helper()
		f.Step(1 << 20)
		if n, _ := f.Count(); n != want {
			t.Errorf("%d, want %d", n, want)
		}
	}
	more := &text{words: "more fish", asked: asked}
	more.key = "more"
	l.Append(more)
	count(4)
	texts[2].words, texts[2].version = "fish", 1
	f.Changed(2)
	count(5)
	if found, ok := f.Current(); !ok || found.Item != 0 {
		t.Errorf("%v %v", found, ok)
	}
	early := &text{words: "early fish", asked: asked}
	early.key = "early"
	l.Insert(0, early)
	count(6)
	if found, ok := f.Current(); !ok || found.Item != 1 || found.Number != 2 {
		t.Errorf("%v %v", found, ok)
	}
}

func TestMarksGoOverBreaks(t *testing.T) {
	l, s := shown(answer())
	f := NewFinder(l)
	f.SetQuery("three-four")
	if got := fmt.Sprint(f.Marks(0, 0, 10, reading)); got != "[[] [] [{10 16}] [{2 6}] [] [] [] [] [] []]" {
		t.Error(got)
	}
	if got := fmt.Sprint(f.Marks(0, 3, 4, s.read)); got != "[[{2 6}]]" {
		t.Error(got)
	}
	if row, _ := f.Place(0, 0, reading); row != 2 {
		t.Errorf("row %d", row)
	}
	f.SetQuery("y")
	if row, _ := f.Place(0, 0, reading); row != 8 {
		t.Errorf("row %d", row)
	}
	if got := fmt.Sprint(f.Marks(0, 8, 9, reading)); got != "[[{8 9}]]" {
		t.Error(got)
	}
	f.SetQuery("")
	if got := fmt.Sprint(f.Marks(0, 8, 9, reading)); got != "[[]]" {
		t.Error(got)
	}
}

// matches finds ASCII queries in the simplest way.
func matches(query, text string) (all []int) {
	if strings.ToLower(query) == query {
		text = strings.ToLower(text)
	}
	for at := 0; ; {
		i := strings.Index(text[at:], query)
		if i < 0 {
			return all
		}
		all = append(all, at+i)
		at += i + len(query)
	}
}

func TestMatcherFindsWhatTheSlowWayFinds(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	word := func(n int) string {
		b := make([]byte, n)
		for i := range b {
			b[i] = "aAbB[{ "[r.IntN(7)]
		}
		return string(b)
	}
	for range 20_000 {
		query, text := word(1+r.IntN(3)), word(r.IntN(20))
		m := newMatcher(query)
		var got []int
		for at := 0; ; {
			from, to := m.next(text, at)
			if from < 0 {
				break
			}
			got, at = append(got, from), to
		}
		if fmt.Sprint(got) != fmt.Sprint(matches(query, text)) {
			t.Fatalf("%q in %q: %v, want %v", query, text, got, matches(query, text))
		}
	}
	for _, c := range []struct {
		query, text string
		from, to    int
	}{
		{"größe", "die GRÖSSE, die GRÖßE", 17, 24}, {"漢", "a漢", 1, 4}, {"é", "É", 0, 2}, {"É", "é", -1, -1}, {"i", "İ", -1, -1},
	} {
		m := newMatcher(c.query)
		if from, to := m.next(c.text, 0); from != c.from || to != c.to {
			t.Errorf("%q in %q: %d to %d", c.query, c.text, from, to)
		}
	}
}

func FuzzMatcher(f *testing.F) {
	f.Add("fish", "one Fish")
	f.Add("ß", "ẞß\xff")
	f.Fuzz(func(t *testing.T, query, text string) {
		m := newMatcher(query)
		for at := 0; ; {
			from, to := m.next(text, at)
			if from < 0 {
				return
			}
			if from < at || to <= from || to > len(text) {
				t.Fatalf("%q in %q: %d to %d behind %d", query, text, from, to, at)
			}
			if !strings.EqualFold(text[from:to], query) && strings.ToValidUTF8(text[from:to], "?") == text[from:to] {
				t.Fatalf("%q is not %q", text[from:to], query)
			}
			at = to
		}
	})
}

func BenchmarkFind(b *testing.B) {
	words := make([]string, 10_000)
	for i := range words {
		words[i] = strings.Repeat("The quick brown fox jumps over the lazy dog. ", 40)
	}
	l, _, _ := library(words...)
	for _, q := range []string{"e", "fox", "zebra"} {
		b.Run(q, func(b *testing.B) {
			for b.Loop() {
				f := NewFinder(l)
				f.SetQuery(q)
				f.Step(1 << 40)
			}
		})
	}
	b.Run("step", func(b *testing.B) {
		f := NewFinder(l)
		n := 0
		for b.Loop() {
			if n++; f.Step(256 << 10) {
				f.SetQuery(fmt.Sprint("q", n))
			}
		}
	})
}

// Opening and scrolling a list of a hundred thousand items, beside one of ten.
func BenchmarkOpenAndScroll(b *testing.B) {
	for _, n := range []int{10, 100_000} {
		_, tales := book(n, 100)
		items := make([]Item, n)
		for i := range items {
			items[i] = tales[i]
		}
		b.Run(fmt.Sprint("open/", n), func(b *testing.B) {
			for b.Loop() {
				l := New(100)
				l.SetSize(20, 10)
				l.Append(items...)
				l.Frame()
			}
		})
		l := New(100)
		l.SetSize(20, 10)
		l.Append(items...)
		l.Frame()
		i := 0
		b.Run(fmt.Sprint("scroll/", n), func(b *testing.B) {
			for b.Loop() {
				if i++; i%40 < 20 {
					l.Scroll(-3)
				} else {
					l.Scroll(3)
				}
				l.Frame()
			}
		})
	}
}
